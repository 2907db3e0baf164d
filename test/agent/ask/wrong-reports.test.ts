// Reports that do not hold are asked for once more, then code words the answer.
import { describe, expect, it } from "vitest";
import { PLAN, QUESTION, STEP } from "../payees.js";
import { CLAIMS, QuestionSuite, REPORT } from "./asking.js";

const suite = QuestionSuite.begin();

describe("wrong reports", () => {
  it.each<[string, object, RegExp]>([
    ["a number", { ...REPORT, text: "{c1} was paid 2 times." }, /bare_number/],
    ["a name", { ...REPORT, text: "Ada L paid {c2} people." }, /bare_name/],
    ["a name in other letters", { ...REPORT, text: "ADA paid {c2} people." }, /bare_name/],
    ["an unlicensed word", { ...REPORT, text: "{c1} was paid. The busiest had {c2}." }, /unlicensed/],
    ["a cause", { ...REPORT, text: "{c1} was paid the most because of {c2}." }, /cause/],
    [
      "a claim that falls",
      { text: "{c1} got it. {c2}.", claims: [{ ...CLAIMS[0], rank: { by: "n", side: "min" } }, CLAIMS[1]] },
      /rank/,
    ],
    [
      "a claim about something else",
      { text: "{c1}. {c2}.", claims: [{ ...CLAIMS[0], cell: "s1.rows[1].dst", rank: undefined }, CLAIMS[1]] },
      /\{"from":"s1\.rows\[0\]\.dst","unanswered":"value"\}/,
    ],
  ])("are asked for once more: %s", async (_, wrong, told) => {
    const { asked } = await suite.play([PLAN], [wrong, REPORT]);
    const answer = await suite.ask();
    expect(answer).toMatchObject({ status: "answered", parts: [{ value: "bo" }, { value: 3 }] });
    const last = asked.at(-1)!.body.messages.at(-1)!.content;
    expect(last).toMatch(told);
  });

  it("that say something true of what was not asked are shown without it", async () => {
    const aside = { id: "s2", op: "aggregate_events", args: { aggregates: [{ fn: "count", as: "payments" }] } };
    const text = `${REPORT.text} Altogether {c4} were made.`;
    const claims = [...CLAIMS, { id: "c4", type: "count", cell: "s2.rows[0].payments" }];
    await suite.play([{ ...PLAN, steps: [STEP, aside] }], [{ text, claims }]);
    const answer = await suite.ask();
    expect(answer.text).toMatch(/^Bo \(`bo`\) was paid the most.* \(end excluded\)\.$/);
    expect(answer.blocked).toMatchObject([{ id: "c4", verdict: "supported", value: 5 }]);
    expect(answer).toMatchObject({ status: "answered", usage: { calls: 2 } });
  });

  it("with sentences that name no claim are shown without those", async () => {
    const text = `Yes. ${REPORT.text} That is 42 people, by zoe@x.com. I hope that helps!`;
    await suite.play([PLAN], [{ ...REPORT, text }]);
    const answer = await suite.ask();
    expect(answer.text).toMatch(/^Bo \(`bo`\) was paid the most.* \(end excluded\)\.$/);
    expect(answer).toMatchObject({ status: "answered", usage: { calls: 2 } });
  });

  it("with sentences of a name that no claim prints are asked for once more", async () => {
    await suite.play([PLAN], [{ ...REPORT, text: `${REPORT.text} {q1} paid it.` }, REPORT]);
    expect(await suite.ask()).toMatchObject({ status: "answered", usage: { calls: 3 } });
  });

  it("twice give way to the mechanical answer", async () => {
    await suite.play([PLAN], [{ ...REPORT, text: "It was 42." }]);
    const answer = await suite.ask();
    expect(answer).toMatchObject({
      status: "answered",
      text: "Bo (`bo`). 3.",
      parts: [{ value: "bo" }, { value: 3 }],
      notices: ["words: code (bare_number, form, unanswered)"],
    });
    expect(answer.text).not.toContain("42");
  });

  it.each<[string, object, string]>([
    ["words", { ...REPORT, text: "{c1} was paid 42 times. The busiest had {c2}." }, "bare_number, unlicensed"],
    ["a part that is not said", { text: "{c1}.", claims: [CLAIMS[0]] }, "unanswered"],
  ])("are told by their kinds alone: %s", async (_, wrong, kinds) => {
    await suite.play([PLAN], [wrong]);
    const { text, notices } = await suite.ask();
    expect(text).toBe("Bo (`bo`). 3.");
    expect(notices).toEqual([`words: code (${kinds})`]);
  });

  it("are told of no more once another one holds", async () => {
    await suite.play([PLAN], [{ ...REPORT, text: "{c1} was paid 42 times. {c2}." }, REPORT]);
    expect((await suite.ask()).notices).toEqual([]);
  });

  it("are told beside the limit that left no second one", async () => {
    await suite.play([PLAN], [{ ...REPORT, text: "{c1} was paid 42 times. {c2}." }]);
    const { notices } = await suite.ask(QUESTION, {}, { model_calls: 2 });
    expect(notices).toEqual(["limit: model_calls", "words: code (bare_number)"]);
  });

  it("with no JSON at all, too", async () => {
    await suite.play([PLAN], ["bo, 3 people"]);
    expect(await suite.ask()).toMatchObject({
      status: "answered",
      text: "Bo (`bo`). 3.",
      notices: ["words: code (no_report)"],
    });
  });

  it("with doubled ids count as without them", async () => {
    await suite.play([PLAN], [{ text: "{c1}.", claims: [CLAIMS[0], { ...CLAIMS[1], id: "c1" }] }]);
    expect(await suite.ask()).toMatchObject({ status: "answered", text: "Bo (`bo`). 3." });
  });
});
