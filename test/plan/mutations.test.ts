// A thousand seeded mutations of valid plans: each is refused with violations, or runs, or fails with a typed error.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "../../src/contract/values.js";
import { type Database, PalimpsestError } from "../../src/index.js";
import { planDigest } from "../../src/plan/index.js";
import { Random } from "../support/random.js";
import { PLANS, ref, storeOfPlans } from "./varied-plans.js";

const STRANGE: readonly JsonValue[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e300,
  2n ** 62n,
  "",
  "s1",
  "s1.rows[0].uid",
  "tx:1",
  "tx:99",
  "P1M",
  "2020-01-01",
  "ghost",
  "\u0000",
  "'; DROP TABLE e; --",
  [],
  {},
  [[]],
  ref("s1"),
  ref("e.rows[*].src"),
  ref("m.rows_total"),
  ref("n.nodes"),
  ref("s1.rows[99].src"),
  ref("x.y"),
  { $ref: 3 } as JsonObject,
];

type Spot = { readonly holder: JsonObject | JsonValue[]; readonly key: string | number };

function spots(value: JsonValue, found: Spot[] = []): Spot[] {
  if (typeof value !== "object" || value === null) return found;
  const keys = Array.isArray(value) ? value.keys() : Object.keys(value);
  for (const key of keys) {
    found.push({ holder: value as JsonObject, key });
    spots((value as Record<string | number, JsonValue>)[key]!, found);
  }
  return found;
}

/** One change somewhere: another value, one thing less, one thing twice, a piece of another plan, or a bent text. */
function mutate(plan: JsonObject, random: Random): void {
  const all = spots(plan);
  const { holder, key } = random.pick(all);
  const target = holder as Record<string | number, JsonValue>;
  const other = spots(structuredClone(random.pick(PLANS)) as JsonObject);
  const value = target[key]!;
  switch (random.below(6)) {
    case 0:
      target[key] = structuredClone(random.pick(STRANGE));
      break;
    case 1:
      if (Array.isArray(holder)) holder.splice(key as number, 1);
      else delete target[key];
      break;
    case 2:
      if (Array.isArray(holder)) holder.push(structuredClone(value));
      else target[`${key}2`] = structuredClone(value);
      break;
    case 3: {
      const from = random.pick(other);
      target[key] = (from.holder as Record<string | number, JsonValue>)[from.key]!;
      break;
    }
    case 4:
      if (typeof value === "string") target[key] = bent(value, random);
      else if (typeof value === "number") target[key] = value * 1000 - 1;
      else target[key] = [value];
      break;
    default:
      target[key] =
        typeof value === "string" ? value.replace(/[a-z]/, (letter) => letter.toUpperCase()) : String(value);
  }
}

function bent(text: string, random: Random): string {
  const at = random.below(text.length + 1);
  return random.below(2) === 0
    ? text.slice(0, at) + text.slice(at + 1)
    : `${text.slice(0, at)}${random.pick(["[0]", ".", "*", "é", "-"])}${text.slice(at)}`;
}

let db: Database;
beforeAll(async () => {
  db = await storeOfPlans();
});
afterAll(() => db.close());

describe("a plan", () => {
  it.each(PLANS.map((plan, i) => [i, plan] as const))("number %i is valid as it is, and runs", async (_, plan) => {
    expect(db.verify(plan).violations).toEqual([]);
    expect((await db.run(plan)).answer).not.toBeNull();
  });

  it("that was changed is refused, or runs, or fails with a typed error", async () => {
    const outcomes = { refused: 0, ran: 0, failed: 0 };
    for (let seed = 1; seed <= 1000; seed += 1) {
      const random = new Random(seed);
      const plan = structuredClone(PLANS[seed % PLANS.length]!) as JsonObject;
      for (let i = 0; i <= random.below(3); i += 1) mutate(plan, random);
      const { valid, violations } = db.verify(plan);
      expect(
        violations.map(({ code }) => code),
        `seed ${seed}`,
      ).not.toContain("E_INTERNAL");
      const error = await db.run(plan).then(
        () => null,
        (thrown: unknown) => thrown,
      );
      if (valid) {
        expect(planDigest(plan)).toMatch(/^[0-9a-f]{64}$/);
        if (error === null) outcomes.ran += 1;
        else {
          expect(error, `seed ${seed}`).toBeInstanceOf(PalimpsestError);
          expect((error as PalimpsestError).code, `seed ${seed}`).not.toMatch(/E_INTERNAL|E_PLAN_INVALID/);
          outcomes.failed += 1;
        }
      } else {
        expect(error, `seed ${seed}`).toMatchObject({ code: "E_PLAN_INVALID", details: { violations } });
        outcomes.refused += 1;
      }
    }
    expect(outcomes.ran + outcomes.failed).toBeGreaterThan(20);
    expect(outcomes.refused).toBeGreaterThan(300);
  });
});
