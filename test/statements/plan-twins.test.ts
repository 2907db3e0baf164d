// The plan that EXPLAIN prints gives, run as JSON, what its statement gives: the same rows and the same digest.
// Beside them plans written by hand, whose ids, key order and written-out defaults differ from what is compiled.
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { canonicalJson } from "../../src/contract/canonical.js";
import type { Database } from "../../src/index.js";
import type { TablePart, Trace } from "../../src/plan/index.js";
import { readCases } from "./case-file.js";
import { HAND_WRITTEN } from "./hand-written-plans.js";
import { type SmallStore, smallStore } from "./stores.js";

const FOLDER = join(import.meta.dirname, "small");
const cases = ["payments", "hospital", "oddities", "elements"]
  .flatMap((name) => readCases(join(FOLDER, `${name}.tql`)))
  .filter(({ wrong }) => wrong === null);
const stores = new Map<string, Database>();

beforeAll(async () => {
  for (const { store } of cases) if (!stores.has(store)) stores.set(store, await smallStore(store as SmallStore));
});
afterAll(async () => {
  for (const db of stores.values()) await db.close();
});

function tableOf({ answer }: Trace): TablePart & { readonly result_digest: string } {
  if (answer?.kind !== "table") throw new Error("the answer is no table");
  return answer;
}

/** A plan as a file would hold it. */
const throughText = (plan: unknown): unknown => JSON.parse(canonicalJson(plan));

describe("the plan of a statement, run as JSON", () => {
  it("is tried with many statements", () => {
    expect(cases.length).toBeGreaterThanOrEqual(40);
  });

  for (const { title, store, text, params } of cases) {
    it(title, async () => {
      const db = stores.get(store)!;
      const answer = await db.query(text, { params });
      const { plan, plan_digest } = await db.query(`EXPLAIN ${text}`, { params });
      const trace = await db.run(throughText(plan));
      expect(trace.plan_digest).toBe(plan_digest);
      expect(answer.plan_digest).toBe(plan_digest);
      const ran = tableOf(trace);
      expect(ran.rows).toEqual(answer.rows);
      // A statement may know a type more closely, by what the store holds.
      expect(ran.columns.map(({ name }) => name)).toEqual(answer.columns.map(({ name }) => name));
      expect(ran.result_digest).toBe(answer.result_digest);
    });
  }
});

describe("a plan written by hand", () => {
  it("is tried with several statements", () => {
    expect(HAND_WRITTEN.length).toBeGreaterThanOrEqual(8);
  });

  for (const { store, text, plan } of HAND_WRITTEN) {
    it(`is ${text}`, async () => {
      const db = stores.get(store)!;
      const answer = await db.query(text);
      const trace = await db.run(plan);
      const ran = tableOf(trace);
      // Otherwise the twin would be the compiled plan again.
      expect(canonicalJson(plan)).not.toBe(canonicalJson(answer.plan));
      expect(answer.rows.length).toBeGreaterThan(0);
      expect(ran.rows).toEqual(answer.rows);
      expect(trace.plan_digest).toBe(answer.plan_digest);
      expect(ran.result_digest).toBe(answer.result_digest);
    });
  }

  it("that asks for something else has another digest", async () => {
    const [{ store, text, plan }] = HAND_WRITTEN;
    const db = stores.get(store)!;
    const [step, ...others] = plan.steps;
    const other = { ...plan, steps: [{ ...step, args: { ...step!.args, as_of_tt: "tx:2" } }, ...others] };
    expect((await db.run(other)).plan_digest).not.toBe((await db.query(text)).plan_digest);
  });
});
