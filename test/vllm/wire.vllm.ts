// The client against a real server: what it probes, streams, counts, cuts, refuses and cancels. The sense of answers is not
// looked at.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AskedSince } from "../../src/agent/asked-since.js";
import { type ModelConfig, tqlGrammar } from "../../src/agent/index.js";
import { shapeOf } from "../../src/agent/provider/capability.js";
import { readConfig } from "../../src/agent/provider/config.js";
import { type ModelRequest, Provider } from "../../src/agent/provider/provider.js";
import { MemoryCache } from "../../src/agent/provider/response-cache.js";
import { type ChatMessage, Wire } from "../../src/agent/provider/wire.js";
import { PalimpsestError } from "../../src/contract/errors.js";
import type { JsonObject } from "../../src/contract/values.js";
import { readGrammar } from "../agent/gbnf/notation.js";
import { recognise } from "../agent/gbnf/recognise.js";
import { type Served, SIZES, serve } from "./served.js";

const never = new AbortController().signal;
const NOTHING_ERASED = new AskedSince(() => ({ headTx: 1, erasures: [], chainAt: () => "" }));
const user = (content: string): ChatMessage => ({ role: "user", content });

/** One of three words, so that the least model ends soon. */
const CITY: JsonObject = {
  type: "object",
  properties: { city: { type: "string", enum: ["Oslo", "Lima", "Accra"] } },
  required: ["city"],
  additionalProperties: false,
};
const DESCRIBED: JsonObject = {
  type: "object",
  properties: {
    city: { type: "string", enum: ["Oslo", "Lima", "Accra"] },
    founded: { type: "integer", minimum: 1000, maximum: 2000 },
    tags: { type: "array", minItems: 1, maxItems: 3, items: { type: "string", maxLength: 12 } },
  },
  required: ["city", "founded", "tags"],
  additionalProperties: false,
};

function request(content: string, more: Partial<ModelRequest> = {}): ModelRequest {
  return {
    messages: [user(content)],
    schema: { name: "city", schema: CITY },
    fits: (value) => "city" in value,
    keyed: (text) => text,
    versions: {},
    signal: never,
    ...more,
  };
}

async function errorOf(work: Promise<unknown>): Promise<PalimpsestError> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(PalimpsestError);
  return error as PalimpsestError;
}

describe.each(SIZES)("the wire to the model %s", (size) => {
  let served: Served;
  beforeAll(async () => {
    served = await serve(size, 8_140);
  });
  afterAll(() => served?.stop());

  const config = (more: ModelConfig = {}) =>
    readConfig({ base_url: served.url, timeout_ms: 240_000, max_output_tokens: 256, ...more });
  const provider = (more: ModelConfig = {}): Provider => new Provider(config(more), null);

  /** How many requests vLLM is working on. */
  async function running(): Promise<number> {
    const text = await (await fetch(new URL("/metrics", served.url))).text();
    const counts = text.matchAll(/^vllm:num_requests_running\{[^}]*\} (\S+)$/gm);
    return Array.from(counts, ([, count]) => Number(count)).reduce((sum, count) => sum + count, 0);
  }

  it("finds the model and the length of its context", async () => {
    const { model, contextTokens } = await provider().model(never);
    expect(model).not.toBe("");
    if (served.isVllm) expect(contextTokens).toBe(Number(process.env.LLM_CONTEXT ?? 8_192));
  });

  it("probes that the server keeps answers to a schema", async () => {
    const rung = await provider().capability(never);
    console.log(`rung of ${size}: ${rung}`);
    if (served.isVllm) expect(rung).toBe("schema");
  });

  // The small model is none for calls of tools.
  it.each(size === "small" ? (["schema"] as const) : (["schema", "tool"] as const))(
    "gets an object of the schema by the rung %s",
    async (capability) => {
      const answer = await provider({ capability }).ask(
        request("Name a city in Norway, when it was founded, and two tags.", {
          schema: { name: "city", schema: DESCRIBED },
        }),
      );
      expect(answer).toMatchObject({ kind: "object" });
      const { city, founded, tags } = (
        answer as unknown as { value: { city: string; founded: number; tags: readonly string[] } }
      ).value;
      expect(["Oslo", "Lima", "Accra"]).toContain(city);
      expect(Number.isInteger(founded)).toBe(true);
      expect(tags.length).toBeGreaterThan(0);
      expect(tags.length).toBeLessThan(4);
    },
  );

  it("is kept to the grammar of TQL, in what it gives and in what was cut", async () => {
    const keeps = await provider().keepsGrammars(never);
    console.log(`grammars of ${size}: ${keeps}`);
    if (!served.isVllm && !keeps) return;
    expect(keeps).toBe(true);
    const whole = tqlGrammar();
    // The small model thinks without end: with no thoughts it comes to a statement.
    const thoughtless = whole.replace(/^thought ::= .*$/m, String.raw`thought ::= "\"\""`);
    const { model } = await provider().model(never);
    for (const [text, question] of [
      [whole, "Write a poem about the sea."],
      [thoughtless, "Write SELECT e.dst AS uid FROM EVENTS(PAID) AS e."],
      [thoughtless, "Whom does ana pay?"],
    ] as const) {
      const shape = shapeOf("grammar", { name: "statement", schema: {}, grammar: text });
      const answer = await new Wire(config()).complete(model, [user(question)], shape, 64, never);
      console.log(`${answer.finish_reason}: ${answer.text}`);
      // A character may be cut in two.
      const { isBegun, isWhole } = recognise(readGrammar(text), answer.text.replace(/\uFFFD+$/, ""));
      expect([isBegun, isWhole || answer.finish_reason === "length"], answer.text).toEqual([true, true]);
    }
  });

  it("reads a stream in pieces, with the tokens that the server counted", async () => {
    const { model } = await provider().model(never);
    const text = "Count from one to twenty in words.";
    const response = await fetch(`${served.url}/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ model, messages: [user(text)], temperature: 0, seed: 0, max_tokens: 48, stream: true }),
    });
    const lines = (await response.text()).split("\n").filter((line) => line.startsWith("data: {"));
    expect(lines.length).toBeGreaterThan(8);
    const pieces = lines.map(
      (line) => (JSON.parse(line.slice(6)) as { choices: { delta: { content?: string } }[] }).choices,
    );
    const raw = pieces.map(([choice]) => choice?.delta.content ?? "").join("");
    const answer = await new Wire(config()).complete(model, [user(text)], {}, 48, never);
    // One request at a time repeats its words at temperature 0.
    expect(answer.text).toBe(raw);
    expect(answer.usage?.prompt_tokens).toBeGreaterThan(5);
    expect(answer.usage?.completion_tokens).toBeGreaterThan(8);
    expect(answer.usage?.completion_tokens).toBeLessThanOrEqual(48);
    if (!served.isVllm) return;
    const tokenized = await fetch(new URL("/tokenize", served.url), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ model, messages: [user(text)], add_generation_prompt: true }),
    });
    const { count } = (await tokenized.json()) as { count: number };
    expect(answer.usage?.prompt_tokens).toBe(count);
  });

  it("says how much of a prompt the server had in its cache", async () => {
    const long = `Remember these words. ${"alpha beta gamma delta ".repeat(60)} Name a city.`;
    const own = provider();
    const first = await own.ask(request(long));
    const second = await own.ask(request(long));
    expect(first.usage.is_estimated).toBe(false);
    expect(second.usage.prompt_tokens).toBe(first.usage.prompt_tokens);
    if (served.isVllm) expect(second.usage.cached_tokens).toBeGreaterThan(100);
  });

  it("answers from its own cache without the server", async () => {
    const cached = new Provider(config(), new MemoryCache(NOTHING_ERASED));
    const first = await cached.ask(request("Name a city in Peru."));
    const second = await cached.ask(request("Name a city in Peru."));
    expect(second).toMatchObject({ kind: "object", value: (first as { value?: unknown }).value, usage: { calls: 0 } });
  });

  it("says that an answer was cut, after asking once with more room", async () => {
    const wants = {
      ...DESCRIBED,
      properties: {
        ...(DESCRIBED.properties as JsonObject),
        tags: { type: "array", minItems: 60, items: { type: "string", maxLength: 12 } },
      },
    };
    const cut = provider({ max_output_tokens: 8 }).ask(
      request("Name a city and sixty tags.", { schema: { name: "city", schema: wants } }),
    );
    expect(await errorOf(cut)).toMatchObject({ code: "E_LIMIT", details: { limit: "output_cut" } });
  });

  it("sends no prompt that is longer than the context, and is told so by the server where it did", async () => {
    const long = "word ".repeat(40_000);
    if (served.isVllm) {
      expect(await errorOf(provider().ask(request(long)))).toMatchObject({
        code: "E_LIMIT",
        details: { limit: "context" },
      });
    }
    const unaware = provider({ context_tokens: 10_000_000, capability: "schema" });
    const error = await errorOf(unaware.ask(request("word ".repeat(served.isVllm ? 40_000 : 400_000))));
    expect(error).toMatchObject({ code: "E_MODEL", details: { kind: "status", attempts: 1 } });
    expect((error.details as { status: number }).status).toBeGreaterThanOrEqual(400);
  });

  it("is told of a model that the server does not have", async () => {
    if (!served.isVllm) return;
    const other = provider({ model: "no-such-model", context_tokens: 4_096, capability: "schema" });
    expect(await errorOf(other.ask(request("Name a city.")))).toMatchObject({
      code: "E_MODEL",
      details: { status: 404, attempts: 1 },
    });
  });

  it("stops at once when it is cancelled, and so does the server", async () => {
    const controller = new AbortController();
    const wants: JsonObject = {
      type: "object",
      properties: { city: { type: "array", minItems: 500, items: { type: "string" } } },
      required: ["city"],
    };
    const asked = provider({ max_output_tokens: 2_048, capability: "schema" }).ask(
      request("Name five hundred cities.", { signal: controller.signal, schema: { name: "cities", schema: wants } }),
    );
    const failure = errorOf(asked);
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    if (served.isVllm) expect(await running()).toBe(1);
    const at = performance.now();
    controller.abort();
    expect((await failure).code).toBe("E_CANCELLED");
    expect(performance.now() - at).toBeLessThan(100);
    for (let waited = 0; served.isVllm && (await running()) > 0; waited += 1) {
      expect(waited).toBeLessThan(50);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  });

  it("passes members of `extra` on", async () => {
    if (!served.isVllm) return;
    const choice = { structured_outputs: { json: CITY } };
    const answer = await provider({ capability: "text", extra: choice }).ask(request("Say anything."));
    expect(answer).toMatchObject({ kind: "object" });
  });
});
