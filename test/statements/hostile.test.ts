// Statements and parameters that are meant to hang or break the process: each is answered or refused, and soon.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Database, PalimpsestError } from "../../src/index.js";
import { smallStore } from "./stores.js";

let db: Database;
beforeAll(async () => {
  db = await smallStore("payments");
});
afterAll(() => db.close());

describe("subqueries in expressions", () => {
  const forms: readonly (readonly [string, string, string, string])[] = [
    ["values", "SELECT ", "(SELECT ", ")"],
    ["EXISTS", "SELECT 1 AS a WHERE ", "EXISTS (SELECT 1 AS x WHERE ", ")"],
    ["IN", "SELECT 1 AS a WHERE ", "1 IN (SELECT 1 AS x WHERE ", ")"],
  ];
  it.each(forms)("of the form %s stand inside each other twelve deep, and no deeper", async (_, start, open, close) => {
    const nested = (depth: number) => `${start}${open.repeat(depth)}1 = 1${close.repeat(depth)}`;
    expect((await db.query(nested(12))).rows_total).toBe(1);
    await expect(db.query(nested(13))).rejects.toMatchObject({ code: "E_LIMIT", details: { kind: "nesting" } });
    expect(() => db.prepare(nested(30))).toThrow(PalimpsestError);
  });
});

describe("a statement that DuckDB plans for long", () => {
  const wide = Array.from({ length: 300 }, (_, i) => `SELECT ${i} AS a`).join(" UNION ");
  const timed = async (run: () => PromiseLike<unknown>) => {
    const began = performance.now();
    await expect(run()).rejects.toMatchObject({ code: "E_CANCELLED" });
    return performance.now() - began;
  };

  it("is given up at its deadline, and the next statements are answered", async () => {
    db.prepare(wide);
    expect(await timed(() => db.query(wide, { deadlineMs: 20 }))).toBeLessThan(5_000);
    expect((await db.query("SELECT 1 AS a")).rows).toEqual([{ a: 1 }]);
  });

  it("is given up when it is cancelled", async () => {
    const stop = new AbortController();
    const run = timed(() => db.query(wide, { signal: stop.signal }));
    setTimeout(() => stop.abort(), 20);
    expect(await run).toBeLessThan(5_000);
    expect((await db.query("SELECT 2 AS a")).rows).toEqual([{ a: 2 }]);
  });
});

it("two thousand columns of one name are told apart without a search for each", () => {
  const names = db.prepare(`SELECT ${"1 AS c, ".repeat(2_000)}2 AS d`).columns.map(({ name }) => name);
  expect(names.slice(0, 3)).toEqual(["c", "c_2", "c_3"]);
  expect(names.slice(-2)).toEqual(["c_2000", "d"]);
});
