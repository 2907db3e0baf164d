// The grammar of the TQL front at servers: sent alone where a server keeps to grammars, which is found by asking; where one does
// not know it, or refuses it, the schema in its place, and a notice.
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { AskedSince } from "../../src/agent/asked-since.js";
import { type AgentOptions, createAgent, type ModelConfig, tqlGrammar } from "../../src/agent/index.js";
import { readConfig } from "../../src/agent/provider/config.js";
import { type ModelRequest, Provider } from "../../src/agent/provider/provider.js";
import { MemoryCache } from "../../src/agent/provider/response-cache.js";
import type { Database } from "../../src/index.js";
import { type Asked, ModelServer, onlyValue, type Reply } from "./model-server.js";
import { onePersonStore } from "./one-person.js";

let db: Database;
let server: ModelServer;
beforeAll(async () => {
  db = await onePersonStore();
});
afterAll(() => db.close());
afterEach(() => server?.stop());

const grammarOf = ({ body }: Asked): string | undefined =>
  (body.structured_outputs as { grammar?: string } | undefined)?.grammar;
const isProbe = ({ body }: Asked): boolean => body.messages[0]!.content.includes('"hello"');
const ANSWER = {
  thought: "",
  tql: "SELECT n.uid AS uid FROM NODES(Person) AS n",
  answer: { kind: "entity_set", from: "rows[*].uid" },
};

/** A server that does with a grammar what `grammar` says, keeps to schemas, and else writes the answer. */
async function started(grammar: "kept" | "ignored" | number): Promise<ModelServer> {
  server = await ModelServer.start((asked): Reply => {
    const given = grammarOf(asked);
    if (given !== undefined && typeof grammar === "number") return { status: grammar };
    if (!isProbe(asked))
      return { text: asked.body.messages[0]!.content.includes("You word") ? "?" : JSON.stringify(ANSWER) };
    const schema = asked.body.response_format?.json_schema?.schema;
    if (schema !== undefined) return { text: JSON.stringify(onlyValue(schema)) };
    const [, text] = /^root ::= "(.*)"$/.exec(given ?? "") ?? [];
    return { text: grammar === "kept" && text !== undefined ? text.replaceAll('\\"', '"') : '{"word": "hello"}' };
  });
  return server;
}

const modelOf = (more: ModelConfig = {}): ModelConfig => ({ base_url: server.url, retries: 0, ...more });
const agentOf = (more: AgentOptions = {}) =>
  createAgent(db, { model: modelOf(), front: "tql", mode: "plan", guided: "grammar", ...more });
const plans = (): readonly Asked[] =>
  server.asked.filter(
    (asked) => !isProbe(asked) && asked.body.messages[0]!.content.includes("You write one statement"),
  );

/** The server writes no report. */
const BY_CODE = "words: code (no_report)";

describe("a server that keeps to a grammar", () => {
  it("is sent that of TQL, and nothing beside it", async () => {
    await started("kept");
    const { answer } = await agentOf({
      model: modelOf({ extra: { response_format: { type: "json_object" }, tools: [] } }),
    }).ask("Who?");
    expect(answer).toMatchObject({ status: "answered", parts: [{ value: ["ada"] }], notices: [BY_CODE] });
    const [plan] = plans();
    expect(grammarOf(plan!)).toBe(tqlGrammar());
    for (const { body } of server.asked.filter((asked) => grammarOf(asked) !== undefined)) {
      expect(body).not.toHaveProperty("response_format");
      expect(body).not.toHaveProperty("tools");
      expect(body).not.toHaveProperty("tool_choice");
    }
  });

  it("is asked once whether it does", async () => {
    await started("kept");
    const agent = agentOf();
    await agent.ask("Who?");
    await agent.ask("Who is there?");
    expect(server.asked.filter((asked) => isProbe(asked) && grammarOf(asked) !== undefined)).toHaveLength(1);
    expect(plans()).toHaveLength(2);
  });

  it("is sent the shape for turns of a loop, and asked for no grammar", async () => {
    await started("kept");
    const { answer } = await agentOf({ mode: "loop" }).ask("Who?");
    expect(server.asked.every((asked) => grammarOf(asked) === undefined)).toBe(true);
    expect(answer.notices.filter((notice) => notice.startsWith("guided"))).toEqual([]);
  });
});

describe.each(["ignored", 400, 422] as const)("a server by which a grammar is %s", (how) => {
  it("is sent the schema, and the answer says so", async () => {
    await started(how);
    const { answer } = await agentOf().ask("Who?");
    expect(answer).toMatchObject({
      status: "answered",
      notices: [BY_CODE, "guided: shape, as the server keeps to no grammar"],
    });
    const [plan] = plans();
    expect(grammarOf(plan!)).toBeUndefined();
    expect(Object.keys(plan!.body.response_format!.json_schema!.schema.properties!)).toEqual([
      "thought",
      "tql",
      "answer",
    ]);
  });
});

describe("a server that fails at the probe", () => {
  it.each([401, 500])("is none without grammars: %s", async (status) => {
    await started(status);
    await expect(agentOf().ask("Who?")).rejects.toMatchObject({ code: "E_MODEL", details: { status } });
  });
});

it("does not go with plans in JSON", async () => {
  await started("kept");
  const refusal = {
    code: "E_INVALID_ARG",
    message: expect.stringContaining("statements of TQL"),
    hint: expect.stringContaining('front "tql"'),
  };
  for (const front of [{}, { front: "json" as const }])
    expect(() => createAgent(db, { model: modelOf(), guided: "grammar", ...front })).toThrow(
      expect.objectContaining(refusal),
    );
  await expect(agentOf().ask("Who?", { front: "json" })).rejects.toMatchObject(refusal);
  expect(server.asked).toEqual([]);
});

it("is a part of what answers are kept by", async () => {
  await started("kept");
  const cache = new MemoryCache(new AskedSince(() => ({ headTx: 1, erasures: [], chainAt: () => "" })));
  const provider = new Provider(readConfig(modelOf({ capability: "schema" })), cache);
  const schema = { name: "statement", schema: { type: "object" } };
  const request = (more: object): ModelRequest => ({
    messages: [{ role: "user", content: "Who?" }],
    schema: { ...schema, ...more },
    fits: () => true,
    keyed: (text) => text,
    versions: {},
    signal: new AbortController().signal,
  });
  const calls = [];
  for (const more of [{}, { grammar: tqlGrammar() }, { grammar: 'root ::= "{}"' }, { grammar: tqlGrammar() }, {}])
    calls.push((await provider.ask(request(more))).usage.calls);
  expect(calls).toEqual([1, 1, 1, 0, 0]);
});
