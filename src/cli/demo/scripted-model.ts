// A server on loopback that speaks as much of the chat completions of OpenAI as the demo needs: it plays a plan and a report.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export interface Script {
  readonly plan: object;
  readonly report: object;
}

export interface ScriptedModel {
  readonly name: string;
  readonly url: string;
  close(): Promise<void>;
}

const NAME = "scripted";
const CONTEXT_TOKENS = 32_768;

const event = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;
const choice = (delta: object, finish_reason: string | null) => ({
  id: NAME,
  choices: [{ index: 0, delta, finish_reason }],
});

export async function scriptedModel({ plan, report }: Script): Promise<ScriptedModel> {
  const server = createServer(async (request, response) => {
    const body = await text(request);
    if (request.method === "GET") {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ data: [{ id: NAME, max_model_len: CONTEXT_TOKENS }] }));
      return;
    }
    const { response_format: form } = JSON.parse(body) as { response_format: { json_schema: { name: string } } };
    const answer = form.json_schema.name === "report" ? report : plan;
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(event(choice({ content: JSON.stringify(answer) }, null)));
    response.end(`${event(choice({}, "stop"))}data: [DONE]\n\n`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    name: NAME,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
