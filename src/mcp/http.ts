// MCP over Streamable HTTP: node:http in front of the library's handler, which serves each request by itself.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { PalimpsestError } from "../contract/errors.js";
import { ArrivingBodies, LATE } from "./arriving-bodies.js";
import { answer, type Refusal, refuse, refuseBytes } from "./http-exchange.js";
import { type Guard, guardOf } from "./http-guard.js";
import { RestingConnections } from "./resting-connections.js";
import { mcpServer } from "./server.js";
import { MOST_IN_FLIGHT, MOST_MESSAGE_BYTES, type Service } from "./tool.js";

const PATH = "/mcp";
const MOST_SUBSCRIPTIONS = 8;
/** Bodies that are on their way at once. */
const MOST_ARRIVING = 64;
/** More than the calls that run and the bodies that arrive, so that those above them are told so. */
const MOST_CONNECTIONS = 256;
const REQUEST_TIMEOUT_MS = 60_000;
const IDLE_MS = 30_000;
/** How much longer an idle connection stays than clients are told: one that is late must not meet a server that just closed. */
const GRACE_MS = 60_000;
const CHECK_EVERY_MS = 5_000;

export interface HttpServer {
  readonly url: string;
  close(): Promise<void>;
}

/** The request as the library reads it; its signal ends with the connection. */
function webRequest({ headersDistinct }: IncomingMessage, body: Buffer, signal: AbortSignal): Request {
  const headers = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  return new Request(`http://localhost${PATH}`, { method: "POST", headers, signal, body: new Uint8Array(body) });
}

type Fetch = (request: Request) => Promise<Response>;

const tooLong: Refusal = { status: 413, message: `a body has at most ${MOST_MESSAGE_BYTES} bytes` };

const tooSlow: Refusal = { status: 408, message: "the request took too long to arrive, and others came" };
const tooMany: Refusal = {
  status: 429,
  message: `${MOST_IN_FLIGHT} calls are running`,
  headers: { "retry-after": "1" },
};

/** What requests share: the bodies that arrive, and the calls that run. A request takes no place of a call before it is whole. */
class Calls {
  private readonly bodies = new ArrivingBodies(MOST_ARRIVING);
  private inFlight = 0;

  constructor(private readonly fetch: Fetch) {}

  get areAllRunning(): boolean {
    return this.inFlight >= MOST_IN_FLIGHT;
  }

  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    const body = await this.bodies.of(request);
    if (body === LATE) return refuse(request, response, tooSlow);
    if (body === null) return refuse(request, response, tooLong);
    if (this.areAllRunning) return refuse(request, response, tooMany);
    if (response.destroyed) return;
    this.inFlight += 1;
    response.once("close", () => (this.inFlight -= 1));
    const given = await this.fetch(webRequest(request, body, gone.signal));
    if (!response.destroyed) await answer(response, given);
  }
}

/** Why a request is not even read; null where it is. */
function refusalOf({ headers, url, method }: IncomingMessage, guard: Guard, calls: Calls): Refusal | null {
  const refusal = guard.refusal(headers);
  if (refusal?.status === 401) return { ...refusal, headers: { "www-authenticate": "Bearer" } };
  if (refusal !== null) return refusal;
  if (url?.split("?")[0] !== PATH) return { status: 404, message: `look at ${PATH}` };
  // Streams that a client opens, and sessions that it ends, are for servers that keep something of their clients.
  if (method !== "POST") return { status: 405, message: "POST a message", headers: { allow: "POST" } };
  return calls.areAllRunning ? tooMany : null;
}

async function listen(server: Server, host: string, port: number): Promise<AddressInfo> {
  await new Promise<void>((listening, failed) => {
    server.once("error", (error) => failed(cannotListen(host, port, error)));
    server.listen(port, host, listening);
  });
  return server.address() as AddressInfo;
}

const cannotListen = (host: string, port: number, error: Error): PalimpsestError =>
  new PalimpsestError("E_IO", `cannot listen on ${host}:${port}: ${error.message}`, {
    details: { host, port },
    hint: "choose another port; 0 takes any that is free",
    cause: error,
  });

export interface HttpOptions {
  readonly port: number;
  readonly host: string;
  /** Null: none, which only loopback may have. */
  readonly token: string | null;
  readonly warn: (text: string) => void;
  /** How long a request may take to arrive, and how long a client may keep a connection that it does not use. */
  readonly requestTimeoutMs?: number;
  readonly idleMs?: number;
}

export async function serveHttp(service: Service, options: HttpOptions): Promise<HttpServer> {
  const { port, host, token, warn, requestTimeoutMs = REQUEST_TIMEOUT_MS, idleMs = IDLE_MS } = options;
  const guard = guardOf(host, token);
  const handler = createMcpHandler(() => mcpServer(service), {
    maxRequestBodySize: MOST_MESSAGE_BYTES,
    maxSubscriptions: MOST_SUBSCRIPTIONS,
    onerror: (error) => warn(error.message),
  });
  const calls = new Calls(handler.fetch);
  const connections = new RestingConnections(MOST_CONNECTIONS);
  const answering = new WeakMap<Duplex, ServerResponse>();
  const timeouts = {
    requestTimeout: requestTimeoutMs,
    headersTimeout: requestTimeoutMs,
    connectionsCheckingInterval: Math.min(CHECK_EVERY_MS, requestTimeoutMs),
    keepAliveTimeout: idleMs + GRACE_MS,
  };
  const server = createServer(timeouts, (request, response) => {
    const { socket } = request;
    answering.set(socket, response);
    connections.woken(socket);
    // One that sends its requests behind each other rests after the last of them.
    response.once("close", () => answering.get(socket) === response && connections.rests(socket));
    response.setHeader("keep-alive", `timeout=${Math.floor(idleMs / 1_000)}`);
    const refusal = refusalOf(request, guard, calls);
    const served = refusal === null ? calls.serve(request, response) : refuse(request, response, refusal);
    served.catch((error: Error) => {
      if (response.destroyed) return;
      warn(error.message);
      response.destroy();
    });
  });
  server.on("connection", (socket) => connections.opened(socket));
  server.on("clientError", (error, socket) => {
    const response = answering.get(socket);
    refuseBytes(error, socket, response?.headersSent === true && !response.writableEnded);
  });
  const { address, family, port: taken } = await listen(server, host, port);
  return {
    url: `http://${family === "IPv6" ? `[${address}]` : address}:${taken}${PATH}`,
    async close() {
      await handler.close();
      await new Promise<void>((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      });
    },
  };
}
