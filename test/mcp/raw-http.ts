// Requests of HTTP as they stand, for what no client of MCP would send.
import { request } from "node:http";

export interface Answered {
  readonly status: number;
  readonly headers: Record<string, unknown>;
  readonly text: string;
}

export interface RawRequest {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
}

export const LIST = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} });
export const JSON_HEADERS = { "content-type": "application/json", accept: "application/json, text/event-stream" };

/** The answer, read to its end. fetch would set Host itself. */
export function ask(
  url: string,
  { method = "POST", path, headers = {}, body = LIST }: RawRequest = {},
): Promise<Answered> {
  const target = new URL(url);
  return new Promise((answered, failed) => {
    const options = { host: target.hostname, port: target.port, path: path ?? target.pathname, method };
    const sent = request({ ...options, headers: { ...JSON_HEADERS, ...headers } }, (response) => {
      const pieces: Buffer[] = [];
      response.on("data", (piece: Buffer) => pieces.push(piece));
      response.on("end", () =>
        answered({
          status: response.statusCode!,
          headers: response.headers,
          text: Buffer.concat(pieces).toString(),
        }),
      );
    });
    sent.on("error", failed);
    sent.end(method === "POST" ? body : undefined);
  });
}
