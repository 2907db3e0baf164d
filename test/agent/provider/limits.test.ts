// Answers that are cut, and prompts that are too long.
import { describe, expect, it } from "vitest";
import type { ModelConfig } from "../../../src/agent/provider/config.js";
import { failure, RIGHT, request, ScriptedServer } from "./asking.js";

const served = ScriptedServer.begin();

describe("answers that are cut", () => {
  it("is given up where an answer stops in its middle, and not while a long prompt is read", async () => {
    await served.start([{ text: RIGHT, firstAfterMs: 400 }]);
    expect(await served.client({ idle_ms: 150, retries: 0 }).ask(request())).toMatchObject({ kind: "object" });
    await served.start([{ text: RIGHT, pieceAfterMs: 1_000, pieceLength: 2 }]);
    const error = await failure(served.client({ idle_ms: 150, retries: 0 }).ask(request()));
    expect(error).toMatchObject({ code: "E_MODEL", details: { kind: "idle" } });
  });

  it("are asked for once more with twice the room", async () => {
    const { asked } = await served.start([{ text: '{"n":', finish: "length" }, { text: RIGHT }]);
    const answer = await served.client({ max_output_tokens: 100 }).ask(request());
    expect(answer).toMatchObject({ kind: "object", usage: { calls: 2 } });
    expect(asked.map(({ body }) => body.max_tokens)).toEqual([100, 200]);
  });

  it("are E_LIMIT when they are cut again", async () => {
    await served.start([{ text: '{"n":', finish: "length" }]);
    expect(await failure(served.client().ask(request()))).toMatchObject({
      code: "E_LIMIT",
      details: { limit: "output_cut" },
    });
  });
});

it.each<[string, Partial<ModelConfig>, number | undefined, number]>([
  ["as long as the caller says", { context_tokens: 100_000 }, 4_096, 100_000],
  ["else as its server says", {}, 4_096, 4_096],
  ["else of the usual length", {}, undefined, 8_192],
])("a context is %s", async (_, config, said, found) => {
  const server = await served.start([{ text: RIGHT }]);
  server.models = [{ id: "m", ...(said === undefined ? {} : { max_model_len: said }) }];
  expect((await served.client(config).model(request().signal)).contextTokens).toBe(found);
});

describe("prompts that are too long", () => {
  it("are not sent", async () => {
    const server = await served.start([{ text: RIGHT }]);
    server.models = [{ id: "small", max_model_len: 4_096 }];
    const long = request({ messages: [{ role: "user", content: "word ".repeat(4_000) }] });
    expect(await failure(served.client().ask(long))).toMatchObject({
      code: "E_LIMIT",
      details: { limit: "context", context_tokens: 4_096 },
    });
    expect(server.asked).toHaveLength(0);
    expect((await served.client().ask(request())).kind).toBe("object");
  });
});
