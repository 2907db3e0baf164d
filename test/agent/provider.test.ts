// The client of a model's server against scripted servers over real HTTP: every way to answer, to refuse and to break.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { AskedSince } from "../../src/agent/asked-since.js";
import { type ModelConfig, readConfig } from "../../src/agent/provider/config.js";
import { extractObject } from "../../src/agent/provider/extract.js";
import { AttemptFailure, isRetried, retryAfterOf, waitMs } from "../../src/agent/provider/failure.js";
import { type ModelRequest, Provider } from "../../src/agent/provider/provider.js";
import { MemoryCache, type ResponseCache, StoreCache } from "../../src/agent/provider/response-cache.js";
import { PalimpsestError } from "../../src/contract/errors.js";
import type { JsonObject } from "../../src/contract/values.js";
import type { Erasure } from "../../src/derived/erasures.js";
import { Store } from "../../src/store/store.js";
import { ModelServer, onlyValue, type Reply, type Script } from "./model-server.js";

const SCHEMA: JsonObject = {
  type: "object",
  properties: { n: { type: "integer" } },
  required: ["n"],
  additionalProperties: false,
};
const RIGHT = '{"n":7}';
const NOTHING_ERASED = new AskedSince(() => ({ headTx: 1, erasures: [], chainAt: () => "" }));

let server: ModelServer | null = null;
afterEach(async () => {
  await server?.stop();
  server = null;
});

async function started(script: Script | readonly Reply[]): Promise<ModelServer> {
  const replies = script as readonly Reply[];
  server = await ModelServer.start(
    typeof script === "function" ? script : (_, position) => replies[Math.min(position, replies.length - 1)]!,
  );
  return server;
}

const KEY = "sk-very-secret";

function provider(config: Partial<ModelConfig> = {}, cache: ResponseCache | null = null): Provider {
  const read = readConfig({ base_url: server!.url, api_key: KEY, capability: "text", retries: 2, ...config }, {});
  // Without jitter the least wait is half a second; a test of retries has a random of its own.
  return new Provider(read, cache, () => -0.98);
}

function request(more: Partial<ModelRequest> = {}): ModelRequest {
  return {
    messages: [
      { role: "system", content: "plan" },
      { role: "user", content: "q TAG1" },
    ],
    schema: { name: "plan", schema: SCHEMA },
    fits: (value) => typeof value.n === "number",
    keyed: (text) => text.replaceAll("TAG1", "TAG"),
    versions: { prompt: 1 },
    signal: new AbortController().signal,
    ...more,
  };
}

async function failure(work: Promise<unknown>): Promise<PalimpsestError> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(PalimpsestError);
  return error as PalimpsestError;
}

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
      const { asked } = await started([{ text: RIGHT }]);
      const answer = await provider({ seed: 3 }).ask(request());
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
    await started([
      { text: RIGHT, usage },
      { text: RIGHT, usage: null },
    ]);
    const asking = provider();
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
    await started([{ text: RIGHT }]);
    server!.models = [{ id: "a" }, { id: "b" }];
    expect((await failure(provider().ask(request()))).code).toBe("E_INVALID_ARG");
    expect(await provider({ model: "b" }).model(request().signal)).toEqual({ model: "b", contextTokens: 8_192 });
  });

  it.each([
    ["prose around it", `Sure! Here it is:\n${RIGHT}\nAnything else?`],
    ["a fence of code", `\`\`\`json\n${RIGHT}\n\`\`\``],
    ["reasoning before it", `<think>{"n": 1} or so</think>${RIGHT}`],
    ["reasoning without its beginning", `{"n": 1} hm</think>${RIGHT}`],
    ["one that does not fit before it", `{"m": 1} ${RIGHT}`],
    ["braces in texts", `{"m": "}{"} ${RIGHT}`],
  ])("is understood through %s", async (_, text) => {
    await started([{ text }]);
    expect(await provider().ask(request())).toMatchObject({ kind: "object", value: { n: 7 } });
  });

  it.each([
    ["reasoning that does not end", `<think>${RIGHT}`],
    ["a key that stands twice", '{"n": 1, "n": 7}'],
    ["half an object", '{"n": '],
    ["nothing", ""],
    ["an array", "[7]"],
  ])("is not understood through %s", async (_, text) => {
    await started([{ text }]);
    expect((await provider().ask(request())).kind).toBe("wrong");
  });

  it("keeps integers exact", () => {
    const found = extractObject('{"n": 9007199254740993}', () => true);
    expect(found).toEqual({ kind: "object", value: { n: 9007199254740993n } });
  });
});

describe("the ladder of capabilities", () => {
  const probes =
    (obeys: (asked: Parameters<Script>[0]) => unknown | Reply): Script =>
    (asked) => {
      const given = obeys(asked);
      return typeof given === "object" && given !== null && "status" in given
        ? (given as Reply)
        : { text: JSON.stringify(given), asTool: asked.body.tools !== undefined };
    };

  it.each<[string, Script, string]>([
    [
      "schema, where it is enforced",
      probes(({ body }) => onlyValue(body.response_format!.json_schema!.schema)),
      "schema",
    ],
    [
      "tool, where a schema is accepted and ignored",
      probes(({ body }) =>
        body.tools === undefined ? { word: "hello" } : onlyValue(body.tools[0]!.function.parameters),
      ),
      "tool",
    ],
    [
      "tool, where response_format is refused",
      probes(({ body }) =>
        body.tools === undefined ? { status: 400 } : onlyValue(body.tools[0]!.function.parameters),
      ),
      "tool",
    ],
    ["text, where both are ignored", probes(() => ({ word: "hello" })), "text"],
    ["text, where both are refused", probes(() => ({ status: 422 })), "text"],
  ])("finds %s", async (_, script, rung) => {
    const { asked } = await started(script);
    const asking = provider({ capability: undefined as never });
    expect(await asking.capability(request().signal)).toBe(rung);
    const count = asked.length;
    expect(await asking.capability(request().signal)).toBe(rung);
    expect(asked.length).toBe(count);
    for (const { body } of asked) expect(body.tools !== undefined && body.response_format !== undefined).toBe(false);
  });

  it("does not take a server that is down for one without", async () => {
    await started([{ status: 401 }]);
    const error = await failure(provider({ capability: undefined as never }).capability(request().signal));
    expect(error).toMatchObject({ code: "E_MODEL", details: { kind: "status", status: 401 } });
  });
});

describe("a server that fails", () => {
  const OK: Reply = { text: RIGHT };

  it.each<[string, Reply]>([
    ["429", { status: 429 }],
    ["500", { status: 500 }],
    ["503", { status: 503 }],
    ["408", { status: 408 }],
    ["409", { status: 409 }],
    ["a stream without a finish reason", { text: RIGHT, finish: null }],
    ["a stream that is cut in a token", { text: RIGHT, cutAfter: 0 }],
    ["an error in the stream", { raw: 'data: {"error": {"message": "boom"}}\n\n' }],
    ["no JSON in the stream", { raw: "data: {not json}\n\n" }],
  ])("is asked again after %s", async (_, bad) => {
    const { asked } = await started([bad, bad, OK]);
    const told: string[] = [];
    const answer = await provider().ask(request({ onRetry: (attempt, kind) => told.push(`${attempt} ${kind}`) }));
    expect(answer).toMatchObject({ kind: "object", usage: { retries: 2, calls: 1 } });
    expect(asked).toHaveLength(3);
    expect(told).toHaveLength(2);
  });

  it.each([400, 401, 403, 404, 422])("is not asked again after %i", async (status) => {
    const { asked } = await started([{ status }]);
    const error = await failure(provider().ask(request()));
    expect(error).toMatchObject({ code: "E_MODEL", details: { kind: "status", status, attempts: 1 } });
    expect(asked).toHaveLength(1);
  });

  it.each([
    [401, "PALIMPSEST_LLM_KEY"],
    [403, "PALIMPSEST_LLM_KEY"],
    [404, "name of the model"],
    [400, "log of the model's server"],
  ])("says where to look after %i", async (status, where) => {
    await started([{ status }]);
    expect((await failure(provider().ask(request()))).hint).toContain(where);
  });

  it("is given up when the retries are spent", async () => {
    const { asked } = await started([{ status: 500 }]);
    const error = await failure(provider().ask(request()));
    expect(error).toMatchObject({ code: "E_MODEL", details: { kind: "status", status: 500, attempts: 3 } });
    expect(asked).toHaveLength(3);
  });

  it("is given the time that it asks for, also by other questions", async () => {
    const { asked } = await started((_, position) =>
      position === 0 ? { status: 429, headers: { "retry-after": "1" } } : OK,
    );
    const asking = provider();
    const beganMs = performance.now();
    const first = asking.ask(request());
    while (asked.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await new Promise((resolve) => setTimeout(resolve, 50));
    await Promise.all([first, asking.ask(request())]);
    expect(performance.now() - beganMs).toBeGreaterThan(950);
    expect(asked).toHaveLength(3);
  });

  it("is cut off when it sends without end", async () => {
    await started([{ raw: `data: {"choices": [{"delta": {"content": "${"x".repeat(2_000_000)}"}}]}\n\n` }]);
    const line = await failure(provider({ retries: 0 }).ask(request()));
    expect(line).toMatchObject({ code: "E_MODEL", details: { kind: "too_large" } });
    for (const raw of [`: ${"x".repeat(900_000)}\n\n`.repeat(10), "\n".repeat(300_000)]) {
      server!.script = () => ({ raw });
      const body = await failure(provider({ retries: 0 }).ask(request()));
      expect(body).toMatchObject({ code: "E_MODEL", details: { kind: "too_large" } });
    }
  });

  it("may not lead elsewhere", async () => {
    await started([{ status: 302, headers: { location: "http://127.0.0.1:1/" } }]);
    const error = await failure(provider().ask(request()));
    expect(error).toMatchObject({ code: "E_MODEL", details: { kind: "redirect" } });
  });

  it("may not nest its answers without end", async () => {
    await started([{ raw: `data: {"a": ${"[".repeat(500)}${"]".repeat(500)}}\n\n` }]);
    const error = await failure(provider({ retries: 0 }).ask(request()));
    expect(error).toMatchObject({ code: "E_MODEL", details: { kind: "bad_stream" } });
  });

  it("that is not there is told, and holds neither key nor address", async () => {
    const probe = createServer();
    await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
    const { port } = probe.address() as { port: number };
    await new Promise((resolve) => probe.close(resolve));
    const read = readConfig(
      { base_url: `http://127.0.0.1:${port}/v1`, model: "m", api_key: KEY, retries: 0, capability: "text" },
      {},
    );
    const error = await failure(new Provider(read, null).ask(request()));
    expect(error).toMatchObject({ code: "E_MODEL", details: { kind: "connection", attempts: 1 } });
    expect(JSON.stringify([error.message, error.details, error.hint, error.stack])).not.toContain(KEY);
  });

  it("that is slow ends with the attempt's time", async () => {
    await started([{ text: RIGHT, firstAfterMs: 5_000 }]);
    const beganMs = performance.now();
    const error = await failure(provider({ timeout_ms: 200, retries: 0 }).ask(request()));
    expect(error).toMatchObject({ code: "E_MODEL", details: { kind: "timeout" } });
    expect(performance.now() - beganMs).toBeLessThan(2_000);
  });

  it("that trickles ends with the attempt's time, too", async () => {
    await started([{ text: "x".repeat(1000), pieceLength: 1, pieceAfterMs: 20 }]);
    const error = await failure(provider({ timeout_ms: 300, retries: 0 }).ask(request()));
    expect(error).toMatchObject({ code: "E_MODEL", details: { kind: "timeout" } });
  });
});

describe("answers that are cut", () => {
  it("is given up where an answer stops in its middle, and not while a long prompt is read", async () => {
    await started([{ text: RIGHT, firstAfterMs: 400 }]);
    expect(await provider({ idle_ms: 150, retries: 0 }).ask(request())).toMatchObject({ kind: "object" });
    await server!.stop();
    await started([{ text: RIGHT, pieceAfterMs: 1_000, pieceLength: 2 }]);
    const error = await failure(provider({ idle_ms: 150, retries: 0 }).ask(request()));
    expect(error).toMatchObject({ code: "E_MODEL", details: { kind: "idle" } });
  });

  it("are asked for once more with twice the room", async () => {
    const { asked } = await started([{ text: '{"n":', finish: "length" }, { text: RIGHT }]);
    const answer = await provider({ max_output_tokens: 100 }).ask(request());
    expect(answer).toMatchObject({ kind: "object", usage: { calls: 2 } });
    expect(asked.map(({ body }) => body.max_tokens)).toEqual([100, 200]);
  });

  it("are E_LIMIT when they are cut again", async () => {
    await started([{ text: '{"n":', finish: "length" }]);
    expect(await failure(provider().ask(request()))).toMatchObject({
      code: "E_LIMIT",
      details: { limit: "output_cut" },
    });
  });
});

describe("prompts that are too long", () => {
  it("are not sent", async () => {
    const { asked } = await started([{ text: RIGHT }]);
    server!.models = [{ id: "small", max_model_len: 4_096 }];
    const long = request({ messages: [{ role: "user", content: "word ".repeat(4_000) }] });
    expect(await failure(provider().ask(long))).toMatchObject({
      code: "E_LIMIT",
      details: { limit: "context", context_tokens: 4_096 },
    });
    expect(asked).toHaveLength(0);
    expect((await provider().ask(request())).kind).toBe("object");
  });
});

describe("cancelling", () => {
  it.each<[string, Reply]>([
    ["before the first byte", { text: RIGHT, firstAfterMs: 60_000 }],
    ["in the stream", { text: "x".repeat(10_000), pieceLength: 1, pieceAfterMs: 10 }],
    ["while it waits to try again", { status: 429, headers: { "retry-after": "50" } }],
  ])("%s takes less than 100 ms, and the server hears of it", { retry: 2 }, async (_, reply) => {
    await started([reply]);
    const controller = new AbortController();
    const asking = provider().ask(request({ signal: controller.signal }));
    const settled = failure(asking);
    await new Promise((resolve) => setTimeout(resolve, 200));
    const beganMs = performance.now();
    controller.abort();
    expect((await settled).code).toBe("E_CANCELLED");
    expect(performance.now() - beganMs).toBeLessThan(100);
    for (let turn = 0; turn < 100 && server!.running > 0; turn += 1)
      await new Promise((resolve) => setTimeout(resolve, 10));
    expect(server!.running).toBe(0);
  });

  it("while the server is probed leaves the probe to others", async () => {
    await started(({ body }) => ({ text: body.tools === undefined ? RIGHT : "{}", firstAfterMs: 50 }));
    const asking = provider({ capability: undefined as never });
    const controller = new AbortController();
    const first = failure(asking.ask(request({ signal: controller.signal })));
    const second = asking.ask(request());
    await new Promise((resolve) => setTimeout(resolve, 30));
    controller.abort();
    expect((await first).code).toBe("E_CANCELLED");
    expect(await second).toMatchObject({ kind: "object", rung: "text" });
  });

  it("leaves the others alone, and no more run at once than may", async () => {
    await started([{ text: RIGHT, firstAfterMs: 100 }]);
    const asking = provider({ in_flight: 2, model: "m", context_tokens: 100_000 });
    const controller = new AbortController();
    const all = [request({ signal: controller.signal }), ...Array.from({ length: 5 }, () => request())].map((each) =>
      asking.ask(each),
    );
    controller.abort();
    const outcomes = await Promise.allSettled(all);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", ...Array(5).fill("fulfilled")]);
    expect(server!.mostRunning).toBeLessThanOrEqual(2);
  });
});

describe("the cache of answers", () => {
  it("has one key for requests that differ in their fence alone", async () => {
    const { asked } = await started([{ text: RIGHT }]);
    const asking = provider({}, new MemoryCache(NOTHING_ERASED));
    const other = (content: string, tag: string) =>
      request({ messages: [{ role: "user", content }], keyed: (text) => text.replaceAll(tag, "TAG") });
    await asking.ask(other("data-aaa q", "aaa"));
    const again = await asking.ask(other("data-bbb q", "bbb"));
    expect(again).toMatchObject({ value: { n: 7 }, usage: { calls: 0 } });
    await asking.ask(other("data-ccc r", "ccc"));
    await asking.ask({ ...other("data-ddd q", "ddd"), versions: { prompt: 2 } });
    expect(asked).toHaveLength(3);
  });

  it("keeps no answer that was cut or failed", async () => {
    const { asked } = await started([
      { text: "{", finish: "length" },
      { text: RIGHT },
      { text: "{", finish: "length" },
      { text: RIGHT },
    ]);
    const asking = provider({}, new MemoryCache(NOTHING_ERASED));
    await asking.ask(request());
    await asking.ask(request());
    // The first, its longer repeat, and the first again: the repeat has a key of its own.
    expect(asked).toHaveLength(3);
  });

  it("in the store's folder outlives the process, and holds no key", async () => {
    const folder = mkdtempSync(join(tmpdir(), "palimpsest-cache-"));
    try {
      const store = await Store.open(folder, {});
      const { asked } = await started([{ text: RIGHT }]);
      const cache = () => new StoreCache(store.derived!, NOTHING_ERASED);
      await provider({}, cache()).ask(request());
      await provider({}, cache()).ask(request());
      expect(asked).toHaveLength(1);
      const answers = join(folder, "agent/answers");
      const files = readdirSync(answers);
      expect(files).toHaveLength(1);
      const held = readFileSync(join(answers, files[0]!), "utf8");
      expect(held).not.toContain(KEY);
      expect(held).not.toContain("127.0.0.1");
      writeFileSync(join(answers, files[0]!), held.replace("7", "8"));
      await provider({}, cache()).ask(request());
      expect(asked).toHaveLength(2);
      await store.close();
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it("forgets what came before an erasure, also in answers to questions that went on meanwhile", async () => {
    const { asked } = await started([{ text: RIGHT }]);
    let erasures: Erasure[] = [];
    let headTx = 4;
    const since = new AskedSince(() => ({ headTx, erasures, chainAt: () => "" }));
    const asking = provider({}, new MemoryCache(since));
    await asking.ask(request());
    await asking.ask(request());
    expect(asked).toHaveLength(1);
    await since.during(async () => {
      erasures = [{ tx: 5, firstTx: 2 }];
      headTx = 5;
      await asking.ask(request());
      await asking.ask(request());
      expect(asked).toHaveLength(3);
    });
    await asking.ask(request());
    await asking.ask(request());
    expect(asked).toHaveLength(4);
  });
});

describe("configuration", () => {
  it("comes from the options, then from PALIMPSEST_LLM_*, and never from OPENAI_*", () => {
    const environment = {
      PALIMPSEST_LLM_URL: "http://h:1/v1/",
      PALIMPSEST_LLM_MODEL: "m",
      PALIMPSEST_LLM_KEY: "k",
      OPENAI_API_KEY: "no",
      OPENAI_BASE_URL: "http://no",
    };
    expect(readConfig({}, environment)).toMatchObject({ base_url: "http://h:1/v1", model: "m", api_key: "k" });
    expect(readConfig({ base_url: "https://o/v1", model: "n" }, environment)).toMatchObject({
      base_url: "https://o/v1",
      model: "n",
    });
    expect(readConfig({ base_url: "http://h" }, { OPENAI_API_KEY: "no" }).api_key).toBeNull();
  });

  it.each<[string, ModelConfig]>([
    ["no address", {}],
    ["no URL", { base_url: "127.0.0.1:8000" }],
    ["another scheme", { base_url: "file:///etc/passwd" }],
    ["a password in the address", { base_url: "http://me:secret@h/v1" }],
    ["a query in the address", { base_url: "http://h/v1?key=secret" }],
    ["retries below 0", { base_url: "http://h", retries: -1 }],
    ["a temperature of no number", { base_url: "http://h", temperature: Number.NaN }],
    ["a temperature as a text", { base_url: "http://h", temperature: "0" as never }],
    ["an unknown rung", { base_url: "http://h", capability: "magic" as never }],
    ["a member that there is not", { base_url: "http://h", apiKey: "secret" } as ModelConfig],
    ["a key that is no text", { base_url: "http://h", api_key: { secret: 1 } as never }],
    ["a model that is no text", { base_url: "http://h", model: 7 as never }],
    ["members for requests that are no object", { base_url: "http://h", extra: "secret" as never }],
    ["null for an object", null as never],
  ])("is refused with %s, which the error does not repeat", (_, config) => {
    let error: unknown;
    try {
      readConfig(config, {});
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toMatchObject({ code: "E_INVALID_ARG" });
    expect((error as Error).message).not.toContain("secret");
  });
});

describe("waits", () => {
  it("double up to 20 s, with jitter of a half, and obey the server up to a minute", () => {
    const failed = new AttemptFailure("status", "", 500);
    expect([1, 2, 3, 6, 7, 12].map((attempt) => waitMs(failed, attempt, () => 1))).toEqual([
      500, 1000, 2000, 16000, 20000, 20000,
    ]);
    expect(waitMs(failed, 1, () => 0)).toBe(250);
    expect(waitMs(new AttemptFailure("status", "", 429, 3_000), 1, () => 1)).toBe(3_000);
    expect(waitMs(new AttemptFailure("status", "", 429, 300_000), 1, () => 1)).toBe(60_000);
  });

  it("read seconds and dates", () => {
    const now = Date.parse("2026-01-01T00:00:00Z");
    expect(retryAfterOf("2", now)).toBe(2_000);
    expect(retryAfterOf("Thu, 01 Jan 2026 00:00:05 GMT", now)).toBe(5_000);
    expect(retryAfterOf("soon", now)).toBeNull();
    expect(retryAfterOf(null, now)).toBeNull();
  });

  it("follow what another attempt may mend", () => {
    expect(isRetried(new AttemptFailure("too_large", ""))).toBe(false);
    expect(isRetried(new AttemptFailure("idle", ""))).toBe(true);
  });
});
