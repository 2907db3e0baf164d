// A model that answers over real HTTP: what it is asked, what it took, and through what its answer is understood.
import { describe, expect, it } from "vitest";
import { extractObject } from "../../../src/agent/provider/extract.js";
import { failure, KEY, RIGHT, request, ScriptedServer } from "./asking.js";

const served = ScriptedServer.begin();

describe("a model that answers", () => {
  it("is asked as the wire format says, and nothing of the environment is sent", async () => {
    const kept = { ...process.env };
    Object.assign(process.env, {
      OPENAI_API_KEY: "sk-env",
      OPENAI_ORG_ID: "org-env",
      OPENAI_PROJECT_ID: "proj-env",
      OPENAI_ADMIN_KEY: "admin-env",
      OPENAI_BASE_URL: "http://127.0.0.1:1/nowhere",
      OPENAI_CUSTOM_HEADERS: "x-env: leaked",
      OPENAI_LOG: "debug",
    });
    try {
      const { asked } = await served.start([{ text: RIGHT }]);
      const answer = await served.client({ seed: 3 }).ask(request());
      expect(answer).toMatchObject({ kind: "object", value: { n: 7 }, rung: "text" });
      const { headers, body } = asked[0]!;
      expect(headers.authorization).toBe(`Bearer ${KEY}`);
      expect(JSON.stringify({ headers, body })).not.toMatch(/env/);
      expect(Object.keys(headers).filter((name) => name.startsWith("openai") || name.startsWith("x-"))).toEqual([]);
      expect(body).toMatchObject({ model: "scripted", stream: true, temperature: 0, seed: 3, max_tokens: 2048 });
    } finally {
      for (const name of Object.keys(process.env)) if (!(name in kept)) delete process.env[name];
    }
  });

  it("has its tokens accounted as the server says, else estimated and marked", async () => {
    const usage = {
      prompt_tokens: 50,
      completion_tokens: 9,
      prompt_tokens_details: { cached_tokens: 40 },
      completion_tokens_details: { reasoning_tokens: 4 },
    };
    await served.start([
      { text: RIGHT, usage },
      { text: RIGHT, usage: null },
    ]);
    const asking = served.client();
    expect((await asking.ask(request())).usage).toEqual({
      prompt_tokens: 50,
      cached_tokens: 40,
      completion_tokens: 9,
      reasoning_tokens: 4,
      is_estimated: false,
      calls: 1,
      retries: 0,
    });
    const { usage: guessed } = await asking.ask(request());
    expect(guessed.is_estimated).toBe(true);
    expect(guessed.prompt_tokens).toBeGreaterThan(0);
  });

  it("is the only one of its server, where none is named", async () => {
    const server = await served.start([{ text: RIGHT }]);
    server.models = [{ id: "a" }, { id: "b" }];
    expect((await failure(served.client().ask(request()))).code).toBe("E_INVALID_ARG");
    expect(await served.client({ model: "b" }).model(request().signal)).toEqual({ model: "b", contextTokens: 8_192 });
  });

  it.each([
    ["prose around it", `Sure! Here it is:\n${RIGHT}\nAnything else?`],
    ["a fence of code", `\`\`\`json\n${RIGHT}\n\`\`\``],
    ["reasoning before it", `<think>{"n": 1} or so</think>${RIGHT}`],
    ["reasoning without its beginning", `{"n": 1} hm</think>${RIGHT}`],
    ["one that does not fit before it", `{"m": 1} ${RIGHT}`],
    ["braces in texts", `{"m": "}{"} ${RIGHT}`],
  ])("is understood through %s", async (_, text) => {
    await served.start([{ text }]);
    expect(await served.client().ask(request())).toMatchObject({ kind: "object", value: { n: 7 } });
  });

  it.each([
    ["reasoning that does not end", `<think>${RIGHT}`],
    ["a key that stands twice", '{"n": 1, "n": 7}'],
    ["half an object", '{"n": '],
    ["nothing", ""],
    ["an array", "[7]"],
  ])("is not understood through %s", async (_, text) => {
    await served.start([{ text }]);
    expect((await served.client().ask(request())).kind).toBe("wrong");
  });

  it("keeps integers exact", () => {
    const found = extractObject('{"n": 9007199254740993}', () => true);
    expect(found).toEqual({ kind: "object", value: { n: 9007199254740993n } });
  });
});
