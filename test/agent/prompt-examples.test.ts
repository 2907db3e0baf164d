// The examples that planners are shown: each is a legal plan, answers all that its question asks, and gives on a small store
// of its kind what was counted there by hand.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tqlFront } from "../../src/agent/fronts/tql-front.js";
import { JSON_EXAMPLES } from "../../src/agent/prompt/json-examples.js";
import { TQL_EXAMPLES } from "../../src/agent/prompt/tql-examples.js";
import type { JsonObject } from "../../src/contract/values.js";
import { verifyPlan } from "../../src/plan/index.js";
import { type AskedStore, askedStore } from "./asked.js";

const paid = (src: string, dst: string, at: string): JsonObject => ({
  op: "assert_edge",
  src,
  type: "PAID",
  dst,
  key: at,
  valid_from: at,
  valid_to: at.replace("Z", ".000001Z"),
});
const holds = (dst: string, valid_from: string, valid_to: string): JsonObject => ({
  op: "assert_edge",
  src: "eve",
  type: "HOLDS",
  dst,
  valid_from,
  valid_to,
});

// April: ana and bo pay. 1 May: ana pays bo, bo pays back within ten minutes, then pays cy, whom ana never pays; cy pays dan,
// whom bo pays later. Later in May: ana pays dan twice.
const PAYMENTS = [
  paid("ana", "bo", "2020-04-02T00:00:00Z"),
  paid("gil", "bo", "2020-04-03T00:00:00Z"),
  paid("ana", "bo", "2020-05-01T10:00:00Z"),
  paid("bo", "ana", "2020-05-01T10:05:00Z"),
  paid("bo", "cy", "2020-05-01T10:30:00Z"),
  paid("cy", "dan", "2020-05-01T11:00:00Z"),
  paid("bo", "dan", "2020-05-20T00:00:00Z"),
  paid("ana", "dan", "2020-05-21T00:00:00Z"),
  paid("ana", "dan", "2020-05-22T00:00:00Z"),
];

/** What was counted by hand, for each part that a question asks for. */
const COUNTED: Readonly<Record<(typeof JSON_EXAMPLES)[number]["kind"], readonly unknown[]>> = {
  // From ana and from gil, both to bo.
  total: [2],
  top: ["bo"],
  // bo and dan; dan twice.
  aggregate: [2, "dan"],
  // ana itself is no part of what it reaches; among bo, cy and dan nothing comes back.
  "reach then motif": [["bo", "cy", "dan"], 0],
  // bo, from ana on to cy; cy pays dan, whom bo paid.
  "pattern with absence": [["bo"], 1],
  "past belief": ["mayor", { valid_from: "2019-01-01T00:00:00Z", valid_to: "2022-01-01T00:00:00Z" }],
  "set difference": [["gil"], 1],
};

let asked: AskedStore;
beforeAll(async () => {
  asked = await askedStore();
  const before = { txTime: "2020-12-01T00:00:00Z" };
  await asked.store.write([...PAYMENTS, holds("mayor", "2019-01-01", "2022-01-01")] as never, before);
  // Found out later: she was never mayor then.
  const after = { txTime: "2021-06-01T00:00:00Z" };
  await asked.store.write(
    [
      { op: "retract", ref: { src: "eve", type: "HOLDS", dst: "mayor" }, valid_from: "2019-06-01" },
      holds("judge", "2019-06-01", "2023-01-01"),
    ] as never,
    after,
  );
});
afterAll(() => asked.close());

async function valuesOf(plan: unknown): Promise<readonly JsonObject[]> {
  const { trace } = await asked.ask(plan);
  const parts = [trace.answer!, ...trace.answer!.also] as unknown as { value: JsonObject }[];
  return parts.map(({ value }) => value);
}

describe("the examples of the JSON planner", () => {
  it("are the seven kinds", () => {
    expect(JSON_EXAMPLES.map(({ kind }) => kind)).toEqual(Object.keys(COUNTED));
  });

  it.each(JSON_EXAMPLES)("$kind", async ({ kind, written, operators, question }) => {
    const { thought, ...plan } = written;
    expect(Object.keys(written)).toEqual(["thought", "steps", "answer"]);
    expect(typeof thought).toBe("string");
    expect(verifyPlan(plan)).toEqual({ valid: true, violations: [] });
    expect(operators).toEqual([...new Set((plan.steps as unknown as { op: string }[]).map(({ op }) => op))]);

    const values = await valuesOf(plan);
    expect(values).toMatchObject(COUNTED[kind]);
    // One part for each thing that is asked.
    expect(values).toHaveLength(question.split(", and ").length);
  });
});

describe("the examples of the TQL planner", () => {
  it.each(TQL_EXAMPLES)("$kind", async ({ kind, written, operators, question }) => {
    expect(Object.keys(written)).toEqual(["thought", "tql", "answer"]);
    const front = tqlFront({ state: asked.state, askTx: 2, zone: "UTC", nowUs: 0n, mostSteps: 12, guided: "shape" });
    const { plan, violations } = front.read(written);
    expect(violations).toEqual([]);
    const called = new Set(plan!.steps.map(({ op }) => op));
    for (const operator of operators) expect(called).toContain(operator);
    expect(await valuesOf(plan)).toMatchObject(COUNTED[kind]);
    expect(JSON_EXAMPLES.map((example) => example.question)).toContain(question);
  });
});
