// One exchange of HTTP on a node:http server: the whole body of a request, bounded, and answers that arrive also where the
// body was not read to its end.
import type { IncomingMessage, ServerResponse } from "node:http";
import { type Duplex, Readable } from "node:stream";
import { finished, pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import { MOST_MESSAGE_BYTES } from "./tool.js";

/**
 * What is left of a request that is refused is taken for so long before the connection is closed. Closing over bytes that
 * nobody read makes the system reset the connection, and the client loses an answer that it has not read yet.
 */
const LINGER_MS = 2_000;

/**
 * The body; null where it is longer than it may be, or the signal came first, and then the rest is passed over. Rejects where
 * the client goes.
 */
export function bodyOf(request: IncomingMessage, late: AbortSignal): Promise<Buffer | null> {
  if (Number(request.headers["content-length"] ?? 0) > MOST_MESSAGE_BYTES) return Promise.resolve(null);
  return new Promise((resolve, reject) => {
    let pieces: Buffer[] = [];
    let byteCount = 0;
    const passOver = (): void => {
      pieces = [];
      resolve(null);
    };
    late.addEventListener("abort", passOver, { once: true });
    request.on("data", (piece: Buffer) => {
      byteCount += piece.length;
      if (byteCount <= MOST_MESSAGE_BYTES && !late.aborted) pieces.push(piece);
      else passOver();
    });
    finished(request).then(() => resolve(Buffer.concat(pieces)), reject);
  });
}

/** Why a request is not served, as JSON-RPC says it of one whose id was not read. */
const refusalText = (message: string): string =>
  JSON.stringify({ jsonrpc: "2.0", error: { code: -32000, message }, id: null });

export interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The answer is whole for the client before the rest of its body is looked at; then the connection ends. */
export async function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  { status, message, headers }: Refusal,
): Promise<void> {
  const body = Buffer.from(refusalText(message));
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": body.length,
    connection: "close",
    ...headers,
  });
  response.write(body);
  request.resume();
  await finished(request, { signal: AbortSignal.timeout(LINGER_MS) }).catch(() => undefined);
  response.end();
}

const WRONG_REQUESTS: Readonly<Record<string, readonly [status: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: ["431 Request Header Fields Too Large", "the headers are too long"],
  ERR_HTTP_REQUEST_TIMEOUT: ["408 Request Timeout", "the request took too long to arrive"],
};

/** Tells a client whose bytes are no request, unless an answer of another one is on its way to it; then the connection ends. */
export function refuseBytes(error: NodeJS.ErrnoException, socket: Duplex, isAnswering: boolean): void {
  if (socket.writableEnded) return;
  if (!socket.writable || isAnswering) {
    socket.destroy();
    return;
  }
  const [status, message] = WRONG_REQUESTS[error.code ?? ""] ?? ["400 Bad Request", "this is no request of HTTP"];
  const body = refusalText(message);
  const head = `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close`;
  socket.end(`HTTP/1.1 ${status}\r\n${head}\r\n\r\n${body}`);
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

export async function answer(response: ServerResponse, { status, headers, body }: Response): Promise<void> {
  // Whether the connection stays is not for the library to say.
  const { connection: _, ...own } = Object.fromEntries(headers);
  response.writeHead(status, own);
  if (body === null) response.end();
  else await pipeline(Readable.fromWeb(body as ReadableStream<Uint8Array>), response);
}
