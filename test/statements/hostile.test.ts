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

it("a thousand columns of one name are told apart without a search for each", () => {
  const names = db.prepare(`SELECT ${"1 AS c, ".repeat(1_000)}2 AS d`).columns.map(({ name }) => name);
  expect(names.slice(0, 3)).toEqual(["c", "c_2", "c_3"]);
  expect(names.slice(-2)).toEqual(["c_1000", "d"]);
});

describe("a column of nothing but NULL", () => {
  it.each([
    ["SELECT 0 < (SELECT NULL) AS x", [{ x: null }]],
    ["SELECT 0 IN (SELECT NULL) AS x", [{ x: null }]],
    ["SELECT t.a < 1 AS x FROM (SELECT NULL AS a) AS t", [{ x: null }]],
    ["SELECT COALESCE((SELECT NULL), 1) AS x", [{ x: 1 }]],
    ["SELECT SUM((SELECT NULL)) AS x", [{ x: null }]],
    ["SELECT MIN(t.a) AS x FROM (SELECT NULL AS a UNION ALL SELECT NULL AS a) AS t", [{ x: null }]],
    [
      "SELECT t.a, COUNT(*) AS n FROM (SELECT NULL AS a UNION ALL SELECT NULL AS a) AS t GROUP BY t.a",
      [{ a: null, n: 2 }],
    ],
  ])("stands beside every type: %s", async (text, rows) => {
    expect((await db.query(text)).rows).toEqual(rows);
  });
});

describe("a parameter", () => {
  const list: unknown[] = [];
  list.push(list);
  const object: Record<string, unknown> = {};
  object.self = object;
  let shared: unknown = 1;
  for (let i = 0; i < 40; i += 1) shared = [shared, shared];
  const getter = {
    get a() {
      throw new Error("no");
    },
  };
  const revoked = Proxy.revocable({}, {});
  revoked.revoke();
  const strange: readonly (readonly [string, unknown])[] = [
    ["a list that holds itself", list],
    ["an object that holds itself", object],
    ["a tree of shared lists", shared],
    ["a list of holes", new Array(4_000_000_000)],
    ["a getter that throws", getter],
    ["a revoked proxy", revoked.proxy],
    ["a symbol", Symbol("x")],
    ["a function", () => 1],
    ["NaN", Number.NaN],
    ["an integer out of range", 2n ** 64n],
    ["no date", new Date(Number.NaN)],
  ];
  const texts = [
    "SELECT $p AS x",
    "SELECT e.src FROM EVENTS(PAID) AS e WHERE e.src IN $p",
    "SELECT e.src FROM EVENTS(PAID) FOR VALID_TIME AS OF $p AS e",
    "CALL temporal_reachability(uid => $p)",
    "CALL scan(of => 'events', where => $p)",
  ];
  it.each(strange)("that is %s is refused", async (_, p) => {
    for (const text of texts) {
      const error = await db.query(text, { params: { p } }).catch((thrown: unknown) => thrown);
      expect(error, text).toBeInstanceOf(PalimpsestError);
      expect((error as PalimpsestError).code, text).not.toBe("E_INTERNAL");
    }
  });
});
