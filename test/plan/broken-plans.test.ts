// Broken plans and what the verifier says of each: every violation, by code, kind and place, each with message and hint.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/contract/values.js";
import type { Ceilings } from "../../src/operators/cost-guard.js";
import { S1 } from "../../src/operators/example-stores.js";
import { PlanSchema, verifyPlan, withStore } from "../../src/plan/index.js";
import type { CaseStore } from "../conformance/cases.js";
import { nativeCaseStore } from "../support/native-case-store.js";

interface BrokenPlan {
  readonly title: string;
  readonly plan: unknown;
  readonly identifiers?: readonly string[];
  /** Whether the verifier may look into S1. */
  readonly store?: true;
  readonly ceilings?: Partial<Ceilings>;
  readonly expect: readonly { readonly code: string; readonly kind: string; readonly path: string }[];
}

const CASES = JSON.parse(readFileSync(join(import.meta.dirname, "broken-plans.json"), "utf8")) as BrokenPlan[];

let store: CaseStore;
beforeAll(async () => {
  store = await nativeCaseStore();
  for (const { ops, txTime } of S1.batches) await store.write([...ops] as JsonObject[], txTime);
});
afterAll(() => store.close());

function verified({ plan, identifiers, store: looks, ceilings = {} }: BrokenPlan) {
  const names = identifiers === undefined ? null : new Set(identifiers);
  if (looks !== true) return verifyPlan(plan, { identifiers: names, store: null });
  return withStore(store.engine, 1, ceilings, (known) => verifyPlan(plan, { identifiers: names, store: known }));
}

describe("a broken plan", () => {
  it("comes in more than a hundred forms", () => expect(CASES.length).toBeGreaterThan(100));

  it.each(CASES)("$title", (broken) => {
    const { valid, violations } = verified(broken);
    expect(violations.map(({ code, kind, path }) => ({ code, kind, path }))).toEqual(broken.expect);
    expect(valid).toBe(false);
    for (const { message, path, step } of violations) {
      expect(message).not.toBe("");
      const position = /^\/steps\/(\d+)/.exec(path)?.[1];
      const steps = (broken.plan as { steps?: { id?: unknown }[] } | null)?.steps;
      const id = position === undefined || !Array.isArray(steps) ? null : (steps[Number(position)]?.id ?? null);
      if (position !== undefined) expect(step).toBe(typeof id === "string" ? id : null);
    }
  });

  it("is refused by the published schema wherever its form alone is wrong", () => {
    const validate = new Ajv2020({ strict: false }).compile(PlanSchema);
    const FORM = ["plan_shape", "unknown_key", "unknown_kind", "too_many_parts"];
    // That only a table has columns is said in words.
    const broken = CASES.filter(({ expect: found }) => found.some(({ kind }) => FORM.includes(kind)));
    expect(broken.length).toBeGreaterThan(20);
    const passed = broken.filter(({ plan }) => validate(plan)).map(({ title }) => title);
    expect(passed).toEqual(["columns of a count"]);
  });
});

it("says of query_tql in a step whose call it is", () => {
  const plan = { steps: [{ id: "s1", op: "query_tql", args: { query: "SELECT 1 AS n" } }], result: "s1" };
  const { violations } = verifyPlan(plan, { identifiers: null, store: null });
  const found = violations.find(({ kind }) => kind === "unknown_operator");
  expect(found?.hint).toMatch(/^query_tql is a call of loops and of MCP alone/);
});
