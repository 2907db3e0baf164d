// Limits of a question: time, calls, tokens, characters; and a server that is gone.
import { describe, expect, it } from "vitest";
import type { Reply } from "../model-server.js";
import { PLAN, QUESTION } from "../payees.js";
import { codeOf, QuestionSuite, REPORT } from "./asking.js";

const suite = QuestionSuite.begin();

describe("limits and failures", () => {
  it("end a question by its signal and by its wall", async () => {
    await suite.serve(() => ({ text: "{}", firstAfterMs: 60_000 }));
    const controller = new AbortController();
    const asking = codeOf(suite.ask(QUESTION, { signal: controller.signal }));
    setTimeout(() => controller.abort(), 100);
    expect(await asking).toBe("E_CANCELLED");
    expect(await codeOf(suite.ask(QUESTION, {}, { wall_ms: 150 }))).toBe("E_CANCELLED");
  });

  it("may be longer than any timer", async () => {
    for (const wall_ms of [2 ** 31, 2 ** 40, Number.MAX_SAFE_INTEGER]) {
      await suite.play([PLAN]);
      expect((await suite.ask(QUESTION, {}, { wall_ms })).status).toBe("answered");
    }
  });

  it("hold for the text of a report, whatever the server holds", async () => {
    await suite.play([PLAN]);
    const { text } = await suite.ask();
    expect((await suite.ask(QUESTION, {}, { text_chars: text.length })).text).toBe(text);
    const { asked } = await suite.play([PLAN]);
    expect(await suite.ask(QUESTION, {}, { text_chars: 5 })).toMatchObject({ status: "answered" });
    expect(asked.at(-1)!.body.messages.at(-1)!.content).toContain("and at most 5");
  });

  it("let a text be as long as the caller says", async () => {
    const text = `${REPORT.text} ${"So it was with {c1}. ".repeat(60)}`;
    await suite.play([PLAN], [{ ...REPORT, text }]);
    expect((await suite.ask()).text).toBe("Bo (`bo`). 3.");
    await suite.play([PLAN], [{ ...REPORT, text }]);
    expect((await suite.ask(QUESTION, {}, { text_chars: 2_000 })).text).toMatch(
      /^Bo \(`bo`\) was paid the most.*So it was/,
    );
  });

  it("tell of a server that is gone", async () => {
    await suite.serve(() => ({ status: 500 }));
    expect(await codeOf(suite.ask())).toBe("E_MODEL");
  });

  it("bound the calls of the model", async () => {
    const { asked } = await suite.play([{ ...PLAN, result: 1 }, { ...PLAN, result: 2 }, PLAN]);
    expect(await suite.ask(QUESTION, {}, { model_calls: 2 })).toMatchObject({
      status: "failed",
      could_not: [{ code: "E_LIMIT", why: "limits.model_calls = 2 is spent, and no plan has an answer" }],
    });
    expect(asked).toHaveLength(2);
  });

  // The server says 110 tokens a call.
  it("bound the tokens of all calls", async () => {
    const { asked } = await suite.play([{ ...PLAN, result: 1 }, { ...PLAN, result: 2 }, PLAN]);
    expect(await suite.ask(QUESTION, {}, { tokens: 220 })).toMatchObject({
      status: "failed",
      could_not: [{ code: "E_LIMIT", why: "limits.tokens = 220 is spent, and no plan has an answer" }],
    });
    expect(asked).toHaveLength(2);
  });

  it("tell of a plan without an end, and count what it took", async () => {
    const cut = { text: '{"thought": "on and on', finish: "length" };
    const replies: Reply[] = [cut, cut, { text: JSON.stringify(PLAN) }, { text: JSON.stringify(REPORT) }];
    const { asked } = await suite.serve((_, position) => replies[position]!);
    const answer = await suite.ask();
    expect(answer).toMatchObject({ status: "answered", usage: { calls: 4, prompt_tokens: 400 } });
    expect(answer.attempts[0]!.violations).toMatchObject([{ code: "E_LIMIT", kind: "output_cut" }]);
    expect(asked[2]!.body.messages.at(-1)!.content).toContain("write a shorter plan");
    expect(asked[2]!.body.messages.at(-2)!.content).not.toContain("on and on");
  });

  it("leave the answer to code where a plan took all tokens or all calls, and say so", async () => {
    const { asked } = await suite.play([PLAN]);
    const text = "Bo (`bo`). 3.";
    expect(await suite.ask(QUESTION, {}, { tokens: 110 })).toMatchObject({ text, notices: ["limit: tokens"] });
    expect(await suite.ask(QUESTION, {}, { model_calls: 1 })).toMatchObject({ text, notices: ["limit: model_calls"] });
    expect(asked).toHaveLength(2);
    expect((await suite.ask(QUESTION, {}, { tokens: 111 })).notices).toEqual([]);
  });
});
