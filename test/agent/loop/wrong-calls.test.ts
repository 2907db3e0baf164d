// Calls and ends that do not hold: each is told what is wrong, and is no step.
import { describe, expect, it } from "vitest";
import { MAY } from "../payments.js";
import { finish, LoopSuite, payees, RIGHT } from "./asking.js";

const suite = LoopSuite.begin();

/** The report speaks of May, which no claim was asked with then. */
const BY_CODE = expect.stringMatching(/^words: code \(.*untied/);

describe("calls that do not hold", () => {
  it.each<[string, unknown, string]>([
    ["an unknown tool", { call: { op: "find", args: { uid: "ada" } } }, "unknown_operator"],
    ["arguments that are none", payees("ada", { windows: MAY }), "unknown_argument"],
    ["arguments that are no object", { call: { op: "compute", args: [1] } }, "wrong_argument"],
    ["an invented id", payees("zoe"), "ungrounded_uid"],
    [
      "a search for what nobody named",
      { call: { op: "resolve_entities", args: { query: "Zoe" } } },
      "ungrounded_query",
    ],
    ["a reference to no step", payees({ $ref: "s7.rows[0].dst" }), "unknown_step"],
    ["a reference to no row", payees({ $ref: "s1.rows[9].dst" }), "run_error"],
    ["a pin after the question", payees("ada", { as_of_tt: "2200-01-01T00:00:00Z" }), "pin_after_ask"],
    ["a commit that is not there", payees("ada", { as_of_tt: "tx:9" }), "unknown_commit"],
    ["no JSON", "I would look at ada", "no_call"],
    ["no call", { thought: "hm" }, "no_call"],
    ["a call and a finish", { ...payees("ada"), ...finish("count", "s1.rows_total") }, "two_turns"],
    ["a member that is none", { ...payees("ada"), result: 3 }, "unknown_key"],
    [
      "an answer with a member that is none",
      { finish: { answer: { kind: "count", from: "s1.rows_total", value: 3 } } },
      "unknown_key",
    ],
    ["an answer that points nowhere", finish("value", "s1.rows[0].account"), "unknown_field"],
    ["an answer of another kind", finish("count", "s1.rows"), "kind_mismatch"],
    ["an answer that no row gives", finish("value", "s1.rows[8].dst"), "run_error"],
  ])("are told, and are no step: %s", async (_, wrong, kind) => {
    await suite.playTurns([RIGHT[0], wrong, RIGHT[1], RIGHT[2]]);
    const { answer } = await suite.ask();
    expect(answer).toMatchObject({ status: "answered", parts: [{ value: "bo" }, { value: ["cy"] }] });
    expect(answer.plan!.steps.map(({ id }) => id)).toEqual(["s1", "s2"]);
    expect(suite.lastTold(2)).toContain(kind);
    expect(suite.lastTold(2)).toContain("Turns left: 14.");
    expect(answer.attempts.flatMap(({ violations }) => violations.map((violation) => violation.kind))).toContain(kind);
  });

  it("do not stop an answer that leaves out a mention twice, which is said", async () => {
    const every = payees("ada", { window: null });
    const end = finish("value", "s1.rows[0].dst");
    await suite.playTurns([every, end, { thought: "still", ...end }]);
    const { answer } = await suite.ask({}, {}, "Whom did ada pay most often in May 2020?");
    expect(suite.lastTold(2)).toContain("unused_mention");
    expect(answer).toMatchObject({ status: "answered", notices: ["ignored: q2", BY_CODE], parts: [{ value: "bo" }] });
  });
});

it("is told once of a mention that is left out, though plans give way to calls", async () => {
  const { call } = payees("ada", { window: null });
  const end = finish("value", "s1.rows[0].dst");
  const plan = { thought: "", steps: [{ id: "s1", ...call }], answer: end.finish.answer };
  await suite.playTurns([plan, "no plan", { call }, end]);
  const { answer } = await suite.ask({ mode: "auto" }, { repairs: 1 }, "Whom did ada pay most often in May 2020?");
  expect(suite.lastTold(1)).toContain("unused_mention");
  expect(answer.attempts.flatMap(({ violations }) => violations.map(({ kind }) => kind))).toEqual([
    "unused_mention",
    "no_plan",
  ]);
  expect(answer).toMatchObject({ status: "answered", notices: ["ignored: q2", BY_CODE], parts: [{ value: "bo" }] });
});
