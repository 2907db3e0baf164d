// A statement that shows columns of one source, sorted natively and, where native code declines, by DuckDB: the plan is the
// same, so the digest of the answer, which covers its rows, is too. Values stand at the ends of their types.
import { afterAll, describe, expect, it, vi } from "vitest";
import { open } from "../../src/index.js";
import * as SortColumns from "../../src/operators/native/sort-columns.js";
import { Random } from "../support/random.js";

const native = SortColumns.sortColumns;
const sorting = vi.spyOn(SortColumns, "sortColumns");
afterAll(() => sorting.mockRestore());

const VALUES = {
  x: [0, -0, 0.5, -0.5, 5e-324, -5e-324, Number.MAX_VALUE, -Number.MAX_VALUE, 1e300, 1e-7],
  /** Integers that no safe one is, each equal to a double. */
  wide: [0.5, 2n ** 53n, -(2n ** 63n), 2n ** 62n, 2 ** 63, -0, 1],
  n: [0, -1, 1, 2n ** 53n + 1n, 2n ** 53n, 2n ** 63n - 1n, -(2n ** 63n), 1n - 2n ** 63n],
  s: ["", "\u0000", "a", "a\u0000", "\uffff", "\u{10000}", "\u{10ffff}", "\ue000", "\ud7ff", "8 bytes:", "8 bytes:!"],
  j: [[], {}, [-0], "1", 1, 1.5, true, "true", ["\u{1f600}"], { b: { c: null } }],
  b: [true, false],
} as const;
const NAMES = Object.keys(VALUES) as (keyof typeof VALUES)[];
/** Of a property that no edge has. */
const ABSENT = "absent";
const ORDERS = ["", " ORDER BY c0 DESC", " ORDER BY c0 NULLS LAST, c1 DESC NULLS FIRST", " ORDER BY e.seq DESC"];

async function storeOf(rowCount: number, nullPercent: number) {
  const random = new Random(rowCount + nullPercent);
  const db = await open(":memory:");
  const operations = Array.from({ length: rowCount }, (_, i) => {
    const named = NAMES.filter(() => random.below(100) >= nullPercent);
    const props = Object.fromEntries(named.map((name) => [name, random.pick<unknown>(VALUES[name])]));
    return { op: "assert_edge", src: "a", type: "T", dst: `${i % 7}`, key: `${i}`, props, valid_from: "2020-01-01" };
  });
  if (rowCount > 0) await db.write(operations as never);
  return db;
}

describe("the digest of a statement that shows columns of one source", () => {
  it.each([
    ["no row", 0, 0],
    ["one row", 1, 0],
    ["one row of nulls", 1, 100],
    ["nulls only", 40, 100],
    ["every value there", 300, 0],
    ["some null", 300, 30],
    ["nearly all null", 300, 97],
  ])("is one for both ways: %s", async (_, rowCount, nullPercent) => {
    const db = await storeOf(rowCount, nullPercent);
    for (const [i, name] of [...NAMES, ABSENT].entries()) {
      const second = NAMES[(i + 1) % NAMES.length]!;
      for (const order of ORDERS) {
        const text = `SELECT e.props['${name}'] AS c0, e.props['${second}'] AS c1, e.dst AS c2 FROM EDGES() AS e${order}`;
        const before = sorting.mock.calls.length;
        const own = await db.query(text);
        sorting.mockResolvedValue(null);
        const general = await db.query(text);
        sorting.mockImplementation(native);
        // Constants are DuckDB's at once.
        const isSorted = rowCount === 300 && name !== ABSENT;
        expect(isSorted ? [2] : [0, 2], text).toContain(sorting.mock.calls.length - before);
        expect(own.rows, text).toEqual(general.rows);
        expect(own.rows_total, text).toBe(rowCount);
        expect(own.plan_digest, text).toBe(general.plan_digest);
        expect(own.result_digest, text).toMatch(/[0-9a-f]{64}/);
        expect(own.result_digest, text).toBe(general.result_digest);
      }
    }
    await db.close();
  });
});
