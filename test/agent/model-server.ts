// A model's server for tests: real HTTP on loopback, the wire format of OpenAI, and a script that says what each request
// gets. It is told nothing of the client under test.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What the client sent. */
export interface Asked {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: {
    readonly model: string;
    readonly messages: readonly { readonly role: string; readonly content: string }[];
    readonly response_format?: { readonly json_schema?: { readonly schema: { readonly properties?: object } } };
    readonly tools?: readonly { readonly function: { readonly name: string; readonly parameters: object } }[];
    readonly max_tokens: number;
    readonly seed: number;
    readonly temperature: number;
    readonly stream: boolean;
    readonly [extra: string]: unknown;
  };
}

export type Reply =
  /** A stream of the text in pieces. */
  | {
      readonly text: string;
      readonly asTool?: boolean;
      /** Null: the stream ends without one. */
      readonly finish?: string | null;
      readonly usage?: object | null;
      readonly pieceLength?: number;
      readonly firstAfterMs?: number;
      readonly pieceAfterMs?: number;
      /** The connection is cut after so many pieces. */
      readonly cutAfter?: number;
    }
  | { readonly status: number; readonly body?: string; readonly headers?: Readonly<Record<string, string>> }
  /** Bytes as they are, after a head of 200. */
  | { readonly raw: string | Buffer; readonly contentType?: string };

export type Script = (asked: Asked, position: number) => Reply | Promise<Reply>;

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return text;
}

async function stream(response: ServerResponse, reply: Extract<Reply, { text: string }>): Promise<void> {
  const {
    text,
    asTool = false,
    finish = "stop",
    usage,
    pieceLength = 7,
    firstAfterMs = 0,
    pieceAfterMs = 0,
    cutAfter,
  } = reply;
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.flushHeaders();
  const send = (value: object): void => void response.write(`data: ${JSON.stringify(value)}\n\n`);
  const delta = (piece: string) =>
    asTool ? { tool_calls: [{ index: 0, function: { arguments: piece } }] } : { content: piece };
  if (firstAfterMs > 0) await wait(firstAfterMs);
  const points = [...text];
  for (let from = 0, sent = 0; from < points.length; from += pieceLength, sent += 1) {
    if (sent === cutAfter) {
      response.destroy();
      return;
    }
    if (response.destroyed) return;
    send({ id: "x", choices: [{ index: 0, delta: delta(points.slice(from, from + pieceLength).join("")) }] });
    if (pieceAfterMs > 0) await wait(pieceAfterMs);
  }
  if (finish !== null) send({ id: "x", choices: [{ index: 0, delta: {}, finish_reason: finish }] });
  if (usage !== null) {
    send({ id: "x", choices: [], usage: usage ?? { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 } });
  }
  response.end("data: [DONE]\n\n");
}

export class ModelServer {
  readonly asked: Asked[] = [];
  models: readonly object[] = [{ id: "scripted", object: "model", max_model_len: 32_768 }];
  script: Script;
  /** Requests that are being answered, and the most that ever were. */
  running = 0;
  mostRunning = 0;

  private constructor(
    private readonly server: Server,
    script: Script,
  ) {
    this.script = script;
  }

  static async start(script: Script): Promise<ModelServer> {
    const server = createServer((request, response) => void own.answer(request, response));
    const own = new ModelServer(server, script);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return own;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.running += 1;
    this.mostRunning = Math.max(this.mostRunning, this.running);
    response.on("close", () => {
      this.running -= 1;
    });
    const text = await bodyOf(request);
    if (request.url?.endsWith("/models") === true) {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ object: "list", data: this.models }));
      return;
    }
    const asked: Asked = { headers: request.headers, body: JSON.parse(text) as Asked["body"] };
    const position = this.asked.push(asked) - 1;
    const reply = await this.script(asked, position);
    if ("status" in reply) {
      response.writeHead(reply.status, { "content-type": "application/json", ...reply.headers });
      response.end(reply.body ?? JSON.stringify({ error: { message: "scripted", type: "scripted" } }));
    } else if ("raw" in reply) {
      response.writeHead(200, { "content-type": reply.contentType ?? "text/event-stream" });
      response.end(reply.raw);
    } else {
      await stream(response, reply);
    }
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** The one value that a schema allows, for a server that enforces schemas. */
export function onlyValue(schema: unknown): unknown {
  const node = schema as { enum?: unknown[]; const?: unknown; properties?: Record<string, unknown>; type?: string };
  if (node.enum !== undefined) return node.enum[0];
  if (node.const !== undefined) return node.const;
  if (node.properties === undefined) return node.type === "array" ? [] : null;
  return Object.fromEntries(Object.entries(node.properties).map(([key, member]) => [key, onlyValue(member)]));
}
