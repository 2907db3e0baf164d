// MCP over Streamable HTTP: node:http in front of the library's handler, which serves each request by itself.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { PalimpsestError } from "../contract/errors.js";
import { guardOf } from "./http-guard.js";
import { mcpServer } from "./server.js";
import { MOST_IN_FLIGHT, type Service } from "./tool.js";

const PATH = "/mcp";
/** Those that the protocol has; the library refuses two of them in its own words. */
const METHODS = ["POST", "GET", "DELETE"];
const MOST_BODY_BYTES = 4 << 20;
const MOST_SUBSCRIPTIONS = 8;
const REQUEST_TIMEOUT_MS = 60_000;

export interface HttpServer {
  readonly url: string;
  close(): Promise<void>;
}

function refuse(response: ServerResponse, status: number, message: string, headers: Record<string, string> = {}): void {
  const body = JSON.stringify({ jsonrpc: "2.0", error: { code: -32000, message }, id: null });
  // What is left of the body is not read.
  response.writeHead(status, { "content-type": "application/json", connection: "close", ...headers }).end(body);
}

function headersOf({ headersDistinct }: IncomingMessage): [string, string][] {
  return Object.entries(headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
}

/** The request as the library reads it; its signal ends with the connection. */
function webRequest(request: IncomingMessage, signal: AbortSignal): Request {
  const { method = "GET" } = request;
  const hasBody = method !== "GET" && method !== "HEAD";
  return new Request(`http://localhost${PATH}`, {
    method,
    headers: headersOf(request),
    signal,
    ...(hasBody ? { body: Readable.toWeb(request) as ReadableStream<Uint8Array>, duplex: "half" } : {}),
  } as RequestInit);
}

async function answer(response: ServerResponse, given: Response, isRead: boolean): Promise<void> {
  response.writeHead(given.status, {
    ...Object.fromEntries(given.headers),
    ...(isRead ? {} : { connection: "close" }),
  });
  if (given.body === null) response.end();
  else await pipeline(Readable.fromWeb(given.body as ReadableStream<Uint8Array>), response);
}

type Fetch = (request: Request) => Promise<Response>;

async function serve(request: IncomingMessage, response: ServerResponse, fetch: Fetch): Promise<void> {
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  const given = await fetch(webRequest(request, gone.signal));
  if (!response.destroyed) await answer(response, given, request.complete);
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
}

export async function serveHttp(service: Service, { port, host, token, warn }: HttpOptions): Promise<HttpServer> {
  const guard = guardOf(host, token);
  const handler = createMcpHandler(() => mcpServer(service), {
    maxRequestBodySize: MOST_BODY_BYTES,
    maxSubscriptions: MOST_SUBSCRIPTIONS,
    onerror: (error) => warn(error.message),
  });
  let inFlight = 0;
  const server = createServer((request, response) => {
    const refusal = guard.refusal(request.headers);
    if (refusal !== null) {
      const challenge: Record<string, string> = refusal.status === 401 ? { "www-authenticate": "Bearer" } : {};
      return refuse(response, refusal.status, refusal.message, challenge);
    }
    if (request.url?.split("?")[0] !== PATH) return refuse(response, 404, `look at ${PATH}`);
    if (!METHODS.includes(request.method ?? "")) return refuse(response, 405, "POST a message");
    if (Number(request.headers["content-length"] ?? 0) > MOST_BODY_BYTES) {
      return refuse(response, 413, `a body has at most ${MOST_BODY_BYTES} bytes`);
    }
    if (inFlight >= MOST_IN_FLIGHT) {
      return refuse(response, 429, `${MOST_IN_FLIGHT} calls are running`, { "retry-after": "1" });
    }
    inFlight += 1;
    response.once("close", () => (inFlight -= 1));
    serve(request, response, handler.fetch).catch((error: Error) => {
      if (response.destroyed) return;
      warn(error.message);
      response.destroy();
    });
  });
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  await new Promise<void>((listening, failed) => {
    server.once("error", (error) => failed(cannotListen(host, port, error)));
    server.listen(port, host, listening);
  });
  const { address, family, port: taken } = server.address() as AddressInfo;
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
