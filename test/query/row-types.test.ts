// Types of rows by the text of a statement. The compiler checks them; each text runs too, so that the names are the true ones.
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from "vitest";
import type { JsonValue } from "../../src/contract/values.js";
import { type AnswerRow, type Database, open } from "../../src/index.js";
import type { RowOf } from "../../src/query/statements/row-types.js";

type Row<Names extends string> = { readonly [Name in Names]: JsonValue };

it("has the names of the columns", () => {
  expectTypeOf<RowOf<"SELECT uid FROM NODES">>().toEqualTypeOf<Row<"uid">>();
  expectTypeOf<RowOf<"select w.x, w.y as boss from EDGES(W) as w where w.src > 'a'">>().toEqualTypeOf<
    Row<"x" | "boss">
  >();
  expectTypeOf<RowOf<"\n  SELECT DISTINCT\n\tx,\n\tLIST(dst) AS n\n  FROM EDGES()\n">>().toEqualTypeOf<
    Row<"x" | "n">
  >();
  expectTypeOf<RowOf<"SELECT COALESCE(a, b, c) AS x, MAX(b) FROM t">>().toEqualTypeOf<Row<"x" | "max">>();
  expectTypeOf<RowOf<"SELECT CAST(a AS STRING) AS s FROM t">>().toEqualTypeOf<{ readonly s: string | null }>();
});

it("is open where the text is not known, or says more than the compiler reads", () => {
  expectTypeOf<RowOf<string>>().toEqualTypeOf<AnswerRow>();
  expectTypeOf<RowOf<`SELECT ${string} FROM t`>>().toEqualTypeOf<AnswerRow>();
  expectTypeOf<RowOf<"SELECT * FROM t">>().toEqualTypeOf<AnswerRow>();
  expectTypeOf<RowOf<"SELECT a, a FROM t">>().toEqualTypeOf<AnswerRow>();
  expectTypeOf<RowOf<"SELECT a + b FROM t">>().toEqualTypeOf<AnswerRow>();
  expectTypeOf<RowOf<"SELECT 'a, b' AS c FROM t">>().toEqualTypeOf<AnswerRow>();
  expectTypeOf<RowOf<'SELECT a AS "odd name" FROM t'>>().toEqualTypeOf<AnswerRow>();
  expectTypeOf<RowOf<"SELECT f(a) + g(b) FROM t">>().toEqualTypeOf<AnswerRow>();
  expectTypeOf<RowOf<"SELECT (SELECT MAX(a) FROM t) AS m, b FROM t">>().toEqualTypeOf<AnswerRow>();
  expectTypeOf<RowOf<"WITH t AS (SELECT a FROM u) SELECT b FROM t">>().toEqualTypeOf<AnswerRow>();
  expectTypeOf<RowOf<"EXPLAIN SELECT a FROM t">>().toEqualTypeOf<AnswerRow>();
  expectTypeOf<RowOf<"SHOW TYPES">>().toEqualTypeOf<AnswerRow>();
});

describe("a database", () => {
  let db: Database;
  beforeAll(async () => {
    db = await open(":memory:");
    await db.write([{ op: "assert_edge", src: "a", type: "R", dst: "b", props: { w: 2 }, valid_from: "2020-01-01" }]);
  });
  afterAll(() => db.close());

  it("types the rows of what it is asked, and gives them", async () => {
    const { rows } = await db.query(
      "SELECT r.src, r.dst AS target, COUNT(*) AS n FROM EDGES(R) AS r GROUP BY r.src, r.dst",
    );
    expect(rows.map(({ src, target, n }) => [src, target, n])).toEqual([["a", "b", 1]]);
    // @ts-expect-error: there is no such column
    expect(rows[0]?.dst).toBeUndefined();
    for await (const row of db.query("SELECT src FROM EDGES(R)")) {
      expectTypeOf(row).toEqualTypeOf<{ readonly src: string }>();
      expect(row).toEqual({ src: "a" });
    }
    const stmt = db.prepare("SELECT MAX(r.w) FROM EDGES(R) AS r");
    const [most] = (await stmt.run()).rows;
    expectTypeOf(most).toEqualTypeOf<{ readonly max: JsonValue } | undefined>();
    expect(most?.max).toBe(2);
    const text: string = "SELECT src AS anything FROM EDGES(R)";
    expect((await db.query(text)).rows[0]?.anything).toBe("a");
    const session = db.session();
    expect((await session.query("SELECT dst FROM EDGES(R)")).rows.map(({ dst }) => dst)).toEqual(["b"]);
  });

  it("types calls by their operator: arguments, rows, further lists and fields", async () => {
    const shown = await db.call("snapshot_subgraph", { seeds: ["a"], at: "2020-06-01" });
    expectTypeOf(shown.nodes).toEqualTypeOf<Awaited<typeof shown>["nodes"]>();
    expect(shown.nodes?.rows.map(({ uid, hop }) => [uid, hop])).toEqual([
      ["a", 0],
      ["b", 1],
    ]);
    const history = await db.call("version_history");
    expectTypeOf(history.totals.current).toEqualTypeOf<number>();
    expect([history.totals.current, history.rows?.[0]?.tx]).toEqual([1, 1]);
    // @ts-expect-error: seeds are a list, and at is missing
    await expect(db.call("snapshot_subgraph", { seeds: "a" })).rejects.toMatchObject({ code: "E_SCHEMA" });
    // @ts-expect-error: there is no such argument
    await expect(db.call("version_history", { nonsense: 1 })).rejects.toMatchObject({ code: "E_SCHEMA" });
    // @ts-expect-error: arguments without defaults cannot be left out
    await expect(db.call("scan")).rejects.toMatchObject({ code: "E_SCHEMA" });
    const name: string = "scan";
    expect((await db.call(name, { of: "edges" })).rows_total).toBe(1);
  });
});
