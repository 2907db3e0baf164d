// compute against brute force on random tables full of ties, nulls and open ends, and law 21 of docs/contract.md.
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../../src/contract/canonical.js";
import { CASE_COUNT, FIRST_SEED } from "../support/case-count.js";
import { PlainCompute, type Row, type Types } from "../support/plain-compute.js";
import { Random } from "../support/random.js";
import { allRows, callCompute } from "../support/storeless.js";

const TYPES: Types = {
  g: "string",
  i: "int",
  x: "double",
  b: "bool",
  t: "instant",
  e: "instant_open",
  d: "duration",
  j: "json",
};
const NAMED = { t: "instant", e: "instant_open", d: "duration" };
const COLUMNS = Object.keys(TYPES);
const SORTABLE = COLUMNS;
const plain = new PlainCompute(TYPES);

const instant = (random: Random) =>
  random.pick(["2020-01-01T00:00:00Z", "2020-01-01T00:00:00.000001Z", "-0043-03-15T00:00:00Z", "9999-12-31T23:59:59Z"]);

function randomRow(random: Random): Row {
  const orNull = <T>(value: T): T | null => (random.chance(1, 5) ? null : value);
  return {
    g: orNull(random.pick(["", "a", "b", "\uff5e", "\u{1f600}", 'q"'])),
    i: orNull(random.pick([0, 1, -1, 3, 2n ** 53n + 1n, -(2n ** 62n), 2 ** 53 - 1])),
    x: orNull(random.pick([0.1, 0.2, -0.3, 1, 1e16, 10n ** 16n, 1e-7, 2 ** 53, 2n ** 53n, 1.5e300, -1.5e300])),
    b: orNull(random.chance(1, 2)),
    t: orNull(instant(random)),
    e: orNull(instant(random)),
    d: orNull(random.pick(["PT0S", "PT1H", "-PT0.000001S", "PT400000H"])),
    j: orNull(random.pick([[], [1], ["a"], { a: 1 }, { b: null }])),
  };
}

const randomTable = (random: Random, most: number): Row[] => [
  // So that the classes of every column are met.
  { g: "a", i: 1, x: 0.5, b: true, t: "2020-01-01T00:00:00Z", e: null, d: "PT1H", j: [] },
  ...random.list(most, () => randomRow(random)),
];

const some = (random: Random, columns: readonly string[], most: number): string[] => {
  const chosen = random.some(columns).slice(0, most);
  return chosen.length > 0 ? chosen : [random.pick(columns)];
};

async function compareRows(random: Random, args: object, expected: Row[]): Promise<void> {
  const rows = await allRows({ ...args, types: NAMED }, random.pick([1, 2, 7, 10_000]));
  expect(
    rows.map((row) => canonicalJson(row)),
    canonicalJson(args),
  ).toEqual(expected.map((row) => canonicalJson(row)));
}

const MEASURES: readonly [fn: string, columns: readonly string[]][] = [
  ["count", COLUMNS],
  ["count_distinct", COLUMNS],
  ["min", ["g", "i", "x", "b", "t", "e", "d"]],
  ["max", ["g", "i", "x", "b", "t", "e", "d"]],
  ["sum", ["i", "x", "d"]],
  ["mean", ["i", "x", "t", "e", "d"]],
  ["median", ["i", "x", "t", "e", "d"]],
  ["stddev", ["i", "x", "t", "d"]],
  ["percentile", ["g", "i", "x", "t", "e", "d"]],
];

function randomMeasure(random: Random): { fn: string; field: string; p: number | null } {
  const [fn, columns] = random.pick(MEASURES);
  return { fn, field: random.pick(columns), p: fn === "percentile" ? random.pick([0, 0.1, 25, 33.3, 50, 100]) : null };
}

/** Sums of large integers may leave int64, and squares a double: then the outcome is its code. */
async function outcome<T>(work: () => T | Promise<T>): Promise<T | string> {
  try {
    return await work();
  } catch (error) {
    return (error as { code: string }).code;
  }
}

const seeds = Array.from({ length: CASE_COUNT }, (_, i) => FIRST_SEED + i);

describe("compute by brute force", () => {
  it.each(seeds)("aggregates, seed %i", async (seed) => {
    const random = new Random(seed);
    const input = randomTable(random, 12);
    for (let n = 0; n < 12; n += 1) {
      const { fn, field, p } = randomMeasure(random);
      const args = { fn, input, field, types: NAMED, ...(p === null ? {} : { p }) };
      const got = await outcome(async () => (await callCompute(args)).value);
      const wanted = await outcome(() => plain.aggregate(input, fn, field, p ?? 0));
      expect(canonicalJson(got), canonicalJson(args)).toBe(canonicalJson(wanted));
    }
    expect((await callCompute({ fn: "count_distinct", input, types: NAMED })).value).toBe(
      plain.aggregate(input, "count_distinct", null),
    );
  });

  it.each(seeds)("groups, seed %i", async (seed) => {
    const random = new Random(seed);
    const input = randomTable(random, 20).map((row) => ({ ...row, i: random.below(5), x: random.below(9) / 4 }));
    const by = some(random, COLUMNS, 3);
    const aggregates = Array.from({ length: 1 + random.below(3) }, (_, n) => ({
      ...randomMeasure(random),
      as: `as${n}`,
    }));
    const expected = plain.groups(input, by).map(({ key, rows }) => ({
      ...key,
      ...Object.fromEntries(aggregates.map(({ fn, field, p, as }) => [as, plain.aggregate(rows, fn, field, p ?? 0)])),
    }));
    await compareRows(random, { fn: "group", input, by, aggregates }, expected);
    const { fn, field, p } = aggregates[0]!;
    await compareRows(
      random,
      { fn, input, by, field, ...(p === null ? {} : { p }) },
      plain.groups(input, by).map(({ key, rows }) => ({ ...key, value: plain.aggregate(rows, fn, field, p ?? 0) })),
    );
  });

  it.each(seeds)("orders, sets and joins, seed %i", async (seed) => {
    const random = new Random(seed);
    const [input, other] = [randomTable(random, 20), randomTable(random, 12)];
    const order = some(random, SORTABLE, 3).map((field) => ({ field, desc: random.chance(1, 2) }));
    const sorted = plain.sort(input, order);
    await compareRows(random, { fn: "sort", input, order }, sorted);

    const by = random.chance(1, 2) ? some(random, COLUMNS, 2) : null;
    const side = random.pick(["top", "bottom"] as const);
    const k = 1 + random.below(5);
    const pct = random.pick([0, 10, 33.3, 50, 100]);
    await compareRows(
      random,
      { fn: "topk", input, order, by, side, k },
      plain.top(sorted, by ?? [], () => k, side),
    );
    const share = (size: number): number => Math.ceil(Math.round(size * pct * 10) / 1000);
    await compareRows(random, { fn: "topk", input, order, by, side, pct }, plain.top(sorted, by ?? [], share, side));

    const fields = some(random, COLUMNS, 3);
    await compareRows(random, { fn: "distinct", input, fields }, plain.distinct(input, fields));
    await compareRows(random, { fn: "distinct", input }, plain.distinct(input, COLUMNS));
    for (const fn of ["union", "intersect", "difference"]) {
      const all = random.chance(1, 2);
      await compareRows(random, { fn, input, other, fields, all }, plain.set(fn, input, other, fields, all));
    }
    for (const how of ["inner", "left", "semi", "anti"]) {
      const on = some(random, COLUMNS, 2).map((column): [string, string] => [column, column]);
      await compareRows(random, { fn: "join", input, other, on, how }, plain.join(input, other, on, how, "r_"));
    }
    await compareRows(
      random,
      { fn: "join", input, other, on: [["t", "e"]] },
      plain.join(input, other, [["t", "e"]], "inner", "r_"),
    );
  });
});

describe("law 21", () => {
  const shuffled = (random: Random, rows: readonly Row[]): Row[] => {
    const left = [...rows];
    return rows.map(() => left.splice(random.below(left.length), 1)[0]!);
  };

  it.each(seeds)("a permutation of the rows changes no aggregate, seed %i", async (seed) => {
    const random = new Random(seed);
    const input = randomTable(random, 25);
    const again = shuffled(random, input);
    for (const [fn, columns] of MEASURES) {
      const args = { fn, types: NAMED, field: random.pick(columns), ...(fn === "percentile" ? { p: 40 } : {}) };
      const [first, second] = await Promise.all(
        [input, again].map((rows) => outcome(async () => (await callCompute({ ...args, input: rows })).value)),
      );
      expect(canonicalJson(second), canonicalJson(args)).toBe(canonicalJson(first));
    }
    const group = { fn: "group", types: NAMED, by: some(random, COLUMNS, 2), aggregates: [{ fn: "count", as: "n" }] };
    expect(canonicalJson(await allRows({ ...group, input: again }))).toBe(
      canonicalJson(await allRows({ ...group, input })),
    );
    for (const fn of ["union", "intersect", "difference"]) {
      const args = { fn, types: NAMED, other: input.slice(0, 9), all: true };
      expect(canonicalJson(await allRows({ ...args, input: again }))).toBe(
        canonicalJson(await allRows({ ...args, input })),
      );
    }
  });

  it.each(seeds)("mean = sum / count, sizes of sets, shares and joins, seed %i", async (seed) => {
    const random = new Random(seed);
    const input = Array.from({ length: 20 }, () => random.below(1000));
    const other = Array.from({ length: 10 }, () => random.below(1000) - 400);
    const value = async (args: object) => (await callCompute(args)).value as number;
    const count = async (args: object) => (await callCompute({ ...args, limit: 1 })).rows_total!;
    const sum = await value({ fn: "sum", input });
    expect(await value({ fn: "mean", input })).toBe(await value({ fn: "ratio", x: sum, y: input.length }));

    const sizes = await Promise.all(["union", "intersect"].map((fn) => count({ fn, input, other })));
    expect(sizes[0]! + sizes[1]!).toBe(
      (await count({ fn: "distinct", input })) + (await count({ fn: "distinct", input: other })),
    );
    const bags = await Promise.all(
      ["union", "intersect", "difference"].map((fn) => count({ fn, input, other, all: true })),
    );
    expect(bags[0]).toBe(30);
    expect(bags[1]! + bags[2]!).toBe(20);

    const pct = 5 * random.below(21);
    const order = [{ field: "value" }];
    const top = await allRows({ fn: "topk", input, order, pct });
    const bottom = await allRows({ fn: "topk", input, order, pct: 100 - pct, side: "bottom" });
    expect([...top, ...bottom]).toEqual(await allRows({ fn: "sort", input, order }));

    const on = [["value", "value"]];
    const join = async (how: string) => count({ fn: "join", input, other, on, how });
    expect((await join("semi")) + (await join("anti"))).toBe(20);
    expect((await join("inner")) + (await join("anti"))).toBe(await join("left"));
    const times = (list: number[], each: number) => list.filter((member) => member === each).length;
    expect(await join("inner")).toBe(input.reduce((total, each) => total + times(other, each), 0));
  });
});
