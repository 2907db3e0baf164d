// Long lists, which DuckDB reads as tables: they give what short ones give, wherever a list may stand.
// The oracle is JavaScript over the same values.
import { describe, expect, it } from "vitest";
import type { TqlType } from "../../src/relational/index.js";
import { errorOf, oneValue, rowsOf, type TestTable, type Value } from "./tables.js";

const COUNT = 5000;
const upTo = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
const given = (kind: "int" | "string" | "double" | "instant" | "bool", value: readonly Value[]) => ({
  parameters: { list: { type: { kind: "list", of: { kind } } as TqlType, value: [...value] as never } },
});
const l: TestTable = {
  types: { i: "int", s: "string", d: "double", at: "instant" },
  rows: [
    [2, "s2", 2, 2_000_000n],
    [3, "x", 0.5, 3_000_001n],
    [null, null, null, null],
    [9_007_199_254_740_993n, "", 4e9, 4_000_000n],
  ],
};
const tests = async (condition: string, asked: object): Promise<unknown[]> =>
  (await rowsOf(`SELECT l.i, ${condition} AS x FROM l ORDER BY l.i NULLS FIRST`, { l }, asked)).map(({ x }) => x);

describe("IN a long list", () => {
  it("of a parameter", async () => {
    expect(
      await tests(
        "l.i IN $list",
        given(
          "int",
          upTo(COUNT, (i) => 2 * i),
        ),
      ),
    ).toEqual([null, true, false, false]);
    expect(
      await tests(
        "l.i NOT IN $list",
        given(
          "int",
          upTo(COUNT, (i) => 2 * i),
        ),
      ),
    ).toEqual([null, false, true, true]);
    expect(
      await tests(
        "l.s IN $list",
        given(
          "string",
          upTo(COUNT, (i) => `s${i}`),
        ),
      ),
    ).toEqual([null, true, false, false]);
    const withNull = given("int", [...upTo(COUNT, (i) => 2 * i), null]);
    expect(await tests("l.i IN $list", withNull)).toEqual([null, true, null, null]);
    expect(await tests("l.i NOT IN $list", withNull)).toEqual([null, false, null, null]);
  });

  it("of a parameter, among numbers of the other kind", async () => {
    expect(
      await tests(
        "l.d IN $list",
        given(
          "int",
          upTo(COUNT, (i) => i),
        ),
      ),
    ).toEqual([null, true, false, false]);
    const doubles = given("double", [...upTo(COUNT, (i) => i + 0.25), 3, 2 ** 53]);
    expect(await tests("l.i IN $list", doubles)).toEqual([null, false, true, false]);
  });

  it("of a parameter whose texts are instants there, and texts elsewhere", async () => {
    const texts = upTo(COUNT, (i) => new Date(i * 1000).toISOString());
    expect(await tests("l.at IN $list", given("string", texts))).toEqual([null, true, false, true]);
    expect(await tests("l.at IN $list OR l.s IN $list", given("string", texts))).toEqual([null, true, false, true]);
    expect(
      (await errorOf("SELECT l.at IN $list AS x FROM l", { l }, given("string", [...texts, "today"]))).code,
    ).toMatch(/^E_/);
    expect(
      (
        await errorOf(
          "SELECT l.s IN $list AS x FROM l",
          { l },
          given(
            "int",
            upTo(COUNT, (i) => i),
          ),
        )
      ).code,
    ).toBe("E_SCHEMA");
  });

  it("that is written out", async () => {
    const list = upTo(COUNT, (i) => i * 3).join(", ");
    expect(await tests(`l.i IN (${list})`, {})).toEqual([null, false, true, false]);
    expect(await tests(`l.i IN (${list}, NULL)`, {})).toEqual([null, null, true, null]);
    expect(await tests(`l.d IN (${list}, 0.5)`, {})).toEqual([null, false, true, false]);
    expect(await tests(`l.i IN (${list}, 2.0)`, {})).toEqual([null, true, true, false]);
    const texts = upTo(COUNT, (i) => `'2025-01-01T00:00:00Z${i}'`).join(", ");
    const { details } = await errorOf(`SELECT l.at IN (${texts}) AS x FROM l`, { l });
    expect(details).toMatchObject({ kind: "string_for_instant", column: 17 });
  });

  it("is one expression wherever it is written", async () => {
    const asked = given(
      "int",
      upTo(COUNT, (i) => i),
    );
    expect(await rowsOf("SELECT l.i IN $list AS x, COUNT(*) AS n FROM l GROUP BY l.i IN $list", { l }, asked)).toEqual([
      { x: null, n: 1 },
      { x: false, n: 1 },
      { x: true, n: 2 },
    ]);
  });
});

describe("a long list", () => {
  it("is a table in FROM, in its order", async () => {
    const asked = given("string", [...upTo(COUNT, (i) => `s${i % 7}`), null]);
    const first =
      "SELECT u.x, u.i FROM UNNEST($list) WITH ORDINALITY AS u (x, i) WHERE u.i IN (1, 8, 5001) ORDER BY u.i";
    expect(await rowsOf(first, {}, asked)).toEqual([
      { x: "s0", i: 1 },
      { x: "s0", i: 8 },
      { x: null, i: 5001 },
    ]);
    const last =
      "SELECT u.x, ROW_NUMBER() OVER (ORDER BY u.x) AS n FROM UNNEST($list) AS u (x) QUALIFY n <= 2 ORDER BY n";
    expect(await rowsOf(last, {}, asked)).toEqual([
      { x: "s0", n: 1 },
      { x: "s0", n: 2 },
    ]);
    expect(await oneValue("SELECT (SELECT COUNT(*) FROM l, UNNEST($list) AS u (x)) AS x", { l }, asked)).toBe(
      4 * (COUNT + 1),
    );
  });

  it("is a value", async () => {
    const numbers = upTo(COUNT, (i) => (i * 7919) % COUNT);
    const asked = given("int", [...numbers, null]);
    expect(await oneValue("SELECT LENGTH($list) AS x", {}, asked)).toBe(COUNT + 1);
    expect(await oneValue("SELECT $list[2] AS x", {}, asked)).toBe(numbers[2]);
    expect(await oneValue("SELECT LIST_SORT($list) AS x", {}, asked)).toEqual([null, ...upTo(COUNT, (i) => i)]);
    expect(await oneValue("SELECT $list AS x", {}, asked)).toEqual([...numbers, null]);
    expect(await oneValue("SELECT LIST_CONTAINS($list, 4999) AS x", {}, asked)).toBe(true);
  });
});
