// The agent's own checks of plans: whoever is named is named by the question, by the caller or by the card, and what the
// question names is in the plan, whatever its form. Plans here are written by hand, and need no store.
import { expect, it } from "vitest";
import { assumptionsOf } from "../../src/agent/plan-assumptions.js";
import { agentViolations, type PlanContext, unusedMentions } from "../../src/agent/plan-checks.js";
import type { Mention, MentionKind } from "../../src/agent/types.js";
import type { JsonObject, JsonValue } from "../../src/contract/values.js";
import type { Plan } from "../../src/plan/index.js";

const COUNT = [{ fn: "count", as: "n" }];
const plan = (op: string, args: JsonObject): Plan => ({
  steps: [{ id: "s1", op, args }],
  answer: { kind: "table", from: "s1" },
});
const where = (given: JsonObject): Plan => plan("aggregate_events", { where: given, aggregates: COUNT });
/** A select over a scan that hands on one property. */
const select = (query: string): Plan => ({
  steps: [
    { id: "s0", op: "scan", args: { of: "events", columns: ["src", "props.channel"] } },
    { id: "s1", op: "select", args: { query, tables: { e: { $ref: "s0" } } } },
  ],
  answer: { kind: "table", from: "s1" },
});

const SCAN = { id: "s0", op: "scan", args: { of: "events", columns: ["src", "props.channel"] } };
/** A step over a scan that hands on one property. */
const over = (op: string, args: JsonObject): Plan => ({
  steps: [SCAN, { id: "s1", op, args }],
  answer: { kind: "table", from: "s1" },
});
const filtered = (test: JsonValue, input = "s0.rows"): Plan =>
  over("compute", { fn: "filter", input: { $ref: input }, test });
/** A step that renames, and one that holds the new name against a text. */
const renamed = (args: JsonObject, field: string): Plan => ({
  steps: [
    { id: "s2", op: "compute", args: { fn: "filter", input: { $ref: "s1.rows" }, test: held({ field }, "cheque") } },
    ...over("compute", { input: { $ref: "s0.rows" }, ...args }).steps,
  ],
  answer: { kind: "table", from: "s2" },
});
const held = (to: JsonObject, value: JsonValue, fn = "eq"): JsonObject => ({ fn, args: [to, { value }] });
const CHANNEL = { field: "props.channel" };
const grouped = (having: JsonObject): Plan =>
  plan("aggregate_events", {
    group_by: [{ dim: "prop", of: "edge", prop: "channel" }, { dim: "type" }],
    aggregates: [...COUNT, { fn: "last", prop: "channel", as: "newest" }],
    having: [having],
  });

const context = (question: string, more: Partial<PlanContext> = {}): PlanContext => ({
  question,
  mentions: [],
  entities: [],
  askTx: 3,
  askTimeUs: 1_600_000_000_000_000n,
  shownValues: (prop) => (prop === "channel" ? ["card", "transfer"] : []),
  ...more,
});

const kinds = (of: Plan, given: PlanContext): string[] => agentViolations(of, given, true).map(({ kind }) => kind);

const channel = (op: string, value: JsonValue): JsonObject => ({ prop: "channel", op, value });

it.each<[string, Plan, string[]]>([
  ["one that the question has", where({ edge: [channel("eq", "cash")] }), []],
  ["one that it has in other letters", where({ edge: [channel("eq", "CASH")] }), []],
  ["one that the card shows", where({ edge: [channel("eq", "transfer")] }), []],
  [
    "one that the card shows of another property",
    where({ edge: [{ prop: "name", op: "eq", value: "card" }] }),
    ["ungrounded_text"],
  ],
  ["one that nobody named", where({ edge: [channel("eq", "cheque")] }), ["ungrounded_text"]],
  ["one of a list", where({ edge: [channel("in", ["cash", "cheque"])] }), ["ungrounded_text"]],
  ["the beginning of one", where({ edge: [channel("starts_with", "che")] }), ["ungrounded_text"]],
  ["one inside other conditions", where({ edge: [{ any: [{ not: channel("eq", "cheque") }] }] }), ["ungrounded_text"]],
  ["one of a node", where({ src: { props: [channel("eq", "cheque")] } }), ["ungrounded_text"]],
  ["one of another end", where({ node: { props: [channel("ne", "cheque")] } }), ["ungrounded_text"]],
  ["one that comes by reference", where({ edge: [channel("eq", { $ref: "s0.rows[0].c" })] }), []],
  ["a number", where({ edge: [{ prop: "amount", op: "gt", value: 5 }] }), []],
  [
    "one in the text of a select",
    select(`SELECT e.src FROM e WHERE e."props.channel" = 'cheque'`),
    ["ungrounded_text"],
  ],
  [
    "one in a list there",
    select(`SELECT e.src FROM e WHERE e."props.channel" IN ('cash', 'cheque')`),
    ["ungrounded_text"],
  ],
  [
    "one there under the property's own name",
    select("SELECT e.src FROM e WHERE e.channel LIKE 'che%'"),
    ["ungrounded_text"],
  ],
  [
    "one there of what is made of it",
    select("SELECT e.src FROM e WHERE UPPER(e.channel) = 'CHEQUE'"),
    ["ungrounded_text"],
  ],
  ["one there of another column", select("SELECT e.src FROM e WHERE e.reason = 'cheque'"), []],
  ["one there that the question has", select(`SELECT e.src FROM e WHERE e."props.channel" = 'cash'`), []],
  [
    "one there under another name",
    select("SELECT x.c FROM (SELECT UPPER(e.channel) AS c FROM e) AS x WHERE x.c = 'cheque'"),
    ["ungrounded_text"],
  ],
  [
    "one there of what is made by cases",
    select(
      "SELECT x.c FROM (SELECT CASE WHEN e.channel = 'cash' THEN 'a' ELSE 'b' END AS c FROM e) AS x WHERE x.c = 'b'",
    ),
    [],
  ],
  ["one in an expression", filtered(held(CHANNEL, "cheque")), ["ungrounded_text"]],
  ["one in an expression around it", filtered(held({ fn: "lower", args: [CHANNEL] }, "cheque")), ["ungrounded_text"]],
  [
    "one in a part of an expression",
    filtered({ fn: "not", args: [held(CHANNEL, "che", "contains")] }),
    ["ungrounded_text"],
  ],
  [
    "one of single cells",
    filtered(held({ field: "value" }, "cheque"), "s0.rows[*].props.channel"),
    ["ungrounded_text"],
  ],
  ["one in an expression that the question has", filtered(held(CHANNEL, "cash")), []],
  ["one in an expression of another column", filtered(held({ field: "src" }, "cheque")), []],
  [
    "one of a column that was renamed",
    renamed({ fn: "project", fields: [{ from: "props.channel", as: "c" }] }, "c"),
    ["ungrounded_text"],
  ],
  [
    "one of a column that was made of it",
    renamed({ fn: "derive", columns: [{ as: "c", expr: { fn: "lower", args: [CHANNEL] } }] }, "c"),
    ["ungrounded_text"],
  ],
  [
    "one of the greatest of a group",
    renamed({ fn: "group", by: ["src"], aggregates: [{ fn: "max", field: "props.channel", as: "c" }] }, "c"),
    ["ungrounded_text"],
  ],
  [
    "one of a count of it",
    renamed({ fn: "group", by: ["src"], aggregates: [{ fn: "count", field: "props.channel", as: "c" }] }, "c"),
    [],
  ],
  ["one of a group", grouped({ column: "edge.channel", op: "eq", value: "cheque" }), ["ungrounded_text"]],
  ["one of the last of a group", grouped({ column: "newest", op: "eq", value: "cheque" }), ["ungrounded_text"]],
  ["one of a group that the card shows", grouped({ column: "edge.channel", op: "eq", value: "card" }), []],
  ["one of another column of a group", grouped({ column: "type", op: "eq", value: "PAID" }), []],
  ["a text there that is held against nothing", select("SELECT 'large' AS size FROM e"), []],
])("texts that a property is held against: %s", (_, of, found) => {
  expect(kinds(of, context("How many payments were in cash?"))).toEqual(found);
});

it("texts that a property is held against may be those of the caller's entities", () => {
  const of = where({ src: { props: [{ prop: "name", op: "eq", value: "Ada L" }] } });
  expect(kinds(of, context("Who?", { entities: ["Ada L"] }))).toEqual([]);
  const [violation] = agentViolations(where({ edge: [channel("eq", "cheque")] }), context("Who?"), true);
  expect(violation).toEqual({
    code: "E_GROUNDING",
    kind: "ungrounded_text",
    step: "s1",
    path: "/steps/0/args/where/edge/0/value",
    message: 'nobody named "cheque"',
    hint: "hold channel against a text of the question, or what the card shows of channel: card, transfer",
  });
});

it("the question is read once for all texts of a plan, which a model may write by the thousand", () => {
  let readings = 0;
  const counted = Object.defineProperty(context(""), "question", {
    get: () => {
      readings += 1;
      return "How many payments were in cash?";
    },
  });
  const of = where({ edge: Array.from({ length: 1_000 }, (_, i) => channel("eq", `c${i}`)) });
  expect(agentViolations(of, counted, true)).toHaveLength(1_000);
  expect(readings).toBe(1);
});

it.each<[string, string, string[]]>([
  ["a name of the question", "ada l", []],
  ["a part of it", "Ada", []],
  ["a name of nobody", "Zebedee", ["ungrounded_query"]],
  // Full case folding: https://www.unicode.org/Public/15.0.0/ucd/CaseFolding.txt
  ["a name with a letter that is two capitals", "STRASSE", []],
  ["one with its capital", "STRA\u1E9EE", []],
  ["a name with a letter that has two small forms", "\u039F\u0394\u039F\u03A3", []],
  ["a name with a dotted capital, which is another", "\u0130da", ["ungrounded_query"]],
  ["a name with an i that has no dot, which is another", "Ad\u0131l", ["ungrounded_query"]],
])("searches: %s", (_, query, found) => {
  const question = "Whom did Ada L, Adil and Stra\u00DFe pay, and \u03BF\u03B4\u03BF\u03C2?";
  expect(kinds(plan("resolve_entities", { query }), context(question))).toEqual(found);
});

it.each<[string, JsonObject, string[]]>([
  ["the commit of the question", { as_of_tt: "tx:3" }, []],
  ["a later commit", { as_of_tt: "tx:4" }, ["pin_after_ask"]],
  ["a later instant", { as_of_tt: "2021-01-01T00:00:00Z" }, ["pin_after_ask"]],
  ["an earlier instant", { as_of_tt: "2020-01-01" }, []],
  ["a later commit further in", { left: { as_of_tt: "tx:1" }, right: { as_of_tt: "tx:9" } }, ["pin_after_ask"]],
])("pins: %s", (_, args, found) => {
  expect(kinds(plan("diff_snapshots", args), context("What differs?"))).toEqual(found);
});

const mention = (kind: MentionKind, text: string, more: Partial<Mention> = {}): Mention => ({
  id: "q1",
  kind,
  text,
  span: [0, text.length],
  ...more,
});
const WINDOW = { from: "2004-06-01T00:00:00Z", to: "2004-06-08T00:00:00Z" };

it.each<[string, Mention, Plan, boolean]>([
  ["a uid", mention("uid", "5", { uid: "5" }), where({ src: { uids: ["5"] } }), true],
  [
    "a uid that is only a part of another",
    mention("uid", "5", { uid: "5" }),
    where({ src: { uids: ["1598"] } }),
    false,
  ],
  ["a uid in a select", mention("uid", "5", { uid: "5" }), select("SELECT e.dst FROM e WHERE e.src = '5'"), true],
  ["a name by its uid", mention("name", "Ada", { uid: "a1" }), where({ src: { uids: ["a1"] } }), true],
  ["a name in a search", mention("name", "Ada"), plan("resolve_entities", { query: "Ada L" }), true],
  ["a name left out", mention("name", "Ada", { uid: "a1" }), where({}), false],
  ["a window by one end", mention("window", "june", { value: WINDOW }), plan("scan", { at: "2004-06-01" }), true],
  [
    "a window in a select",
    mention("window", "june", { value: WINDOW }),
    select("SELECT e.src FROM e WHERE e.at < DATE '2004-06-08'"),
    true,
  ],
  ["a window left out", mention("window", "june", { value: WINDOW }), plan("scan", { at: "2004-06-02" }), false],
  [
    "an instant in another form",
    mention("instant", "noon", { value: "2004-06-01T12:00:00Z" }),
    plan("scan", { at: "2004-06-01T14:00:00+02:00" }),
    true,
  ],
  [
    "a duration in another form",
    mention("duration", "a day", { value: "PT24H" }),
    plan("scan", { stride: "P1D" }),
    true,
  ],
  [
    "a duration in a select",
    mention("duration", "an hour", { value: "PT1H" }),
    select("SELECT e.at + DURATION 'PT60M' AS x FROM e"),
    true,
  ],
  ["a duration left out", mention("duration", "a day", { value: "PT24H" }), plan("scan", { stride: "PT1H" }), false],
  ["a number", mention("number", "3", { value: 3 }), plan("scan", { limit: 3 }), true],
  [
    "a number in a select",
    mention("number", "3", { value: 3 }),
    select("SELECT e.src, COUNT(*) AS n FROM e GROUP BY e.src HAVING n > 3"),
    true,
  ],
  ["a number that is only in a date", mention("number", "3", { value: 3 }), plan("scan", { at: "2003-03-03" }), false],
  [
    "what stands behind a reference",
    mention("number", "3", { value: 3 }),
    plan("scan", { limit: { $ref: "s3.rows[3].n" } }),
    false,
  ],
  ["a quoted text, which may be a title", mention("quoted", "cash"), where({}), true],
])("mentions: %s", (_, given, of, isUsed) => {
  expect(unusedMentions(of, [given])).toEqual(isUsed ? [] : [given]);
  const found = agentViolations(of, context(`${given.text} L`, { mentions: [given] }), true);
  expect(found.map(({ kind, code, hint }) => [kind, code, hint])).toEqual(
    isUsed ? [] : [["unused_mention", "E_PLAN_INVALID", `q1 is the ${given.kind} ${JSON.stringify(given.text)}`]],
  );
  expect(agentViolations(of, context(`${given.text} L`, { mentions: [given] }), false)).toEqual([]);
});

it("mentions: a bare number that is a uid, too, is used by either", () => {
  const both = [mention("uid", "35", { uid: "35" }), { ...mention("number", "35", { value: 35 }), id: "q2" as const }];
  expect(unusedMentions(plan("scan", { limit: 35 }), both)).toEqual([]);
  expect(unusedMentions(where({ src: { uids: ["35"] } }), both)).toEqual([]);
  expect(unusedMentions(where({}), both)).toEqual(both);
});

it("what a plan takes for granted are the instants and numbers that the question does not name", () => {
  const given = [mention("window", "june", { value: WINDOW }), mention("number", "3", { value: 3 })];
  const of: Plan = {
    steps: [
      { id: "s1", op: "scan", args: { valid: { window: { from: "2004-06-01", to: "2004-07-01" } }, limit: 3 } },
      { id: "s2", op: "select", args: { query: "SELECT e.src FROM e WHERE e.n > 7 LIMIT 3", tables: {} } },
    ],
    answer: { kind: "table", from: "s2" },
  };
  expect(assumptionsOf(of, given, "UTC")).toEqual(["s1 valid.window.to = 2004-07-01", "s2 query = 7"]);
});

it("what a plan takes for granted are also years with a sign, and commits", () => {
  const asked = (args: JsonObject): readonly string[] =>
    assumptionsOf(plan("scan", args), [mention("number", "5", { value: 5 })], "UTC");
  expect(asked({ at: "-0043-03-15T00:00:00Z" })).toEqual(["s1 at = -0043-03-15T00:00:00Z"]);
  expect(asked({ to: "+10000-01-01T00:00:00Z" })).toEqual(["s1 to = +10000-01-01T00:00:00Z"]);
  expect(asked({ as_of_tt: "tx:4" })).toEqual(["s1 as_of_tt = tx:4"]);
  expect(asked({ as_of_tt: "tx:5" })).toEqual([]);
});
