// Plans run on a store: references, pins, slices, completeness, budgets, and the trace that says what happened.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/contract/values.js";
import { S1 } from "../../src/operators/example-stores.js";
import { canonicalPlan, planDigest, runPlan, runStatementPlan, type Trace } from "../../src/plan/index.js";
import type { CaseStore } from "../conformance/cases.js";
import { nativeCaseStore } from "../support/native-case-store.js";
import { referenceCaseStore } from "../support/reference-case-store.js";

async function filled(store: CaseStore): Promise<CaseStore> {
  for (const { ops, txTime } of S1.batches) await store.write([...ops] as JsonObject[], txTime);
  return store;
}

let native: CaseStore;
let reference: CaseStore;
beforeAll(async () => {
  native = await filled(await nativeCaseStore());
  reference = await filled(referenceCaseStore());
});
afterAll(async () => {
  await native.close();
});

/** The busiest sender, what it received, and how the two firsts stand to each other. */
const BUSIEST = {
  steps: [
    {
      id: "top",
      op: "aggregate_events",
      args: {
        where: { types: ["M"] },
        group_by: [{ dim: "node", role: "src" }],
        aggregates: [
          { fn: "count", as: "sent" },
          { fn: "min", of: "at", as: "first_sent" },
        ],
        order_by: [{ column: "sent", desc: true }],
        limit: 1,
      },
    },
    {
      id: "back",
      op: "aggregate_events",
      args: {
        where: { dst: { uids: [{ $ref: "top.rows[0].src" }] } },
        aggregates: [{ fn: "min", of: "at", as: "first_received" }, { fn: "count" }],
      },
    },
    {
      id: "gap",
      op: "compute",
      args: { fn: "diff", x: { $ref: "back.rows[0].first_received" }, y: { $ref: "top.rows[0].first_sent" } },
    },
  ],
  answer: {
    kind: "value",
    from: "top.rows[0].src",
    also: [
      { kind: "count", from: "top.rows_total" },
      { kind: "ordering", from: "gap.value" },
    ],
  },
};

const shape = ({ steps }: Trace) =>
  steps.map(({ id, status, rows_held, rows_total, complete }) => [id, status, rows_held, rows_total, complete]);

describe("a plan", () => {
  it("hands cells on, and one cell of a cut list is whole", async () => {
    const trace = await runPlan(native.engine, BUSIEST);
    expect(shape(trace)).toEqual([
      ["top", "ok", 1, 3, false],
      ["back", "ok", 1, 1, true],
      ["gap", "ok", null, null, true],
    ]);
    // By hand: a sends at 10 and 30, receives at 12 (from b) and 15 (from c).
    expect(trace.answer).toMatchObject({
      kind: "value",
      value: "a",
      complete: true,
      also: [
        { kind: "count", value: 3, complete: true },
        { kind: "ordering", value: "PT2S", type: "duration" },
      ],
    });
    expect(trace.steps[1]!.args).toMatchObject({ limit: null, where: { dst: { uids: ["a"] } } });
  });

  it("has the same digests on the reference engine", async () => {
    const [ours, theirs] = [await runPlan(native.engine, BUSIEST), await runPlan(reference.engine, BUSIEST)];
    expect(theirs.trace_digest).toBe(ours.trace_digest);
  });

  it("answers a statement as a table", async () => {
    const answer = await runStatementPlan(native.engine, {
      steps: [{ id: "s1", op: "temporal_reachability", args: { uid: "a" }, slice: [1, 5] }],
      answer: {
        kind: "table",
        from: "s1",
        columns: [
          { from: "uid", as: "who" },
          { from: "arrival", as: "at" },
        ],
      },
    });
    expect(answer).toMatchObject({
      columns: [
        { name: "who", type: "string" },
        { name: "at", type: "instant" },
      ],
      rows: [{ who: "c", at: "2020-01-01T00:00:12Z" }],
      rows_total: 2,
      complete: true,
      pin: { tx: 1, tx_time: "2021-01-01T00:00:00Z" },
    });
  });

  it("has one digest whatever its ids, its order of keys and its written-out defaults", () => {
    const [top, back, gap] = BUSIEST.steps;
    const renamed = JSON.parse(
      JSON.stringify({
        answer: BUSIEST.answer,
        steps: [
          gap,
          { args: { ...back!.args, window: null, pairs: "all" }, op: back!.op, id: "back", depends_on: ["top"] },
          top,
        ],
      })
        .replaceAll('"top', '"zz')
        .replaceAll('"gap', '"a'),
    );
    expect(planDigest(renamed)).toBe(planDigest(BUSIEST));
    expect(canonicalPlan(renamed).steps.map(({ id, op }) => [id, op])).toEqual([
      ["s1", "aggregate_events"],
      ["s2", "aggregate_events"],
      ["s3", "compute"],
    ]);
    expect(planDigest(canonicalPlan(renamed))).toBe(planDigest(BUSIEST));
  });
});
