// fact_freshness against the reference engine, its law, and the two readers of texts that it needs: confirmations and
// weights.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../../src/contract/canonical.js";
import { roundedTo } from "../../src/contract/decimals.js";
import { parseInstant } from "../../src/contract/parse-instant.js";
import { callOperator } from "../../src/operators/pipeline.js";
import { rounded } from "../../src/reference/exact-numbers.js";
import { SEEDS } from "../support/case-count.js";
import { comparisonSuite } from "../support/engine-comparison.js";
import { type Fields, LawStore, onRandomStore } from "../support/law-store.js";
import { nativeCaseStore } from "../support/native-case-store.js";
import { Random } from "../support/random.js";
import { freshnessCall } from "../support/random-calls.js";
import { randomInstant, TYPES } from "../support/random-store.js";
import { referenceCaseStore } from "../support/reference-case-store.js";

comparisonSuite("fact_freshness on random stores", 12, freshnessCall);

describe("law 20, freshness", () => {
  const STATUSES = ["current", "superseded", "expired", "retracted", "future"];
  let compared = 0;
  it.each(SEEDS)("an older basis never weighs more, and nothing superseded stands above, seed %i", (seed) =>
    onRandomStore(seed, async (store, random) => {
      const uids = await store.knownUids();
      for (const src of uids.slice(0, 3)) {
        const args = { src, functional: random.some(TYPES), age: "exact", include: STATUSES };
        const half = { default: random.pick([1e-4, 1]), by_type: { M: null } };
        const rows = await store.rows("fact_freshness", { ...args, at: randomInstant(random), half_life: half });
        const ranks = rows.map(({ status }) => STATUSES.indexOf(status as string));
        expect(ranks).toEqual([...ranks].sort((a, b) => a - b));
        for (const row of rows) {
          if (row.weight === null) continue;
          expect(row.weight).toBeGreaterThanOrEqual(0);
          expect(row.weight).toBeLessThanOrEqual(1);
          if (row.half_life === null) expect(row.weight).toBe(1);
          const basis = parseInstant(row.basis, "basis");
          const older = rows.filter(
            (other) => other.half_life === row.half_life && parseInstant(other.basis, "basis") < basis,
          );
          for (const other of older)
            if (other.weight !== null) expect(other.weight).toBeLessThanOrEqual(row.weight as number);
          compared += older.length;
        }
      }
    }),
  );
  it("had facts to compare", () => {
    expect(compared).toBeGreaterThan(SEEDS.length);
  });
});

/** Texts that are instants, nearly instants, and none. */
function anyText(random: Random): string {
  const year = random.pick(["2020", "2019", "0000", "-0000", "-0043", "9999", "+2020", "02020", "-9999", "2020"]);
  const month = random.pick(["01", "02", "06", "12", "13", "00", "1"]);
  const day = random.pick(["01", "28", "29", "30", "31", "00", "32"]);
  if (random.chance(1, 6)) return `${year}-${month}-${day}`;
  const separator = random.pick(["T", "T", "t", " ", "  ", "_"]);
  const time = random.pick([
    "00:00:00",
    "12:34:56",
    "23:59:59",
    "24:00:00",
    "11:60:00",
    "11:11:60",
    "1:11:11",
    "11:11",
  ]);
  const fraction = random.pick(["", "", ".5", ".123456", ".1234560", ".1234567", ".", ".000000000000000000000"]);
  const zone = random.pick([
    "Z",
    "Z",
    "z",
    "+00:00",
    "-00:00",
    "+02:00",
    "-23:59",
    "+24:00",
    "+02:60",
    "",
    "+0200",
    "Z ",
  ]);
  return `${year}-${month}-${day}${separator}${time}${fraction}${zone}`;
}

describe("confirmations", () => {
  it.each([1, 2])("are the texts that are instants, as everywhere, seed %i", async (seed) => {
    const random = new Random(seed);
    const [native, reference] = [await nativeCaseStore(), referenceCaseStore()];
    try {
      const texts = [
        "2020-02-29",
        "+10000-01-01T00:00:00Z",
        "9999-12-31T23:59:59.999999Z",
        "-9999-01-01T00:00:00+00:01",
      ];
      for (let i = 0; i < 300; i += 1) texts.push(anyText(random));
      const ops = texts.map((seen, i) => ({
        op: "assert_edge",
        src: "a",
        type: "R",
        dst: `d${i}`,
        props: { seen },
        valid_from: "-9999-01-01",
      }));
      for (const store of [native, reference]) await store.write(ops, "2021-01-01T00:00:00Z");
      const args = { src: "a", at: "9999-12-31T23:59:59.999999Z", confirmed_prop: "seen", age: "exact", limit: 1000 };
      const [mine, theirs] = await Promise.all(
        [native, reference].map((store) => callOperator(store.engine, "fact_freshness", args)),
      );
      expect(canonicalJson(mine as never)).toBe(canonicalJson(theirs as never));
      const rows = (mine as unknown as { rows: Fields[] }).rows;
      const confirmed = rows.filter(({ basis_kind }) => basis_kind === "confirmed");
      expect(confirmed.length).toBeGreaterThan(10);
      expect(confirmed.length).toBeLessThan(rows.length - 100);
    } finally {
      await native.close();
    }
  });
});

it("weights round half to even on the exact value", () => {
  expect([0.25, 0.75, 0.125, 0.375, 0.5, 1, 0].map((value) => roundedTo(value, 1))).toEqual([
    0.2, 0.8, 0.1, 0.4, 0.5, 1, 0,
  ]);
  expect([roundedTo(0.125, 2), roundedTo(0.375, 2), roundedTo(2 ** -10, 9)]).toEqual([0.12, 0.38, 0.000976562]);
  const dyadic = fc.tuple(fc.integer({ min: 0, max: 2 ** 12 }), fc.integer({ min: 0, max: 14 }));
  const value = fc.oneof(
    fc.double({ min: 0, max: 1, noNaN: true }),
    dyadic.map(([part, bits]) => Math.min(1, part / 2 ** bits)),
    fc.integer({ min: 0, max: 10 ** 9 }).map((part) => part / 10 ** 9),
  );
  fc.assert(
    fc.property(value, fc.integer({ min: 1, max: 9 }), (each, digits) => {
      expect(roundedTo(each, digits)).toBe(rounded(each, digits));
    }),
    { numRuns: 2000 },
  );
});

it("follows a subject that was corrected thousands of times", async () => {
  const store = await LawStore.of([]);
  try {
    const ops = Array.from({ length: 3000 }, (_, i) => ({
      op: "assert_edge",
      src: "a",
      type: "R",
      dst: "b",
      valid_from: { us: 2 * i },
      valid_to: { us: 2 * i + 1 },
    }));
    await store.write({ ops, txTime: "2021-01-01T00:00:00Z" });
    const whole = { op: "retract", ref: { src: "a", type: "R", dst: "b" }, valid_from: { us: 0 } };
    await store.write({ ops: [whole], txTime: "2021-01-02T00:00:00Z" });
    await store.write({ ops: ops.slice(0, 1500), txTime: "2021-01-03T00:00:00Z" });
    const args = { src: "a", at: "2020-01-01", include: ["current", "superseded", "expired", "retracted", "future"] };
    const envelope = await store.call("fact_freshness", args);
    expect(envelope.totals).toEqual({ current: 0, superseded: 1499, expired: 1, retracted: 1500, future: 0 });
    expect(envelope.rows_total).toBe(3000);
  } finally {
    await store.close();
  }
});
