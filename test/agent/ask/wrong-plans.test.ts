// Plans that do not hold: what is told of them, and when their repair ends.
import { describe, expect, it } from "vitest";
import { PLAN, QUESTION, withArgs } from "../payees.js";
import { QuestionSuite } from "./asking.js";

const suite = QuestionSuite.begin();

describe("wrong plans", () => {
  it.each<[string, unknown, string]>([
    ["no JSON", "I think it is bo", "no_plan"],
    ["no steps", { thought: "x" }, "no_plan"],
    ["a member that is none", { ...PLAN, result: 3 }, "unknown_key"],
    ["an operator that is none", { ...PLAN, steps: [{ ...PLAN.steps[0], op: "find" }] }, "unknown_operator"],
    ["an invented id", withArgs({ where: { src: { uids: ["zoe"] } } }), "ungrounded_uid"],
    [
      "a text that nobody named",
      withArgs({ where: { src: { uids: ["ada"], props: [{ prop: "name", op: "eq", value: "Zoe" }] } } }),
      "ungrounded_text",
    ],
    ["a path that is none", { ...PLAN, answer: { kind: "value", from: "s1.rows[0].account" } }, "unknown_field"],
    ["a kind that does not fit", { ...PLAN, answer: { kind: "count", from: "s1.rows" } }, "kind_mismatch"],
    [
      "an id of a step that is none",
      { ...PLAN, steps: [{ ...PLAN.steps[0], id: "first" }], answer: { kind: "count", from: "first.rows_total" } },
      "bad_id",
    ],
    ["a mention left out", withArgs({ window: null }), "unused_mention"],
    ["a commit that is not there", withArgs({ as_of_tt: "tx:9" }), "unknown_commit"],
    ["a pin after the question", withArgs({ as_of_tt: "2200-01-01T00:00:00Z" }), "pin_after_ask"],
  ])("are told what is wrong, and mended: %s", async (_, wrong, kind) => {
    const { asked } = await suite.play([wrong, PLAN]);
    const answer = await suite.ask();
    expect(answer.status).toBe("answered");
    expect(answer.attempts[0]!.violations.map((violation) => violation.kind)).toContain(kind);
    const repair = asked[1]!.body.messages;
    expect(repair.map(({ role }) => role)).toEqual(["system", "user", "assistant", "user"]);
    expect(repair[3]!.content).toContain(kind);
  });

  it("end when the repairs are spent, or the same comes again", async () => {
    const { asked } = await suite.play([
      { ...PLAN, result: 1 },
      { ...PLAN, result: 2 },
      { ...PLAN, result: 3 },
      { ...PLAN, result: 4 },
    ]);
    const answer = await suite.ask(QUESTION, { mode: "plan" });
    expect(answer).toMatchObject({ status: "failed", plan: null, could_not: [{ code: "E_PLAN_INVALID" }] });
    expect(asked).toHaveLength(4);
    const again = await suite.play([{ ...PLAN, result: 1 }]);
    await suite.ask(QUESTION, { mode: "plan" });
    expect(again.asked).toHaveLength(2);
  });

  it("are told, each with how many repairs are left after the next", async () => {
    const { asked } = await suite.play([1, 2, 3, 4].map((result) => ({ ...PLAN, result })));
    expect((await suite.ask(QUESTION, { mode: "plan" })).status).toBe("failed");
    const told = asked.map(({ body }) => /\{"attempt":\d+,"left":\d+\}/.exec(body.messages.at(-1)!.content)?.[0]);
    const repairs = (attempt: number) => JSON.stringify({ attempt, left: 3 - attempt });
    expect(told).toEqual([undefined, repairs(1), repairs(2), repairs(3)]);
  });

  it("that leave out a mention twice run, and say so", async () => {
    const every = withArgs({ window: null });
    await suite.play([every, { ...every, thought: "still" }]);
    const answer = await suite.ask();
    expect(answer.status).toBe("answered");
    expect(answer.notices).toEqual(["ignored: q2", expect.stringMatching(/^words: code \(.*untied/)]);
  });

  it("tell what they take for granted", async () => {
    await suite.play([withArgs({ window: { from: "2020-05-01T00:00:00Z", to: "2020-06-01T00:00:00Z" }, limit: 2 })]);
    expect((await suite.ask()).assumptions).toEqual(["s1 limit = 2"]);
  });
});
