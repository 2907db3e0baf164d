// Queries that show columns of one table: sorted natively and by DuckDB they are the same to the byte, whatever the types,
// the order written, ties and NULLs.
import { describe, expect, it } from "vitest";
import { utf8Of } from "../../src/columns/arrow/texts.js";
import type { ColumnTable } from "../../src/columns/column.js";
import { rowBytes } from "../../src/columns/row-bytes.js";
import { sortColumns } from "../../src/operators/native/sort-columns.js";
import { readQuery, readsInAnyOrder, runSelect } from "../../src/relational/index.js";
import { projectionOf } from "../../src/relational/projection.js";
import { type Random, randomOf } from "./random.js";
import { bound, columnTable, type TestTable, type Value } from "./tables.js";

const OPEN_END_US = 1n << 62n;
const TYPES = {
  k: "string",
  n: "int",
  x: "double",
  at: "instant",
  until: "instant_open",
  lasts: "duration",
  ok: "bool",
  j: "json",
} as const;
const NAMES = Object.keys(TYPES);
const TEXTS = ["", "a", "aa", "B", "ä", "😀", "～", "a\u0000", "same start 1", "same start 2"];
const INTEGERS = [0n, 1n, -1n, 7n, 2n ** 53n, -(2n ** 63n), 2n ** 63n - 1n];
const DOUBLES = [0, 0.5, -0.5, 1e300, -1e300, 5e-324, 3];
const VALUES: Readonly<Record<string, readonly Value[]>> = {
  k: TEXTS,
  n: INTEGERS,
  x: DOUBLES,
  at: [-62_000_000_000_000_000n, 0n, 1_735_689_600_000_000n, 1_735_689_600_000_001n],
  until: [OPEN_END_US, 0n, 1_735_689_600_000_000n],
  lasts: [0n, 1n, 86_400_000_000n],
  ok: [true, false],
  j: [[], ["a"], { b: 1 }, "text", 1.5],
};

function randomTable(random: Random, rowCount: number): TestTable {
  const nullOneIn = Object.fromEntries(NAMES.map((name) => [name, [0, 0, 3, 20, 1][random(5)]!]));
  const few = Object.fromEntries(NAMES.map((name) => [name, 1 + random(VALUES[name]!.length)]));
  const cell = (name: string): Value =>
    nullOneIn[name]! > 0 && random(nullOneIn[name]!) === 0 ? null : VALUES[name]![random(few[name]!)]!;
  return { types: TYPES, rows: Array.from({ length: rowCount }, () => NAMES.map(cell)) };
}

function randomQuery(random: Random): string {
  const shown = Array.from({ length: 1 + random(4) }, (_, i) => `t.${NAMES[random(NAMES.length)]} AS c${i}`);
  const sorts = Array.from({ length: random(4) }, () => {
    const nulls = ["", " NULLS FIRST", " NULLS LAST"][random(3)];
    return `t.${NAMES[random(NAMES.length)]}${random(2) === 0 ? " DESC" : ""}${nulls}`;
  });
  return `SELECT ${shown.join(", ")} FROM t${sorts.length === 0 ? "" : ` ORDER BY ${sorts.join(", ")}`}`;
}

/** What a table says, and the form of its columns: dictionaries by first row, bits only where they tell something. */
function contentOf({ rowCount, columns }: ColumnTable) {
  const rows = Buffer.concat([...rowBytes({ rowCount, columns })].map((piece) => Buffer.from(piece))).toString("utf8");
  const forms = columns.map(({ name, column }) =>
    "codes" in column ? [name, column.type, [...column.codes], column.dictionary] : [name, column.type],
  );
  return { rowCount, rows, forms };
}

async function bothWays(text: string, table: TestTable) {
  const query = bound(text, { t: table });
  const columns = columnTable(table);
  let sorts = 0;
  const sort: typeof sortColumns = (request, limits) => {
    sorts += 1;
    return sortColumns(request, limits);
  };
  const native = await runSelect(query, () => columns, { sort });
  const general = await runSelect(query, () => columns);
  return { native: contentOf(native.table), general: contentOf(general.table), sorts };
}

describe("a projection of one table", () => {
  it.each([1, 2, 3, 4, 5, 6])("is the same from native code and from DuckDB (seed %i)", async (seed) => {
    const random = randomOf(seed);
    for (let i = 0; i < 25; i += 1) {
      const table = randomTable(random, [0, 1, 7, 40, 700, 3000][random(6)]!);
      const text = randomQuery(random);
      const { native, general, sorts } = await bothWays(text, table);
      expect(sorts, text).toBe(1);
      expect(native, `seed ${seed}, query ${i}: ${text}`).toEqual(general);
    }
  });

  it("is the same for tables so long that threads share them", async () => {
    const random = randomOf(77);
    const rows = Array.from({ length: 40_000 }, (_, i): readonly Value[] =>
      // Mostly of their own, with long runs of ties, texts among them that share their first bytes.
      [`text ${random(9000)}`, BigInt(random(3)), random(1000) / 8, BigInt(random(1 << 30)), OPEN_END_US, 1n, true, i],
    );
    const table: TestTable = { types: TYPES, rows };
    for (const text of [
      "SELECT t.at, t.until, t.n, t.k FROM t",
      "SELECT t.n, t.x, t.k, t.j FROM t",
      "SELECT t.until, t.j FROM t ORDER BY t.k DESC",
    ]) {
      const { native, general } = await bothWays(text, table);
      expect(native.rows === general.rows, text).toBe(true);
      expect(native.forms).toEqual(general.forms);
    }
  });

  it("is left to DuckDB where it is more than that, or would take more memory than it may", async () => {
    const table = randomTable(randomOf(5), 100);
    for (const text of [
      "SELECT t.n + 1 AS m FROM t",
      "SELECT DISTINCT t.n FROM t",
      "SELECT t.n FROM t WHERE t.ok",
      "SELECT t.n, COUNT(*) AS c FROM t GROUP BY t.n",
      "SELECT t.n, ROW_NUMBER() OVER (ORDER BY t.x) AS r FROM t",
      "SELECT a.n FROM t AS a JOIN t AS b ON a.n = b.n",
      "SELECT t.n FROM t ORDER BY t.n + 1",
    ]) {
      expect(projectionOf(bound(text, { t: table })), text).toBeNull();
      expect(readsInAnyOrder(readQuery(text)), text).toBe(false);
    }
    for (const part of ["LIMIT 3", "OFFSET 2", "LIMIT 2 OFFSET 1"]) {
      const { native, general, sorts } = await bothWays(`SELECT t.n, t.k FROM t ${part}`, table);
      expect([native, sorts], part).toEqual([general, 0]);
    }
    const query = bound("SELECT t.k FROM t", { t: table });
    const limits = { signal: undefined, deadlineMs: Number.POSITIVE_INFINITY, memoryBytes: 100 };
    const { columns } = columnTable(table);
    const request = { rowCount: 100, columns: [columns[0]!.column], shownCount: 1, order: [] };
    expect(await sortColumns(request, limits)).toBeNull();
    expect(readsInAnyOrder(readQuery("SELECT t.k FROM t ORDER BY t.n"))).toBe(true);
    expect(projectionOf(query)).not.toBeNull();
  });

  it("is left to DuckDB where texts are longer than offsets reach, of which Arrow alone has to speak", async () => {
    // One text in memory, as often as makes 2 GiB of them.
    const dictionary = new Array<string>(2048).fill("x".repeat(1 << 20));
    const columns = [{ type: "string" as const, codes: Int32Array.of(0), dictionary }];
    const limits = { signal: undefined, deadlineMs: Number.POSITIVE_INFINITY, memoryBytes: Number.POSITIVE_INFINITY };
    expect(await sortColumns({ rowCount: 1, columns, shownCount: 1, order: [] }, limits)).toBeNull();
    await expect(utf8Of(dictionary)).rejects.toMatchObject({
      code: "E_LIMIT",
      message: expect.stringContaining("2 GiB"),
      hint: "ask for fewer rows at once, or read rows in place of Arrow",
    });
  });

  it("stops when it is cancelled", async () => {
    const table = columnTable({ types: { n: "int" }, rows: Array.from({ length: 50_000 }, (_, i) => [i % 97]) });
    const stop = new AbortController();
    stop.abort();
    const query = bound("SELECT t.n FROM t", { t: { types: { n: "int" }, rows: [] } });
    const run = runSelect(query, () => table, { sort: sortColumns, signal: stop.signal });
    await expect(run).rejects.toMatchObject({ code: "E_CANCELLED" });
  });
});
