// A model's server in this process: each request gets the text that a script has for it, as one piece of a stream. Counts
// the time that it holds a request, so that figures of an agent can leave it out.

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

export type Script = (system: string) => string;

const CONTEXT_TOKENS = 32_768;

const event = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;

const streamed = (text: string): string =>
  event({ id: "x", choices: [{ index: 0, delta: { content: text } }] }) +
  event({ id: "x", choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }) +
  event({ id: "x", choices: [], usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 } }) +
  "data: [DONE]\n\n";

export class ScriptedModel {
  /** From when a request's head had come until its answer was handed over, in all. */
  heldMs = 0;
  requests = 0;

  private constructor(private readonly server: Server) {}

  static async start(script: Script): Promise<ScriptedModel> {
    const server = createServer((request, response) => {
      const begun = performance.now();
      let body = "";
      request.on("data", (chunk) => {
        body += String(chunk);
      });
      request.on("end", () => {
        if (request.url?.endsWith("/models") === true) {
          response.writeHead(200, { "content-type": "application/json" });
          response.end(JSON.stringify({ object: "list", data: [{ id: "scripted", max_model_len: CONTEXT_TOKENS }] }));
        } else {
          const { messages } = JSON.parse(body) as { messages: readonly { content: string }[] };
          response.writeHead(200, { "content-type": "text/event-stream" });
          response.end(streamed(script(messages[0]!.content)));
        }
        model.heldMs += performance.now() - begun;
        model.requests += 1;
      });
    });
    const model = new ScriptedModel(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return model;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
