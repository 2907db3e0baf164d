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
