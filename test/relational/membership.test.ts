// IN and NOT IN of values and rows, over written lists, lists as values and queries, under every combination of NULLs.
// The oracle is the rule of SQL: equal to one is true, else unknown where a NULL decides, else false.
import { describe, expect, it } from "vitest";
import { rowsOf, type TestTable } from "./tables.js";

type Truth = boolean | null;
type Cell = number | bigint | null;

const VALUES: readonly Cell[] = [null, 1, 2];
const PAIRS = VALUES.flatMap((a) => VALUES.map((b) => [a, b] as const));

const equal = (a: Cell, b: Cell): Truth => (a === null || b === null ? null : BigInt(a) === BigInt(b));
const both = (of: readonly Truth[]): Truth => (of.includes(false) ? false : of.includes(null) ? null : true);
const some = (of: readonly Truth[]): Truth => (of.includes(true) ? true : of.includes(null) ? null : false);
const not = (of: Truth): Truth => (of === null ? null : !of);
const isAmong = (row: readonly Cell[], rows: readonly (readonly Cell[])[]): Truth =>
  some(rows.map((other) => both(row.map((cell, i) => equal(cell, other[i]!)))));

const shown = (cell: Cell): string => (cell === null ? "CAST(NULL AS INT64)" : `${cell}`);
const table = (rows: readonly (readonly Cell[])[]): TestTable => ({ types: { a: "int", b: "int" }, rows });

/** No row, every row, every two rows that differ. */
const TABLES = [
  [],
  ...PAIRS.map((row) => [row]),
  ...PAIRS.flatMap((row, i) => PAIRS.slice(i + 1).map((other) => [row, other])),
];

describe("rows", () => {
  it.each(TABLES.map((rows) => [JSON.stringify(rows), rows] as const))("in a query of %s", async (_, rows) => {
    const tables = { l: table(PAIRS), q: table(rows) };
    const text =
      "SELECT l.a, l.b, (l.a, l.b) IN (SELECT q.a, q.b FROM q) AS is_in, (l.a, l.b) NOT IN (SELECT q.a, q.b FROM q) AS is_out FROM l";
    const found = await rowsOf(text, tables);
    const expected = PAIRS.map(([a, b]) => ({
      a,
      b,
      is_in: isAmong([a, b], rows),
      is_out: not(isAmong([a, b], rows)),
    }));
    expect(found).toHaveLength(PAIRS.length);
    expect(found).toEqual(expect.arrayContaining(expected));
    for (const [word, wanted] of [
      ["IN", true],
      ["NOT IN", false],
    ] as const) {
      const where = `SELECT l.a, l.b FROM l WHERE TRUE AND (l.a, l.b) ${word} (SELECT q.a, q.b FROM q)`;
      const kept = PAIRS.filter((row) => isAmong(row, rows) === wanted).map(([a, b]) => ({ a, b }));
      expect(await rowsOf(where, tables)).toEqual(expect.arrayContaining(kept));
      expect(await rowsOf(where, tables)).toHaveLength(kept.length);
    }
  });

  it("in a query that sees the row around it", async () => {
    const tables = { l: table(PAIRS), q: table(PAIRS) };
    const text =
      "SELECT l.a, l.b, (l.b, 1) NOT IN (SELECT q.a, q.b FROM q WHERE q.b IS NOT DISTINCT FROM l.a) AS is_out FROM l";
    const expected = PAIRS.map(([a, b]) => {
      const rows = PAIRS.filter((row) => row[1] === a);
      return { a, b, is_out: not(isAmong([b, 1], rows)) };
    });
    expect(await rowsOf(text, tables)).toEqual(expect.arrayContaining(expected));
  });

  it("in a written list", async () => {
    const items = PAIRS.flatMap((row) => TABLES.filter((rows) => rows.length > 0).map((rows) => [row, rows] as const));
    const text = (row: readonly Cell[], rows: readonly (readonly Cell[])[]): string =>
      `(${row.map(shown).join(", ")}) IN (${rows.map((each) => `(${each.map(shown).join(", ")})`).join(", ")})`;
    const found = await rowsOf(`SELECT ${items.map(([row, rows], i) => `${text(row, rows)} AS i${i}`).join(", ")}`);
    expect(Object.values(found[0]!)).toEqual(items.map(([row, rows]) => isAmong(row, rows)));
  });

  it("of numbers of both kinds, by exact value", async () => {
    const big = 9_007_199_254_740_993n;
    const l: TestTable = {
      types: { a: "int", b: "double" },
      rows: [
        [big, 0.5],
        [2n ** 53n, 0.5],
        [null, 2],
        [3, 2],
      ],
    };
    const q: TestTable = {
      types: { a: "double", b: "int" },
      rows: [
        [2 ** 53, 7],
        [3, 2],
      ],
    };
    const ask = async (test: string): Promise<unknown[]> =>
      (await rowsOf(`SELECT l.a, ${test} AS x FROM l ORDER BY l.b, l.a NULLS FIRST`, { l, q })).map(({ x }) => x);
    expect(await ask("l.a IN (SELECT q.a FROM q)")).toEqual([true, false, null, true]);
    expect(await ask("(l.a, 7) IN (SELECT q.a, q.b FROM q)")).toEqual([true, false, null, false]);
    expect(await ask("(l.a, l.b) NOT IN (SELECT q.a, q.b FROM q)")).toEqual([true, true, null, false]);
  });
});

describe("values", () => {
  const l: TestTable = { types: { a: "int" }, rows: VALUES.map((a) => [a]) };
  const lists: readonly (readonly Cell[])[] = [[], [1], [null], [1, null], [1, 2], [2, null, 2]];

  it.each(lists.map((list) => [JSON.stringify(list), list] as const))("among %s", async (_, list) => {
    const expected = VALUES.map((a) => ({
      a,
      x: isAmong(
        [a],
        list.map((each) => [each]),
      ),
      y: not(
        isAmong(
          [a],
          list.map((each) => [each]),
        ),
      ),
    }));
    const q: TestTable = { types: { b: "int" }, rows: list.map((b) => [b]) };
    const typed = `[${["CAST(NULL AS INT64)", ...list.map(shown)].join(", ")}]`;
    const slice = `LIST_SLICE(${typed}, 1, ${list.length + 1} + 0 * COALESCE(l.a, 0))`;
    for (const of of ["(SELECT q.b FROM q)", slice, "$list"]) {
      const text = `SELECT l.a, l.a IN ${of} AS x, l.a NOT IN ${of} AS y FROM l ORDER BY l.a NULLS FIRST`;
      const type = { kind: "list", of: { kind: list.some((each) => each !== null) ? "int" : "null" } } as const;
      const found = await rowsOf(text, { l, q }, { parameters: { list: { type, value: [...list] } } });
      expect(found, of).toEqual(expected);
    }
  });

  it("among a list that is NULL", async () => {
    expect(await rowsOf("SELECT l.a, l.a IN NULLIF([l.a], [l.a]) AS x FROM l ORDER BY l.a NULLS FIRST", { l })).toEqual(
      VALUES.map((a) => ({ a, x: null })),
    );
  });

  it("among numbers of the other kind in a list, by exact value", async () => {
    const text = (list: string, value: string): string => `SELECT ${value} IN LIST_SLICE(${list}, 0, 9) AS x`;
    const ask = async (list: string, value: string): Promise<unknown> => (await rowsOf(text(list, value)))[0]!.x;
    expect(await ask("[9007199254740992.0]", "9007199254740993")).toBe(false);
    expect(await ask("[9007199254740993, 4]", "9007199254740992.0")).toBe(false);
    expect(await ask("[9007199254740993, 4]", "4.0")).toBe(true);
    expect(await ask("[9007199254740993, NULL]", "4.0")).toBe(null);
  });
});
