// The clean pool and its mutants: true claims are shown by both verifiers, every fault is refuted, cannot be checked, or is
// off topic, and both verifiers say why in the same words. Prints how many there were of each.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answers, partsOf, standingOf } from "../../src/agent/claims/relevance.js";
import { verifyClaim } from "../../src/agent/claims/verify.js";
import { checkProse } from "../../src/agent/words/prose.js";
import { CASE_COUNT } from "../support/case-count.js";
import type { AskedStore } from "./asked.js";
import { isThere, openStore, type StoreName } from "./oracle/data.js";
import { MUTATORS } from "./oracle/mutators.js";
import { cleanPool, type Entry } from "./oracle/variants.js";
import { ORACLE_PLANS } from "./oracle-plans.js";
import { verifyAgain } from "./second-verifier/verify.js";

const STORES: readonly StoreName[] = ["collegemsg", "bitcoin-otc", "primaryschool", "world-leaders"];
/** Of each fault so many cases in a quick run, spread over the pool; all of them where more random cases are asked for. */
const MOST = CASE_COUNT > 25 ? Number.POSITIVE_INFINITY : 110;
/** No fault is held by fewer. */
const LEAST = 100;
function spread<T>(values: readonly T[]): readonly T[] {
  const every = Math.max(1, values.length / MOST);
  return values.filter((_, i) => Math.floor(i / every) !== Math.floor((i - 1) / every));
}

/** Steps of the pool that were asked of one operator and rest on no other step, each once. */
function* stepsOf(pool: readonly Entry[], op: string) {
  const seen = new Set<string>();
  for (const { plan, evidence } of pool) {
    for (const step of evidence.trace.plan.steps) {
      const key = JSON.stringify([plan.store, step]);
      if (step.op !== op || key.includes("$ref") || seen.has(key)) continue;
      seen.add(key);
      yield { plan, evidence, step };
    }
  }
}

const isShown = (verdict: string): boolean => verdict === "supported" || verdict === "supported_partial";

describe.skipIf(!STORES.every(isThere))("claims of oracle plans and their variants", { timeout: 600_000 }, () => {
  const stores = new Map<StoreName, AskedStore>();
  const pool: Entry[] = [];
  const counts = new Map<string, number>();
  const count = (name: string): void => {
    counts.set(name, (counts.get(name) ?? 0) + 1);
  };

  beforeAll(async () => {
    for (const name of STORES) {
      const asked = await openStore(name);
      stores.set(name, asked);
      pool.push(
        ...(await cleanPool(
          asked,
          ORACLE_PLANS.filter(({ store }) => store === name),
        )),
      );
    }
  }, 600_000);
  afterAll(async () => {
    console.log(pool.length, "claims", [...counts].map(([name, n]) => `${name} ${n}`).join(", "));
    for (const asked of stores.values()) await asked.close();
  });

  it("are at least 300 of all nine types, none of them a false alarm", async () => {
    const alarms: unknown[] = [];
    for (const { evidence, claim, plan } of pool) {
      count(claim.type);
      const [first, second] = [await verifyClaim(evidence, claim), await verifyAgain(evidence, claim)];
      if (!isShown(first.verdict) || JSON.stringify(first) !== JSON.stringify(second)) {
        alarms.push({ plan: plan.name, claim, first, second });
      }
    }
    expect(alarms).toEqual([]);
    expect(pool.length).toBeGreaterThanOrEqual(300);
    expect(new Set(pool.map(({ claim }) => claim.type)).size).toBe(9);
  });

  it.each(Object.keys(MUTATORS))("are caught under fault %s", async (name) => {
    const missed: unknown[] = [];
    const mutants = pool.flatMap((entry) => MUTATORS[name]!(entry, pool).map((mutant) => ({ entry, ...mutant })));
    for (const { entry, evidence, claim } of spread(mutants)) {
      count(name);
      const [first, second] = [await verifyClaim(evidence, claim), await verifyAgain(evidence, claim)];
      const isSame = JSON.stringify(first) === JSON.stringify(second);
      if (isShown(first.verdict) || !isSame) missed.push({ plan: entry.plan.name, claim, first, second });
    }
    expect(missed.slice(0, 10)).toEqual([]);
  });

  it("are caught when a page is claimed to be the whole set (M09)", async () => {
    for (const { plan, evidence, claim } of pool.filter(({ claim: each }) => each.type === "entity_set")) {
      if (claim.type !== "entity_set" || claim.value!.length < 2) continue;
      const step = claim.cells.split(".")[0];
      const { steps, answer } = evidence.trace.plan;
      // The first member alone, and all but the last.
      for (const limit of new Set([1, claim.value!.length - 1])) {
        const cut = steps.map((each) => (each.id === step ? { ...each, args: { ...each.args, limit } } : each));
        const page = await stores
          .get(plan.store)!
          .ask({ steps: cut, answer }, plan.mentions)
          .catch(() => null);
        // A step over a part of a list refuses by itself.
        count(page === null ? "M09 refused" : "M09");
        if (page === null) continue;
        const { value: _value, ...bare } = claim;
        for (const each of [claim, bare]) {
          const verdict = await verifyClaim(page, each);
          expect(isShown(verdict.verdict)).toBe(false);
          expect(await verifyAgain(page, each)).toEqual(verdict);
        }
      }
    }
  });

  it("are caught when nothing is said of a cut list, or of a name that nothing has (M17)", async () => {
    for (const { plan, evidence } of spread(pool.filter(({ isMechanical }) => isMechanical))) {
      for (const { id, op, args } of evidence.trace.plan.steps) {
        if (op !== "aggregate_events") continue;
        const asked = stores.get(plan.store)!;
        const where = { ...(args!.where as object) };
        const one = async (given: object, claim: object): Promise<void> => {
          count("M17");
          const run = await asked.ask({ steps: [{ id, op, args: given }], answer: { kind: "table", from: id } });
          const verdict = await verifyClaim(run, claim);
          expect(isShown(verdict.verdict)).toBe(false);
          expect(await verifyAgain(run, claim)).toEqual(verdict);
        };
        if (JSON.stringify(args).includes("$ref")) continue;
        const list = { id: "c1", type: "absence", list: `${id}.rows` };
        if (evidence.step(id)!.record.rows_total! > 1) await one({ ...args, limit: 1 }, list);
        await one(
          { ...args, where: { ...where, types: ["NOTHING"] } },
          { id: "c1", type: "absence", cell: `${id}.events` },
        );
        await one(
          { ...args, where: { ...where, dst: { uids: ["nobody"] } } },
          { id: "c1", type: "absence", cell: `${id}.events` },
        );
      }
    }
  });

  it("are caught in prose (M21)", () => {
    const FAULTS = [
      "{c1} in 12 cases.",
      "{c1} of seventeen.",
      "{c1} since Monday.",
      "{c1} by `x`.",
      "Most of them: {c1}.",
      "{c1}, {c7}.",
      "{c1} because of it.",
      "Nothing was found.",
      "{c1} in 50%.",
      "[{c1}](http://x).",
    ];
    const names = { has: () => false };
    const plain = { isExtreme: false, isOfBelief: false, isOfReason: false, tiedTo: new Set<string>() };
    for (const { claim } of spread(pool.filter(({ claim: each }) => each.type === "count")).slice(0, 30)) {
      for (const text of FAULTS) {
        count("M21");
        const claims = new Map([["c1", { ...plain, claim: { ...claim, id: "c1" } }]]);
        expect(checkProse({ text, claims, mentions: new Set(), names }), text).not.toEqual([]);
      }
    }
  });

  it("say that nothing was found outside the data, and never leave that out (M17)", async () => {
    const windows = [
      { from: "1700-01-01T00:00:00Z", to: "1700-02-01T00:00:00Z" },
      { from: "2400-01-01T00:00:00Z", to: "2400-02-01T00:00:00Z" },
    ];
    for (const { plan, step } of spread([...stepsOf(pool, "aggregate_events")])) {
      // Offices belong to their countries at all times: nothing is outside.
      if (plan.store === "world-leaders") continue;
      for (const window of windows) {
        const args = { ...step.args, window };
        const run = await stores
          .get(plan.store)!
          .ask({ steps: [{ ...step, args }], answer: { kind: "table", from: step.id } });
        const claim = { id: "c1", type: "absence", cell: `${step.id}.events` };
        count("M17 outside");
        const verdict = await verifyClaim(run, claim);
        expect(verdict).toEqual({ id: "c1", verdict: "supported_partial", reasons: ["outside_data"] });
        expect(await verifyAgain(run, claim)).toEqual(verdict);
      }
    }
  });

  it("never begin with a page that is counted in the plan (M24)", async () => {
    for (const { plan, evidence, step } of spread([...stepsOf(pool, "aggregate_events")])) {
      const { rows_total: total } = evidence.step(step.id)!.record;
      for (const limit of new Set([3, total! - 1])) {
        if (total! <= 3) continue;
        count("M24");
        const steps = [
          { id: "s1", op: step.op, args: { ...step.args, limit } },
          { id: "s2", op: "compute", args: { fn: "count", input: { $ref: "s1.rows[*]" } } },
        ];
        const asked = stores.get(plan.store)!.ask({ steps, answer: { kind: "count", from: "s2.value" } });
        await expect(asked).rejects.toMatchObject({ code: expect.stringMatching(/E_UPSTREAM|E_PLAN_INVALID/) });
      }
    }
  });

  it("pass with a turned verb, which is a rate and no promise (M26)", () => {
    const names = { has: () => false };
    const plain = { isExtreme: false, isOfBelief: false, isOfReason: false, tiedTo: new Set<string>() };
    let passed = 0;
    const counted = spread(pool.filter(({ claim }) => claim.type === "count"));
    for (const { claim } of counted) {
      const claims = new Map([["c1", { ...plain, claim: { ...claim, id: "c1" } }]]);
      const [sent, received] = ["sent", "received"].map((verb) =>
        checkProse({ text: `It ${verb} {c1} of these.`, claims, mentions: new Set(), names }),
      );
      // The check knows no verbs: what is said of one is said of the other.
      expect(received).toEqual(sent);
      if (received!.length === 0) passed += 1;
    }
    console.log(`M26: ${passed} of ${counted.length} turned verbs pass the check of words`);
  });

  it("are no main claim of what was not asked (M25)", () => {
    for (const { evidence, claim, isMechanical } of pool.filter((entry) => entry.isMechanical)) {
      const parts = partsOf(evidence.trace.plan.answer);
      if (!isMechanical || (claim.type !== "count" && claim.type !== "value")) continue;
      const own = parts.filter((part) => answers(evidence, claim, part));
      expect(own.length).toBeGreaterThan(0);
      for (const { id } of evidence.trace.plan.steps) {
        const other = { ...claim, cell: `${id}.rows_total` };
        if (parts.some(({ from }) => from === other.cell)) continue;
        count("M25");
        expect(standingOf(evidence, other, parts).as).not.toBe("main");
        expect(standingOf(evidence, other, [{ kind: "count", from: "s99.rows_total" }]).as).toBe("off_topic");
      }
    }
  });

  it("are asked a hundred cases of every fault", () => {
    const own = ["M09", "M17", "M17 outside", "M21", "M24", "M25"];
    const few = [...Object.keys(MUTATORS), ...own].filter((name) => (counts.get(name) ?? 0) < LEAST);
    expect(few).toEqual([]);
  });
});
