// What a reader sees of each part of a question: its claim in a sentence that is shown, or the very list that it points at.
// A program reads the same of it. Values are those of payments.ts, by hand.
import { describe, expect, it } from "vitest";
import { type AskOptions, createAgent } from "../../src/agent/index.js";
import { PLAN, QUESTION } from "./payees.js";
import { MAY } from "./payments.js";
import { PaymentsSuite } from "./payments-suite.js";

const suite = PaymentsSuite.begin();

const MOST = { id: "c1", type: "entity", cell: "s1.rows[0].dst", rank: { by: "n", side: "max" } };
const PEOPLE = { id: "c2", type: "count", cell: "s1.rows_total" };
/** Of a row that is not there. */
const NONE = { id: "c9", type: "entity", cell: "s1.rows[7].dst" };

async function ask(question: string, plan: object, reports: readonly object[], options: AskOptions = {}) {
  await suite.play([plan], reports);
  const model = { base_url: suite.server.url, capability: "text" as const, retries: 0 };
  return (await createAgent(suite.db, { model, mode: "plan" }).ask(question, options)).answer;
}

/** What the model was told before it was asked for the second report. */
const toldAgain = (): string => suite.server.asked[2]!.body.messages.at(-1)!.content;

describe("a claim that no shown sentence says", () => {
  it.each([
    [
      "its sentence fell with another claim",
      "{c1} was paid the most, as was {c9}. {q1} paid {c2} people.",
      [MOST, PEOPLE, NONE],
      "c1",
    ],
    ["no sentence has it", "{q1} paid {c2} people.", [MOST, PEOPLE], "c1"],
    ["there is no sentence at all", "", [MOST, PEOPLE], "c1"],
    [
      "a sentence names its subject alone",
      "{q1} paid {c2} people, {c1.of} too.",
      [{ ...MOST, about: ["q1"] }, PEOPLE],
      "c1",
    ],
  ])("answers nothing: %s", async (_, text, claims, unsaid) => {
    const whole = { text: "{c1} was paid the most. {q1} paid {c2} people.", claims: [MOST, PEOPLE] };
    const answer = await ask(QUESTION, PLAN, [{ text, claims }, whole]);
    expect(toldAgain()).toContain(`"in_no_shown_sentence":"${unsaid}"`);
    expect(answer).toMatchObject({
      status: "answered",
      text: "Bo (`bo`) was paid the most. `ada` paid 3 people.",
      parts: [{ value: "bo" }, { value: 3 }],
    });
  });

  it("is said by code where the model never says it", async () => {
    const answer = await ask(QUESTION, PLAN, [{ text: "", claims: [MOST, PEOPLE] }]);
    expect(answer).toMatchObject({ status: "answered", text: "Bo (`bo`). 3.", parts: [{ value: "bo" }, { value: 3 }] });
  });
});

/** What ada paid between two days. */
const paidFrom = (id: string, from: string, to: string) => ({
  id,
  op: "aggregate_events",
  args: {
    window: { from: `${from}T00:00:00Z`, to: `${to}T00:00:00Z` },
    where: { src: { uids: ["ada"] } },
    aggregates: [{ fn: "count", as: "n" }],
  },
});
const [EARLY, LATE] = [paidFrom("s1", "2020-05-02", "2020-05-06"), paidFrom("s2", "2020-05-06", "2020-05-10")];
/** Three payments, then one. */
const compared = (fn: string) => ({
  thought: "",
  steps: [
    EARLY,
    LATE,
    { id: "s3", op: "compute", args: { fn, x: { $ref: "s1.rows[0].n" }, y: { $ref: "s2.rows[0].n" } } },
  ],
  answer: { kind: "value", from: "s3.value" },
});
const WENT = {
  text: "{c1}.",
  claims: [
    { id: "c1", type: "change", before: "s1.rows[0].n", after: "s2.rows[0].n", axis: "valid", direction: "down" },
  ],
};

describe("a value that is computed of two", () => {
  it("is a change where it is their difference", async () => {
    const answer = await ask("How much less did ada pay?", compared("diff"), [WENT]);
    expect(answer).toMatchObject({ status: "answered", parts: [{ value: "down" }] });
  });

  it.each([
    ["ratio", 3],
    ["percent", 300],
  ])("is a number, and no change, where it is a %s", async (fn, value) => {
    const answer = await ask("What is what ada paid, against later?", compared(fn), [WENT]);
    expect(answer).toMatchObject({ status: "answered", text: `${value}.`, parts: [{ value }] });
  });
});

it("is answered by a count, where the plan calls it a value", async () => {
  const plan = { thought: "", steps: [EARLY], answer: { kind: "value", from: "s1.rows[0].n" } };
  const report = {
    text: "{q1} paid {c1} times.",
    claims: [{ id: "c1", type: "count", cell: "s1.rows[0].n", about: ["q1"] }],
  };
  const answer = await ask("How often did ada pay?", plan, [report]);
  expect(answer).toMatchObject({ text: "`ada` paid 3 times.", parts: [{ kind: "value", value: 3, claim: "c1" }] });
});

describe("a list that code prints", () => {
  const QUESTION_OF_REACH = "Whom could ada reach in May 2020?";
  const reach = { id: "s1", op: "temporal_reachability", args: { uid: "ada", window: MAY } };
  const listed = (kind: string, from: string, steps: readonly object[] = [reach]) => ({
    thought: "",
    steps,
    answer: { kind, from },
  });
  const arrived = (uid: string, day: number): string =>
    `{"arrival":"2020-05-0${day}T00:00:00Z","departure":null,"hops":null,"of":"ada","uid":"${uid}"}`;
  const REACHED = [arrived("bo", 2), arrived("cy", 3), arrived("dan", 4)];

  it.each([
    ["a step", "table", "s1", REACHED],
    ["its rows", "table", "s1.rows", REACHED],
    ["a column", "series", "s1.rows[*].uid", ['"bo"', '"cy"', '"dan"']],
    ["a list beside the rows", "table", "s1.reached", ['{"count":3,"of":"ada"}']],
  ])("is the one that the part points at: %s", async (_, kind, from, lines) => {
    const answer = await ask(QUESTION_OF_REACH, listed(kind, from), []);
    expect(answer).toMatchObject({ status: "answered", text: lines.join("\n"), parts: [{ kind, from }] });
  });

  it("tells its instants in the zone of the question, in any of its lists", async () => {
    const told = { id: "s1", op: "entity_history", args: { uid: "dan", include_edges: true } };
    const question = "What is there of dan, told in +02:00?";
    const answer = await ask(question, listed("table", "s1.edges", [told]), []);
    expect(answer.text).toContain('"valid_from":"2020-05-04T02:00:00+02:00"');
  });

  it("is what a LIMIT leaves of it", async () => {
    const tql = (from: string, kind: string, limit: string) => ({
      thought: "",
      tql: `CALL temporal_reachability(uid => 'ada') FOR VALID_TIME FROM TIMESTAMP '${MAY.from}' TO TIMESTAMP '${MAY.to}' ${limit}`,
      answer: { kind, from },
    });
    const asTable = await ask(QUESTION_OF_REACH, tql("rows", "table", "LIMIT 1 OFFSET 1"), [], { front: "tql" });
    expect(asTable).toMatchObject({ status: "answered", text: REACHED[1] });
    // Not all of those whom she reached.
    const asSet = await ask(QUESTION_OF_REACH, tql("rows[*].uid", "entity_set", "LIMIT 1"), [{}], { front: "tql" });
    expect(asSet).toMatchObject({ status: "abstained", could_not: [{ code: "page" }] });
    expect("value" in asSet.parts[0]!).toBe(false);
    const whole = await ask(QUESTION_OF_REACH, tql("rows[*].uid", "entity_set", "LIMIT 9"), [{}], { front: "tql" });
    expect(whole).toMatchObject({ status: "answered", parts: [{ value: ["bo", "cy", "dan"] }] });
  });

  it("is told to be empty", async () => {
    const later = { from: "2031-05-01T00:00:00Z", to: "2031-06-01T00:00:00Z" };
    const none = { ...reach, args: { ...reach.args, window: later } };
    const answer = await ask("Whom could ada reach in May 2031?", listed("table", "s1.rows", [none]), []);
    expect(answer).toMatchObject({ status: "answered", text: "no rows" });
  });

  it("has whole rows, however wide", async () => {
    const wide = {
      id: "s1",
      op: "aggregate_events",
      args: {
        window: MAY,
        group_by: [{ dim: "pair" }],
        aggregates: ["count", "min_gap", "mean_gap", "max_gap"].map((fn) => ({
          fn,
          as: `the_${fn}_of_all_that_was_paid`,
        })),
        order_by: [{ column: "the_count_of_all_that_was_paid", desc: true }],
      },
    };
    const answer = await ask("Who paid whom in May 2020?", listed("table", "s1.rows", [wide]), []);
    const [first] = answer.text.split("\n");
    // ada paid bo on the 2nd and on the 9th.
    expect(JSON.parse(first!)).toEqual({
      src: "ada",
      dst: "bo",
      the_count_of_all_that_was_paid: 2,
      the_min_gap_of_all_that_was_paid: "PT168H",
      the_mean_gap_of_all_that_was_paid: "PT168H",
      the_max_gap_of_all_that_was_paid: "PT168H",
    });
  });
});

describe("what a reporter is told of a step", () => {
  const toldOf = async (steps: readonly object[], from: string): Promise<string> => {
    await ask("Whom could ada reach in May 2020?", { thought: "", steps, answer: { kind: "count", from } }, [{}]);
    return suite.server.asked[1]!.body.messages.at(-1)!.content;
  };

  it("are its arguments that are no defaults, and each cell and row of any list with its path and type", async () => {
    const told = await toldOf(
      [{ id: "s1", op: "temporal_reachability", args: { uid: "ada", window: MAY, direction: "forward" } }],
      "s1.reached[0].count",
    );
    // The default is not among them.
    const args = `{"as_of_tt":"tx:2","limit":null,"uid":["ada"],"window":{"from":"${MAY.from}","to":"${MAY.to}"}}`;
    expect(told).toContain(
      `{"args":${args},"complete":true,"op":"temporal_reachability","rows_total":3,"status":"ok","step":"s1"}`,
    );
    expect(told).toContain('{"path":"s1.reached[0]","row":{"count":3,"of":"ada"}}');
    expect(told).toMatch(/"list":"s1\.reached",[^\n]*"count":"int/);
    expect(told).toMatch(/"list":"s1\.rows",[^\n]*"arrival":"instant/);
    expect(told).toMatch(/"path":"s1\.rows\[2\]","row":\{[^\n]*"uid":"dan"/);
  });
});
