// The front that writes TQL: the same answers, plans and digests as the other one, what is wrong told with its place in the
// statement, and a system text whose examples and names are those of the language and of the registry.
import { describe, expect, it } from "vitest";
import { type AskOptions, createAgent } from "../../src/agent/index.js";
import { plannerSystem, wholePlanner } from "../../src/agent/prompt/systems.js";
import { roughTokens } from "../../src/agent/provider/tokens.js";
import { PalimpsestError } from "../../src/contract/errors.js";
import { lookUp, operatorNames } from "../../src/operators/registry.js";
import type { ModelServer } from "./model-server.js";
import { QUESTION, withArgs } from "./payees.js";
import { PaymentsSuite } from "./payments-suite.js";

const suite = PaymentsSuite.begin();

const MAY = "FOR VALID_TIME FROM DATE '2020-05-01' TO DATE '2020-06-01'";
const TQL = `SELECT e.dst AS uid, COUNT(*) AS n FROM EVENTS(PAID) ${MAY} AS e
WHERE e.src = 'ada' GROUP BY e.dst ORDER BY n DESC`;
const ANSWER = { kind: "value", from: "rows[0].uid", also: [{ kind: "count", from: "rows_total" }] };
const WRITTEN = { thought: "By receiver.", tql: TQL, answer: ANSWER };
/** The same as a plan. */
const SAME = {
  ...withArgs({
    where: { types: ["PAID"], src: { uids: ["ada"] } },
    order_by: [
      { column: "n", desc: true, nulls: "last" },
      { column: "dst", desc: false, nulls: "first" },
    ],
  }),
  thought: WRITTEN.thought,
};

/** Reports of nothing, so that code words the answer. */
function scripted(plans: readonly unknown[]): Promise<ModelServer> {
  return suite.play(plans, ["?"]);
}

function ask(question = QUESTION, options: AskOptions = {}) {
  const model = { base_url: suite.server.url, capability: "text", retries: 0 } as const;
  const agent = createAgent(suite.db, { model, front: "tql" });
  return agent.ask(question, options);
}

describe("a statement of TQL", () => {
  it("answers as the plan does, with the same digest of the plan", async () => {
    await scripted([WRITTEN, SAME]);
    const tql = await ask();
    const json = await ask(QUESTION, { front: "json" });
    expect(tql.answer).toMatchObject({
      status: "answered",
      text: "Bo (`bo`). 3.",
      parts: [{ value: "bo" }, { value: 3 }],
    });
    expect(json.answer.parts.map(({ value }) => value)).toEqual(["bo", 3]);
    expect(tql.trace!.plan_digest).toBe(json.trace!.plan_digest);
    expect(tql.answer.model.prompt_versions).toEqual(["planner-tql:2", "reporter:2"]);
    expect(tql.answer.attempts).toMatchObject([{ plan: { tql: TQL, answer: ANSWER }, violations: [] }]);
  });

  it.each<[string, string, object, unknown]>([
    ["a cell of a WITH name", "WITH top AS (%) SELECT 1 AS one", { kind: "value", from: "top.rows[0].uid" }, "bo"],
    ["the rows of a WITH name", "WITH top AS (%) SELECT 1 AS one", { kind: "count", from: "top.rows_total" }, 3],
    ["a column", "%", { kind: "entity_set", from: "rows[*].uid" }, ["bo", "cy", "dan"]],
    [
      "a field of a call",
      `CALL count_temporal_motifs(motif => 'a>b,a>c', delta => DURATION 'P7D', where => {src: {uids: ['ada']}}) ${MAY}`,
      { kind: "count", from: "count" },
      5,
    ],
    [
      "a field that YIELD names",
      `CALL count_temporal_motifs(motif => 'a>b,a>c', delta => DURATION 'P7D', where => {src: {uids: ['ada']}}) ${MAY} YIELD count AS pairs`,
      { kind: "count", from: "rows[0].pairs" },
      5,
    ],
    [
      "a column with a dot",
      `CALL aggregate_events(group_by => [{dim: 'prop', of: 'edge', prop: 'channel'}], aggregates => [{fn: 'count', as: 'n'}], order_by => [{column: 'n'}], where => {src: {uids: ['ada']}}) ${MAY}`,
      { kind: "value", from: "rows[0].edge.channel" },
      "card",
    ],
    [
      "a row with two ends",
      `CALL graph_metric_timeseries(metric => 'edge_event_count', stride => DURATION 'PT24H', where => {src: {uids: ['ada']}}) FOR VALID_TIME FROM DATE '2020-05-01' TO DATE '2020-06-01'`,
      { kind: "interval", from: "rows[1]" },
      { from: "2020-05-02T00:00:00Z", to: "2020-05-03T00:00:00Z" },
    ],
  ])("answers with %s", async (_, text, answer, value) => {
    await scripted([{ thought: "", tql: text.replace("%", TQL), answer }]);
    const asked = await ask("What of ada in May 2020?");
    expect(asked.answer.attempts[0]!.violations).toEqual([]);
    const found = asked.answer.parts[0]!.value;
    expect(Array.isArray(found) ? [...found].sort() : found).toEqual(value);
  });

  it("reads the store as it was at the pin of the question", async () => {
    await scripted([
      {
        thought: "",
        tql: "SELECT n.uid AS uid FROM NODES(Person) AS n",
        answer: { kind: "count", from: "rows_total" },
      },
      { thought: "", tql: "SELECT e.dst AS uid FROM EVENTS(PAID) AS e", answer: { kind: "count", from: "rows_total" } },
    ]);
    expect((await ask("How many?", { pin: "tx:1" })).answer.parts[0]!.value).toBe(4);
    // Nobody had paid then, and what nobody knows is told as such.
    const { answer } = await ask("How many?", { pin: "tx:1" });
    expect(answer.attempts[0]!.violations).toMatchObject([{ code: "E_SCHEMA", kind: "unknown_name", line: 1 }]);
  });
});

describe("wrong statements", () => {
  const saying = (tql: string, answer: object = ANSWER) => ({ thought: "", tql, answer });
  const onDay = (day: number): string =>
    `SELECT e.dst AS uid, COUNT(*) AS n FROM EVENTS(PAID) FOR VALID_TIME FROM DATE '2020-05-${day}' TO DATE '2020-06-01' AS e GROUP BY e.dst`;
  const MANY = Array.from({ length: 12 }, (_, i) => onDay(10 + i)).join(" UNION ");
  const WITH_LIMIT = `${TQL} LIMIT 5`;

  it.each<[string, unknown, object]>([
    ["no statement", { thought: "x", answer: ANSWER }, { code: "E_SCHEMA", kind: "no_plan" }],
    ["steps of a plan beside it", { ...WRITTEN, steps: [] }, { kind: "unknown_key", path: "/steps" }],
    ["columns of an answer", { ...WRITTEN, answer: { ...ANSWER, columns: [] } }, { path: "/answer/columns" }],
    ["a word that is none", saying(TQL.replace("GROUP", "GRUOP")), { code: "E_SYNTAX", line: 2, column: 21 }],
    ["a column that is none", saying(TQL.replace("e.src", "e.from")), { kind: "unknown_name", line: 2, column: 7 }],
    ["a type that is none", saying(TQL.replace("PAID", "PIAD")), { kind: "unknown_name", line: 1 }],
    ["a write", saying("INSERT (:Person {uid: 'eve'}) FOR VALID_TIME ALL"), { code: "E_READONLY", kind: "write" }],
    ["a write behind MATCH", saying("MATCH (n {uid: 'ada'}) ERASE n"), { code: "E_READONLY", kind: "write" }],
    ["a statement of a session", saying("SET TIME ZONE 'UTC'"), { code: "E_INVALID_ARG", kind: "session" }],
    ["SHOW", saying("SHOW TYPES"), { code: "E_INVALID_ARG", kind: "show" }],
    ["EXPLAIN", saying(`EXPLAIN ${TQL}`), { code: "E_INVALID_ARG", kind: "explain" }],
    ["two statements", saying(`${TQL}; ${TQL}`), { code: "E_SYNTAX", line: 2 }],
    ["a parameter", saying(TQL.replace("'ada'", "$who")), { code: "E_INVALID_ARG", kind: "parameter", line: 2 }],
    ["a long statement", saying(`${TQL} -- ${"x".repeat(4096)}`), { code: "E_LIMIT", kind: "tql_too_long" }],
    ["many calls", saying(MANY), { kind: "too_many_steps", path: "/tql" }],
    [
      "a path that is none",
      saying(TQL, { kind: "value", from: "rows[0]uid" }),
      { kind: "bad_path", path: "/answer/from" },
    ],
    [
      "a path to a column that is none",
      saying(TQL, { ...ANSWER, also: [{ kind: "count", from: "rows[0].m" }] }),
      { code: "E_SCHEMA", kind: "unknown_name", path: "/answer/also/0/from" },
    ],
    [
      "a path to a name that is none",
      saying(TQL, { kind: "value", from: "tpo.rows[0].uid" }),
      { kind: "unknown_name" },
    ],
    [
      "a kind that does not fit",
      saying(TQL, { kind: "count", from: "rows[*].uid" }),
      {
        kind: "kind_mismatch",
        path: "/answer/from",
        step: null,
        message: "rows[*].uid is list of string, which is no answer of kind count",
      },
    ],
    [
      "an invented id",
      saying(TQL.replace("'ada'", "'zoe'")),
      { kind: "ungrounded_uid", path: "/tql", line: 2, column: 15 },
    ],
    [
      "an invented id inside the text of a select",
      saying(`SELECT u.uid AS uid, u.n AS n FROM (${WITH_LIMIT}) AS u WHERE u.uid <> 'dan' ORDER BY n DESC`),
      { kind: "ungrounded_uid", path: "/tql", message: 'select query: nobody named "dan"' },
    ],
    [
      "a search that nobody asked for",
      saying(`WITH who AS (CALL resolve_entities(query => 'Zebedee')) ${TQL.replace("'ada'", "who.rows[0].uid")}`),
      { kind: "ungrounded_query", path: "/tql", line: 1 },
    ],
    [
      "a pin after the question",
      saying(TQL.replace(MAY, `${MAY} FOR TRANSACTION_TIME AS OF TX 9`)),
      { code: "E_TX_UNKNOWN" },
    ],
    ["a mention left out", saying(TQL.replace(MAY, "")), { kind: "unused_mention" }],
  ])("are told what is wrong, and mended: %s", async (_, wrong, violation) => {
    const { asked } = await scripted([wrong, WRITTEN]);
    const { answer } = await ask();
    expect(answer.attempts[0]!.violations).toContainEqual(expect.objectContaining(violation));
    expect(answer).toMatchObject({ status: "answered", parts: [{ value: "bo" }, { value: 3 }] });
    const repair = asked[1]!.body.messages;
    expect(repair.map(({ role }) => role)).toEqual(["system", "user", "assistant", "user"]);
    const { kind, line } = answer.attempts[0]!.violations[0]!;
    expect(repair[3]!.content).toContain(kind);
    if (line !== undefined) expect(repair[3]!.content).toContain(`"line":${line}`);
  });

  it("may name in the text of a select what the question names, and numbers and instants count as used there", async () => {
    const tql = `WITH paid AS (SELECT e.dst AS uid, e.src AS payer, e.at AS at FROM EVENTS(PAID) AS e LIMIT 100)
SELECT p.uid AS uid, COUNT(*) AS n FROM paid AS p
WHERE p.payer = 'ada' AND p.at >= TIMESTAMP '2020-05-01T00:00:00Z' AND p.at < TIMESTAMP '2020-06-01T00:00:00Z' GROUP BY p.uid HAVING n > 1`;
    await scripted([{ thought: "", tql, answer: { kind: "count", from: "rows_total" } }]);
    const { answer } = await ask("How many people did ada pay more than 1 time in May 2020?");
    expect(answer.attempts[0]!.violations).toEqual([]);
    // There is no report here.
    expect(answer.notices).toEqual(["words: code (no_report)"]);
    expect(answer.parts[0]!.value).toBe(1);
  });
});

describe("the text for the planner", () => {
  const { text } = plannerSystem(wholePlanner("tql"));

  it("keeps to its size", () => {
    expect(roughTokens(text)).toBeLessThanOrEqual(4_000);
    const brief = plannerSystem({ front: "tql", operators: new Set(["co_active"]), examples: 2, question: null });
    expect(brief.text).toContain("co_active(");
    expect(brief.text).not.toContain("entity_history(");
  });

  it("names operators, arguments and fields that are there", () => {
    const lines = [...text.matchAll(/^([a-z_]+)\(([^)]*)\)/gm)];
    const known = new Set(operatorNames());
    const named = lines.filter(([, name]) => known.has(name!));
    expect(named.length).toBeGreaterThanOrEqual(16);
    for (const [, name, args] of named) {
      const { declaration } = lookUp(name!);
      const schema = JSON.stringify(declaration.args);
      for (const arg of args!.split(", ")) expect(schema, `${name} ${arg}`).toContain(`"${arg.replace("*", "")}"`);
    }
  });
});

it("refuses a front that is none", async () => {
  await scripted([WRITTEN]);
  expect(() => createAgent(suite.db, { model: { base_url: suite.server.url }, front: "sql" as never })).toThrow(
    PalimpsestError,
  );
  await expect(ask(QUESTION, { front: "sql" as never })).rejects.toMatchObject({ code: "E_INVALID_ARG" });
});
