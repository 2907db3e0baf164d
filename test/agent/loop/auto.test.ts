// Mode auto: calls where no plan held, within what is left of the budget.
import { describe, expect, it } from "vitest";
import type { Asked } from "../model-server.js";
import { isReport, said } from "../replies.js";
import { LoopSuite, REPORT, RIGHT } from "./asking.js";

const suite = LoopSuite.begin();

describe("auto", () => {
  const isLoop = ({ body }: Asked): boolean => body.messages[0]!.content.includes("one call a turn");
  const wrongPlan = (n: number) => ({ thought: String(n), steps: [], answer: { kind: "count", from: `s${n}` } });

  async function both(turns: readonly unknown[]): Promise<void> {
    let plans = 0;
    let taken = 0;
    await suite.serve((asked) => {
      if (isReport(asked)) return said(REPORT);
      return said(isLoop(asked) ? turns[Math.min(taken++, turns.length - 1)] : wrongPlan(++plans));
    });
  }

  it("calls operators where no plan held", async () => {
    await both(RIGHT);
    const { answer } = await suite.ask({ mode: "auto" });
    expect(answer).toMatchObject({ status: "answered", parts: [{ value: "bo" }, { value: ["cy"] }] });
    expect(suite.server.asked.filter((each) => !isLoop(each) && !isReport(each))).toHaveLength(4);
    expect(suite.server.asked.filter(isLoop)).toHaveLength(3);
    expect(answer.usage.calls).toBe(8);
    expect(answer.model.prompt_versions).toHaveLength(3);
  });

  it("does not where a plan held, or where plans alone are wanted", async () => {
    await both(RIGHT);
    expect((await suite.ask({ mode: "plan" })).answer.status).toBe("failed");
    expect(suite.server.asked.filter(isLoop)).toHaveLength(0);
  });

  it("fails with what was wrong with the plans where no call held either", async () => {
    await both(["what?"]);
    expect((await suite.ask({ mode: "auto" })).answer).toMatchObject({
      status: "failed",
      could_not: [{ code: "E_PLAN_INVALID" }],
    });
  });

  it("goes on with what is left of the budget alone", async () => {
    await both(RIGHT);
    expect((await suite.ask({ mode: "auto" }, { tokens: 440 })).answer.status).toBe("failed");
    expect(suite.server.asked.filter(isLoop)).toHaveLength(0);
    expect((await suite.ask({ mode: "auto" }, { tokens: 550 })).answer.status).toBe("abstained");
    expect(suite.server.asked.filter(isLoop)).toHaveLength(1);
  });
});
