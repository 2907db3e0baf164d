// How closely servers are asked to keep a model to the form of plans and of turns: which schema is sent, that it has only
// keywords which all of them know, and that no right plan falls outside the closest one.
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { fullPlanSchema } from "../../src/agent/fronts/full-schema.js";
import { planShape } from "../../src/agent/fronts/json-front.js";
import { createAgent, type FrontName, type Guided, type Mode } from "../../src/agent/index.js";
import { turnSchema } from "../../src/agent/loop/turn.js";
import { JSON_EXAMPLES } from "../../src/agent/prompt/json-examples.js";
import type { Database } from "../../src/index.js";
import { DECLARATIONS } from "../../src/operators/registry.js";
import { type Asked, ModelServer } from "./model-server.js";
import { onePersonStore } from "./one-person.js";
import { ORACLE_PLANS } from "./oracle-plans.js";

const full = fullPlanSchema(12).schema;
const fullTurn = turnSchema("full")!.schema;

/** Section 4 of the agent's design: what every server knows. */
const KEYWORDS = new Set([
  "type",
  "enum",
  "const",
  "anyOf",
  "properties",
  "required",
  "additionalProperties",
  "items",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
]);
const TYPES = new Set(["object", "array", "string", "integer", "number", "boolean", "null"]);

/** Keywords and types of a schema at every depth; the names of members are no keywords. */
function used(schema: unknown, keywords = new Set<string>(), types = new Set<unknown>()) {
  for (const [keyword, value] of Object.entries(schema as Record<string, unknown>)) {
    keywords.add(keyword);
    if (keyword === "type") types.add(value);
    const inner = keyword === "properties" ? Object.values(value as object) : keyword === "anyOf" ? value : [];
    for (const each of inner as unknown[]) used(each, keywords, types);
    if (keyword === "items") used(value, keywords, types);
  }
  return { keywords, types };
}

describe("the schemas", () => {
  it.each([
    ["shape", planShape(12).schema],
    ["full", full],
    ["a turn's shape", turnSchema("shape")!.schema],
    ["a full turn", fullTurn],
  ])("%s: are objects of known keywords", (_, schema) => {
    const { keywords, types } = used(schema);
    expect([...keywords].filter((keyword) => !KEYWORDS.has(keyword))).toEqual([]);
    expect([...types].filter((type) => !TYPES.has(type as string))).toEqual([]);
    expect(schema.type).toBe("object");
  });

  it("have a form for every operator, and a bound on their size", () => {
    const { items } = (full.properties as unknown as { steps: { items: { anyOf: { properties: object }[] } } }).steps;
    const ops = items.anyOf.map(({ properties }) => (properties as { op: { const: string } }).op.const);
    expect(ops.sort()).toEqual(DECLARATIONS.map(({ name }) => name).sort());
    for (const schema of [full, fullTurn]) expect(JSON.stringify(schema).length).toBeLessThan(400_000);
  });
});

describe("the closest schema", () => {
  const fits = new Ajv2020({ strict: false }).compile(full);
  const plan = (op: string, args: object) => ({
    thought: "",
    steps: [{ id: "s1", op, args }],
    answer: { kind: "table", from: "s1" },
  });

  it.each(ORACLE_PLANS)("holds $name", ({ plan: right }) => {
    fits({ thought: "", ...right });
    expect(fits.errors).toBeNull();
  });

  it.each(JSON_EXAMPLES)("holds the example: $kind", ({ written }) => {
    fits(written);
    expect(fits.errors).toBeNull();
  });

  const fitsTurn = new Ajv2020({ strict: false }).compile(fullTurn);
  it.each(ORACLE_PLANS)("of turns holds $name, call by call", ({ plan: { steps, answer } }) => {
    const calls = steps.map(({ op, args }) => ({ thought: "", tasks: ["count"], call: { op, args } }));
    for (const turn of [...calls, { finish: { answer } }]) {
      fitsTurn(turn);
      expect(fitsTurn.errors).toBeNull();
    }
  });

  it.each<[string, object, boolean]>([
    ["a statement of TQL", { op: "query_tql", args: { query: "SELECT 1 AS x" } }, true],
    ["a statement with parameters", { op: "query_tql", args: { query: "SELECT $x AS x", params: {} } }, false],
    ["arguments of another operator", { op: "entity_history", args: { motif: "a>b" } }, false],
    ["an operator that there is not", { op: "count", args: {} }, false],
  ])("of turns says of %s whether it is legal", (_, call, isLegal) => {
    expect(fitsTurn({ call })).toBe(isLegal);
  });

  const WINDOW = { from: "2020-01-01", to: "2021-01-01" };
  const COUNT = [{ fn: "count", as: "n" }];
  it.each<[string, string, object, boolean]>([
    ["an argument that is none", "aggregate_events", { aggregates: COUNT, groups: [] }, false],
    ["an argument of the wrong type", "aggregate_events", { aggregates: COUNT, window: "2020" }, false],
    ["a word that is none", "aggregate_events", { aggregates: [{ fn: "total" }] }, false],
    ["a required argument left out", "temporal_reachability", { window: WINDOW }, false],
    ["a reference in place of a value", "temporal_reachability", { uid: { $ref: "s1.rows[0].uid" } }, true],
    [
      "a reference in place of an element",
      "snapshot_subgraph",
      { seeds: [{ $ref: "s1.uid" }], at: "2020-01-01" },
      true,
    ],
    ["a reference in place of a word", "temporal_paths", { src: "a", dst: "b", criterion: { $ref: "s1.x" } }, false],
    ["a key beside a reference", "temporal_reachability", { uid: { $ref: "s1.uid", x: 1 } }, false],
    [
      "a condition on a property",
      "aggregate_events",
      { aggregates: COUNT, where: { edge: [{ prop: "p", op: "eq", value: 1 }] } },
      true,
    ],
    [
      "one of two conditions",
      "aggregate_events",
      { aggregates: COUNT, where: { edge: [{ any: [{ prop: "p", op: "is_null" }] }] } },
      true,
    ],
    [
      "a condition that is none",
      "aggregate_events",
      { aggregates: COUNT, where: { edge: [{ prop: "p", op: "like", value: 1 }] } },
      false,
    ],
  ])("says of %s whether it is legal", (_, op, args, isLegal) => {
    expect(fits(plan(op, args))).toBe(isLegal);
  });
});

describe("an agent", () => {
  let db: Database;
  let server: ModelServer;
  beforeAll(async () => {
    db = await onePersonStore();
  });
  afterAll(() => db.close());
  afterEach(() => server.stop());

  async function sent(front: FrontName, guided?: Guided, mode: Mode = "plan"): Promise<Asked["body"]> {
    server = await ModelServer.start(() => ({ text: "{}" }));
    const model = { base_url: server.url, model: "scripted", context_tokens: 32_768, capability: "schema" as const };
    const agent = createAgent(db, { model, front, mode, ...(guided === undefined ? {} : { guided }) });
    await agent.ask("Who?");
    return server.asked[0]!.body;
  }
  const schemaOf = ({ response_format: format }: Asked["body"]): unknown => format?.json_schema?.schema;

  it("asks for the shape of plans, for all of them, or for nothing", async () => {
    expect(schemaOf(await sent("json"))).toEqual(planShape(12).schema);
    await server.stop();
    expect(schemaOf(await sent("json", "full"))).toEqual(full);
    await server.stop();
    const free = await sent("json", "off");
    expect(free.response_format).toBeUndefined();
    expect(free.tools).toBeUndefined();
  });

  it("asks in the other front for three members, or for nothing", async () => {
    const shape = schemaOf(await sent("tql")) as { properties: object; required: string[] };
    expect(Object.keys(shape.properties)).toEqual(["thought", "tql", "answer"]);
    expect(shape.required).toEqual(["thought", "tql", "answer"]);
    await server.stop();
    expect((await sent("tql", "off")).response_format).toBeUndefined();
  });

  it("asks for turns of a loop as closely as for plans", async () => {
    for (const [guided, schema] of [
      [undefined, turnSchema("shape")!.schema],
      ["full", fullTurn],
      ["off", undefined],
    ] as const) {
      expect(schemaOf(await sent("json", guided, "loop"))).toEqual(schema);
      await server.stop();
    }
    await sent("json");
  });

  it("refuses what is neither", async () => {
    await sent("json");
    expect(() => createAgent(db, { guided: "some" as never })).toThrow(/guided some is none/);
  });
});
