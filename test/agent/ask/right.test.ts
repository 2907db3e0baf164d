// A right plan and a right report: what is answered, told and shown to the model. What a reader may see is held against
// the store by hand.
import { describe, expect, it } from "vitest";
import { type AgentEvent, createAgent } from "../../../src/agent/index.js";
import { REPORTER_SYSTEM } from "../../../src/agent/prompt/reporter-system.js";
import { plannerSystem } from "../../../src/agent/prompt/systems.js";
import type { Reply } from "../model-server.js";
import { PLAN, QUESTION } from "../payees.js";
import { MAY } from "../payments.js";
import { said } from "../replies.js";
import { QuestionSuite, REPORT } from "./asking.js";

const suite = QuestionSuite.begin();

describe("a question with a right plan and a right report", () => {
  it("is answered with values that code printed, in names of the store", async () => {
    await suite.play([PLAN]);
    const answer = await suite.ask();
    expect(answer).toMatchObject({
      status: "answered",
      text: "Bo (`bo`) was paid the most, namely 2 times. `ada` paid 3 people in 2020-05-01 to 2020-06-01 (end excluded).",
      parts: [
        { kind: "value", value: "bo", claim: "c1", verdict: "supported", complete: true },
        { kind: "count", value: 3, claim: "c2", verdict: "supported" },
      ],
      blocked: [],
      could_not: [],
      assumptions: [],
      notices: [],
      pin: { tx: 2 },
    });
    expect(answer.evidence).toHaveLength(3);
    expect(answer.evidence[2]).toMatch(
      /^c3 · 2 · s1\.rows\[0\]\.n \(dst bo\) · s1 aggregate_events .*tx:2 sha256 [0-9a-f]{16}$/,
    );
    expect(answer.usage).toMatchObject({ calls: 2 });
  });

  it("has the same digest twice, and a trace that runs again", async () => {
    await suite.play([PLAN]);
    const agent = createAgent(suite.db, { model: { base_url: suite.server.url, capability: "text" } });
    const [first, second] = [await agent.ask(QUESTION), await agent.ask(QUESTION)];
    expect(second.answer.answer_digest).toBe(first.answer.answer_digest);
    expect(await suite.db.check(first.trace)).toBeNull();
  });

  it("tells of events, none of which holds words of the model", async () => {
    await suite.play([PLAN]);
    const events: AgentEvent[] = [];
    await suite.ask(QUESTION, { on_event: (event) => events.push(event) });
    expect(events.map(({ at }) => at)).toEqual(["mentions", "card", "plan", "step", "report", "verdicts", "answer"]);
    expect(events.find(({ at }) => at === "report")).toEqual({ at: "report", attempt: 1, detail: { claims: 3 } });
    expect(JSON.stringify(events)).not.toContain("Group by receiver");
  });

  it("tells of tries that were in vain: a server that is busy, a plan with faults, a report that is none", async () => {
    let position = 0;
    const replies: readonly Reply[] = [
      { status: 503 },
      said({ ...PLAN, result: 1 }),
      said(PLAN),
      said("I would rather talk."),
      said(REPORT),
    ];
    await suite.serve(() => replies[position++]!);
    const events: AgentEvent[] = [];
    const agent = createAgent(suite.db, { model: { base_url: suite.server.url, capability: "text", retries: 1 } });
    await agent.ask(QUESTION, { on_event: (event) => events.push(event) });
    expect(events.map(({ at, attempt }) => `${at} ${attempt}`)).toEqual([
      "mentions 0",
      "card 0",
      "retry 1",
      "violations 1",
      "plan 2",
      "step 2",
      "report 1",
      "report 2",
      "verdicts 2",
      "answer 0",
    ]);
    expect(JSON.stringify(events)).not.toContain("rather");
  });

  it("stands on lines that name the row, and tell the call as it was made, without what is so by default", async () => {
    await suite.play([PLAN]);
    const { evidence } = await suite.ask();
    const args = JSON.stringify({
      aggregates: [{ as: "n", fn: "count" }],
      group_by: [{ dim: "node", role: "dst" }],
      // The list was read to its end, and where nulls stand depends on the order.
      limit: null,
      order_by: [{ column: "n", desc: true, nulls: "first" }],
      where: { src: { uids: ["ada"] } },
      window: MAY,
    });
    const source = new RegExp(` · s1 aggregate_events ${args.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")} tx:2 sha256 `);
    for (const line of evidence) expect(line).toMatch(source);
    expect(evidence.map((line) => line.split(" · ").slice(0, 3))).toEqual([
      ["c1", "Bo (`bo`)", "s1.rows[0].dst"],
      ["c2", "3", "s1.rows_total"],
      ["c3", "2", "s1.rows[0].n (dst bo)"],
    ]);
  });

  it("reaches the model with data in fences alone", async () => {
    const { asked } = await suite.play([PLAN]);
    await suite.ask();
    for (const { body } of asked) {
      for (const { role, content } of body.messages) {
        if (role === "system") expect([plannerSystem().text, REPORTER_SYSTEM.text]).toContain(content);
        const outside = content.replace(/<data-([0-9a-f]{24}) kind="[a-z]+">\n[\s\S]*?\n<\/data-\1>/g, "");
        if (role === "user") expect(outside).not.toMatch(/\bada\b|ignore|PAID|\bBo\b/);
        if (role === "user") expect(content).not.toContain("</data-x>");
      }
    }
  });
});
