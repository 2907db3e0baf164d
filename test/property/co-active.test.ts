// co_active against the reference engine, and its laws: Allen's relations part all pairs, sides turn round, filters and
// windows only add and remove.

import { describe, expect, it } from "vitest";
import { ALLEN_RELATIONS } from "../../src/contract/allen.js";
import { canonicalJson } from "../../src/contract/canonical.js";
import { callOperator } from "../../src/operators/pipeline.js";
import { SEEDS } from "../support/case-count.js";
import { comparisonSuite } from "../support/engine-comparison.js";
import { type Fields, LawStore, onRandomStore } from "../support/law-store.js";
import { nativeCaseStore } from "../support/native-case-store.js";
import type { Random } from "../support/random.js";
import { coActiveCall } from "../support/random-calls.js";
import { randomWhere, randomWindow, TYPES } from "../support/random-store.js";

const text = (value: unknown): string => canonicalJson(value as never);
const INVERSE: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ALLEN_RELATIONS.slice(0, 6).flatMap((name, i) => [
      [name, ALLEN_RELATIONS[i + 7]!],
      [ALLEN_RELATIONS[i + 7]!, name],
    ]),
  ),
  equals: "equals",
};
const ALL_GAPS = "P8000000D";

comparisonSuite("co_active on random stores", 12, coActiveCall);

const pairsOf = async (store: LawStore, args: Fields): Promise<string[]> =>
  (await store.rows("co_active", args)).map(({ a, b }) => text([a, b])).sort();
const law = (check: (store: LawStore, random: Random) => Promise<void>) => (seed: number) => onRandomStore(seed, check);
const sides = (random: Random): Fields => ({
  a: { where: random.chance(1, 2) ? {} : { types: TYPES.slice(random.below(2), 3) } },
  b: random.chance(1, 2) ? {} : { where: { types: TYPES.slice(1) } },
  on: random.pick(["pair", "unordered_pair", "any_node", [["dst", "src"]], []]),
});

describe("law 18, Allen", () => {
  let found = 0;
  it.each(SEEDS)(
    "the relations part all pairs, and those that intersect have an overlap, seed %i",
    law(async (store, random) => {
      const args = { ...sides(random), window: randomWindow(random) };
      const gaps = (name: string) => (name === "before" || name === "after" ? { max_gap: ALL_GAPS } : {});
      const all = await store.rows("co_active", { ...args, relations: ALLEN_RELATIONS, max_gap: ALL_GAPS });
      const parts: Fields[] = [];
      for (const name of ALLEN_RELATIONS) {
        const rows = await store.rows("co_active", { ...args, relations: [name], ...gaps(name) });
        expect(rows.every(({ relation }) => relation === name)).toBe(true);
        parts.push(...rows);
      }
      expect(parts.map(text).sort(), text(args)).toEqual(all.map(text).sort());
      expect(new Set(all.map(({ a, b }) => text([a, b]))).size).toBe(all.length);
      const overlapping = all.filter(({ overlap }) => overlap !== null);
      expect(await store.rows("co_active", { ...args, relations: "intersects" }), text(args)).toEqual(overlapping);
      found += new Set(all.map(({ relation }) => relation)).size;
    }),
  );
  it("had pairs of most relations", () => {
    expect(found).toBeGreaterThan(3 * SEEDS.length);
  });

  it.each(SEEDS)(
    "exchanging a and b inverts the relation, and unordered keeps one of two, seed %i",
    law(async (store, random) => {
      const { a, b, on } = sides(random);
      const turnedOn = typeof on === "string" ? on : (on as string[][]).map(([x, y]) => [y, x]);
      const args = { relations: ALLEN_RELATIONS, max_gap: ALL_GAPS, window: randomWindow(random) };
      const there = await store.rows("co_active", { ...args, a, b, on });
      const back = await store.rows("co_active", { ...args, a: b, b: a, on: turnedOn });
      const turned = back.map((row) => ({ ...row, a: row.b, b: row.a, relation: INVERSE[row.relation as string] }));
      expect(there.map(text).sort(), text([a, b, on])).toEqual(turned.map(text).sort());
      const both = { ...args, a, b: a, on: "unordered_pair" };
      const once = await pairsOf(store, { ...both, unordered: true });
      const twice = await pairsOf(store, both);
      const mirrored = once.map((pair) => text((JSON.parse(pair) as unknown[]).reverse()));
      expect([...once, ...mirrored].sort(), text(a)).toEqual(twice);
    }),
  );
});

describe("laws 9 and 10", () => {
  it.each(SEEDS)(
    "a larger window or gap never loses a pair, and no further filter adds one, seed %i",
    law(async (store, random) => {
      const args = { ...sides(random), relations: ["before", "meets", "overlaps", "equals"], max_gap: "PT2S" };
      const window = randomWindow(random);
      const [small, all] = [await pairsOf(store, { ...args, window }), await pairsOf(store, args)];
      expect(
        small.filter((pair) => !all.includes(pair)),
        text([args, window]),
      ).toEqual([]);
      const farther = await pairsOf(store, { ...args, max_gap: "PT20S" });
      expect(
        all.filter((pair) => !farther.includes(pair)),
        text(args),
      ).toEqual([]);
      const { types, keys, node } = randomWhere(random);
      const where = { ...(types ? { types } : {}), ...(keys ? { keys } : {}), ...(node ? { node } : {}) };
      const fewer = await pairsOf(store, { ...args, a: { where }, b: {} });
      const more = await pairsOf(store, { ...args, a: {}, b: {} });
      expect(
        fewer.filter((pair) => !more.includes(pair)),
        text(where),
      ).toEqual([]);
    }),
  );
});

describe("hostile questions", () => {
  const event = (i: number): Fields => ({
    op: "assert_edge",
    src: `s${i % 7}`,
    type: "M",
    dst: `d${i % 5}`,
    key: `${i}`,
    valid_from: { us: i % 50 },
    valid_to: i % 3 === 0 ? null : { us: (i % 50) + 1 + (i % 11) },
  });
  const ops = Array.from({ length: 1500 }, (_, i) => event(i));
  const all = { a: {}, b: {}, relations: "intersects" };

  it("stop at their signal, their deadline and their ceilings", async () => {
    const store = await nativeCaseStore();
    try {
      await store.write(ops, "2021-01-01T00:00:00Z");
      const ask = (args: Fields, options: Fields) => callOperator(store.engine, "co_active", args, options);
      await expect(ask(all, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: "E_CANCELLED" });
      await expect(ask(all, { timeoutMs: 0 })).rejects.toMatchObject({ code: "E_CANCELLED" });
      await expect(ask(all, { ceilings: { steps: 1000 } })).rejects.toMatchObject({
        code: "E_COST",
        details: { at: "estimate" },
      });
      const whole = (await ask({ ...all, limit: 1 }, {})) as unknown as Fields;
      expect(whole.rows_total).toBeGreaterThan(100_000);
      // Pages out of the middle are those of the whole list.
      const rows = ((await ask({ ...all, limit: 10_000 }, {})) as unknown as { rows: Fields[]; cursor: string }).rows;
      const paged: Fields[] = [];
      for (let cursor: string | null = null; paged.length < 10_000; ) {
        const page: { rows: Fields[]; cursor: string } = (await ask({ ...all, limit: 777, cursor }, {})) as never;
        paged.push(...page.rows);
        cursor = page.cursor;
      }
      expect(text(paged.slice(0, 10_000))).toBe(text(rows));
    } finally {
      await store.close();
    }
  });

  it("at the ends of time", async () => {
    const store = await LawStore.of([]);
    try {
      const edge = (src: string, valid_from: string, valid_to: string | null) => ({
        op: "assert_edge",
        src,
        type: "M",
        dst: "d",
        valid_from,
        valid_to,
      });
      await store.write({
        ops: [
          edge("first", "-9999-01-01T00:00:00Z", "-9999-01-01T00:00:00.000001Z"),
          edge("last", "9999-12-31T23:59:59.999999Z", "+10000-01-01T00:00:00Z"),
          edge("open", "9999-12-31T23:59:59.999999Z", null),
        ],
        txTime: "2021-01-01T00:00:00Z",
      });
      const longest = "PT1281023894H27.387903S";
      const args = { a: {}, b: {}, relations: ALLEN_RELATIONS, max_gap: longest, unordered: true };
      const rows = await store.rows("co_active", args);
      expect(rows.map(({ a, b, relation }) => [(a as Fields).src, relation, (b as Fields).src])).toEqual([
        ["first", "before", "last"],
        ["first", "before", "open"],
        ["last", "starts", "open"],
      ]);
      expect(rows[0]!.gap).toBe(rows[1]!.gap);
      expect(await store.rows("co_active", { ...args, min_gap: longest, relations: ["before"] })).toEqual([]);
    } finally {
      await store.close();
    }
  });
});
