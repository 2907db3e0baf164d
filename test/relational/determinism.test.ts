// What makes answers the same every time, and the traps of DuckDB that generated SQL has to go round.
// Expected values come from exact arithmetic here, never from DuckDB.
import { describe, expect, it } from "vitest";
import { roundedTo } from "../../src/contract/decimals.js";
import { OPEN_END_US } from "../../src/contract/instant.js";
import { randomOf, randomRows, tableOf } from "./random.js";
import { errorOf, oneValue, rowsOf, selected, type TestTable, type Value } from "./tables.js";

const column = (type: TestTable["types"][string], ...values: Value[]): TestTable => ({
  types: { v: type },
  rows: values.map((value) => [value]),
});
const values = async (text: string, tables: Record<string, TestTable>): Promise<unknown[]> =>
  (await rowsOf(text, tables)).map((row) => Object.values(row)[0]);

describe("integers and doubles", () => {
  const BIG = 2n ** 53n + 1n;
  const ints = column("int", BIG, 2n ** 53n, 3, -(2n ** 63n), 2n ** 63n - 1n);
  const doubles = column("double", 2 ** 53, 3, 2.5, 2 ** 63, -(2 ** 63), 1e300);

  it.each(["=", "<>", "<", "<=", ">", ">="])("compare by exact value: %s", async (op) => {
    const test: Readonly<Record<string, (a: bigint, b: number) => boolean>> = {
      // JavaScript compares bigint with number exactly.
      "=": (a, b) => !(a < b) && !(a > b),
      "<>": (a, b) => a < b || a > b,
      "<": (a, b) => a < b,
      "<=": (a, b) => a <= b,
      ">": (a, b) => a > b,
      ">=": (a, b) => a >= b,
    };
    let count = 0;
    for (const [a] of ints.rows)
      for (const [b] of doubles.rows) if (test[op]!(BigInt(a as number), Number(b))) count += 1;
    expect(await oneValue(`SELECT COUNT(*) AS n FROM i, d WHERE i.v ${op} d.v`, { i: ints, d: doubles })).toBe(count);
    expect(await oneValue(`SELECT COUNT(*) AS n FROM i, d WHERE NOT (d.v ${op} i.v)`, { i: ints, d: doubles })).toBe(
      30 -
        ((await oneValue(`SELECT COUNT(*) AS n FROM d JOIN i ON d.v ${op} i.v`, { i: ints, d: doubles })!) as number),
    );
  });

  it("do so beside literals, too", async () => {
    expect(await values("SELECT i.v = 9007199254740992.0 AS x FROM i ORDER BY i.v", { i: ints })).toEqual([
      false,
      false,
      true,
      false,
      false,
    ]);
    expect(await oneValue("SELECT 9007199254740993 = 9007199254740992.0 AS x")).toBe(false);
    expect(await oneValue("SELECT 3 = 3.0 AS x")).toBe(true);
  });

  it("do not mix in one column where the integer would be rounded", async () => {
    expect((await errorOf("SELECT i.v FROM i UNION ALL SELECT d.v FROM d", { i: ints, d: doubles })).code).toBe(
      "E_INVALID_ARG",
    );
    const small = column("int", 1, 2);
    expect(
      await values("SELECT i.v FROM i UNION SELECT d.v FROM d", { i: small, d: column("double", 2, 2.5) }),
    ).toEqual([1, 2, 2.5]);
  });

  it("sum exactly, and leave int64 by an error", async () => {
    const max = 2n ** 63n - 1n;
    const t = column("int", max, max, -max, 5);
    expect((await errorOf("SELECT SUM(t.v) AS s FROM t", { t })).code).toBe("E_LIMIT");
    expect(await oneValue("SELECT SUM(t.v) AS s FROM t", { t: column("int", max, -max, 5) })).toBe(5);
    expect((await errorOf("SELECT t.v * 2 AS s FROM t", { t })).code).toBe("E_LIMIT");
    expect((await errorOf("SELECT ABS(t.v) AS s FROM t", { t: column("int", -(2n ** 63n)) })).code).toBe("E_LIMIT");
  });

  it("average with one division", async () => {
    const random = randomOf(5);
    const big = (): bigint =>
      BigInt(random(2 ** 31)) * 2n ** 31n * (random(2) === 0 ? 1n : -1n) + BigInt(random(2 ** 31));
    for (let round = 0; round < 20; round += 1) {
      const all = Array.from({ length: 1 + random(7) }, big);
      const mean = exactQuotient(
        all.reduce((a, b) => a + b, 0n),
        BigInt(all.length),
      );
      expect(await oneValue("SELECT AVG(t.v) AS m FROM t", { t: column("int", ...all) })).toBe(mean);
    }
  });
});

/** The nearest double to a fraction, half to even, by long division. */
function exactQuotient(numerator: bigint, denominator: bigint): number {
  const isNegative = numerator < 0n;
  const n = isNegative ? -numerator : numerator;
  if (n === 0n) return 0;
  let shift = 0;
  while ((n << BigInt(shift)) / denominator < 2n ** 60n) shift += 1;
  const scaled = n << BigInt(shift);
  const bits = scaled / denominator;
  const extra = bits.toString(2).length - 53;
  const unit = 1n << BigInt(extra);
  const [whole, rest] = [bits / unit, bits % unit];
  const isMore = rest * 2n > unit || (rest * 2n === unit && (scaled % denominator !== 0n || whole % 2n === 1n));
  const value = Number(isMore ? whole + 1n : whole) * 2 ** (extra - shift);
  return isNegative ? -value : value;
}

describe("derived doubles", () => {
  it("are rounded to 9 decimals, half to even on the exact value", async () => {
    const random = randomOf(9);
    const all = Array.from({ length: 300 }, () => (random(2 ** 31) - 2 ** 30) * 2 ** -(random(24) + 1));
    const t: TestTable = { types: { i: "int", v: "double" }, rows: all.map((value, i) => [i, value]) };
    const found = await rowsOf("SELECT t.i, t.v * 1.0 AS x, t.v AS y FROM t ORDER BY t.i", { t });
    expect(found.map(({ x }) => x)).toEqual(all.map((value) => roundedTo(value, 9) + 0));
    expect(
      found.map(({ y }) => y),
      "a stored one is not",
    ).toEqual(all);
  });

  it("are rounded before they are compared, grouped and ordered, and not inside a sum", async () => {
    expect(await oneValue("SELECT 0.1 + 0.2 = 0.3 AS x")).toBe(true);
    expect(await oneValue("SELECT CEIL(0.1 * 3 * 10) AS x")).toBe(3);
    const t = column("double", 0.1, 0.2, 0.3, 0.4);
    expect(await rowsOf("SELECT t.v + 0.2 AS k, COUNT(*) AS n FROM t GROUP BY k HAVING k <> 0.4", { t })).toEqual([
      { k: 0.3, n: 1 },
      { k: 0.5, n: 1 },
      { k: 0.6, n: 1 },
    ]);
    expect(await oneValue("SELECT 1000000000 * (0.0000000004 + 0.0000000004) AS x")).toBe(0.8);
  });

  it("are never NaN, infinite or -0", async () => {
    const t: TestTable = {
      types: { a: "double", b: "double" },
      rows: [
        [1, 0],
        [0, 0],
        [1e308, 1e-10],
        [-1, 0],
      ],
    };
    expect(
      await rowsOf("SELECT t.a / t.b AS q, t.a * 1e10 AS p, SQRT(t.a) AS r, t.a % t.b AS m FROM t", { t }),
    ).toEqual([
      { q: null, p: null, r: 1e154, m: expect.any(Number) },
      { q: null, p: -1e10, r: null, m: null },
      { q: null, p: 0, r: 0, m: null },
      { q: null, p: 1e10, r: 1, m: null },
    ]);
    expect(await oneValue("SELECT 1 / 0 AS x")).toBe(null);
    expect(await oneValue("SELECT DIV(1, 0) AS x")).toBe(null);
    expect(Object.is(await oneValue("SELECT -0.0 * 1 AS x"), 0)).toBe(true);
  });

  it("sum compensated, in the order of the rows", async () => {
    const many = column("double", ...Array.from({ length: 4000 }, (_, i) => (i % 2 === 0 ? 1e8 : 1e-8)));
    expect(await oneValue("SELECT SUM(t.v) AS s FROM t", { t: many })).toBe(2e11 + 2e-5);
  });
});

describe("FOREVER", () => {
  const t: TestTable = {
    types: { i: "int", f: "instant", t: "instant_open" },
    rows: [
      [1, 0, OPEN_END_US],
      [2, 5, 10],
      [3, null, null],
    ],
  };
  it("is above every instant, and has no arithmetic", async () => {
    expect(
      await rowsOf(
        "SELECT t.i, t.t - t.f AS d, t.t + DURATION 'PT1S' AS p, t.t = FOREVER AS o, YEAR_OF.y FROM t, (SELECT 1 AS y) AS YEAR_OF ORDER BY t.t DESC",
        { t },
      ),
    ).toEqual([
      { i: 1, d: null, p: null, o: true, y: 1 },
      { i: 2, d: "PT0.000005S", p: "1970-01-01T00:00:01.000010Z", o: false, y: 1 },
      { i: 3, d: null, p: null, o: null, y: 1 },
    ]);
    expect(await oneValue("SELECT DATE_PART('year', FOREVER) AS y")).toBe(null);
    expect(await oneValue("SELECT MAX(t.t) = FOREVER AS m FROM t", { t })).toBe(true);
    expect(await oneValue("SELECT AVG(t.t) AS m FROM t", { t })).toBe("1970-01-01T00:00:00.000010Z");
  });

  it("leaving the calendar is an error", async () => {
    expect((await errorOf("SELECT TIMESTAMP '9999-12-31T00:00:00Z' + DURATION 'P5D' AS x")).code).toBe("E_LIMIT");
  });
});

describe("the same bytes", () => {
  const QUERIES = [
    "SELECT t.k, COUNT(*) AS c, ARG_MAX(t.seq, t.n) AS a, LIST(t.n) AS l, STRING_AGG(t.k, ',') AS s FROM t GROUP BY t.k",
    "SELECT t.seq, ROW_NUMBER() OVER (ORDER BY t.n) AS r, LAG(t.k) OVER (PARTITION BY t.ok ORDER BY t.at) AS p FROM t",
    "SELECT t.k, u.seq FROM t JOIN t AS u ON u.n = t.n AND u.at <= t.at ORDER BY t.n DESC LIMIT 500",
    "SELECT t.n, COUNT(DISTINCT t.k) AS d, FIRST_VALUE(t.n) OVER (ORDER BY COUNT(*)) AS f FROM t GROUP BY t.n",
  ];
  const rows = Array.from({ length: 400 }, (_, i) => randomRows(randomOf(i))).flat();
  const t = tableOf(rows.map((row, seq) => ({ ...row, seq })));

  it.each(QUERIES)("on one thread and on four: %s", async (text) => {
    const one = (await selected(text, { t }, { options: { threads: 1 } })).rows();
    expect((await selected(text, { t }, { options: { threads: 4 } })).rows()).toEqual(one);
    expect(one.length).toBeGreaterThan(3);
  });

  it.each(QUERIES)("whatever order the rows come in, but for their own: %s", async (text) => {
    const turned = { ...t, rows: [...t.rows].reverse() };
    expect(await rowsOf(text, { t: turned })).toEqual(await rowsOf(text, { t }));
  });
});

describe("standing order", () => {
  it("goes by code point, FALSE before TRUE, lists item by item with NULL first, JSON by canonical text", async () => {
    expect(await values("SELECT t.v FROM t", { t: column("string", "😀", "～", "a", null, "Z", "ä") })).toEqual([
      null,
      "Z",
      "a",
      "ä",
      "～",
      "😀",
    ]);
    expect(await values("SELECT t.v FROM t", { t: column("bool", true, null, false) })).toEqual([null, false, true]);
    expect(await values("SELECT t.v FROM t", { t: column("json", { b: 1, a: 2 }, [2], [10], "x", 1.5) })).toEqual([
      "x",
      1.5,
      [10],
      [2],
      { a: 2, b: 1 },
    ]);
    const t: TestTable = {
      types: { g: "int", v: "int" },
      rows: [
        [1, 2],
        [2, null],
        [2, 2],
        [3, 2],
        [3, 1],
        [4, 2],
        [4, 2],
      ],
    };
    const lists = await values("SELECT q.l FROM (SELECT t.g, LIST(t.v) AS l FROM t GROUP BY t.g) AS q", { t });
    expect(lists).toEqual([[null, 2], [1, 2], [2], [2, 2]]);
  });
});
