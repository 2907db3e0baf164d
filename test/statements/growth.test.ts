// Statements that make much of little: texts that grow, products of tables, many statements after one that failed. Each ends
// in a typed error before the process holds much more than it was allowed, and the next statement is answered.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Database, open } from "../../src/index.js";
import { messages } from "../support/small-batches.js";

const MIB = 1 << 20;
let db: Database;
beforeAll(async () => {
  db = await open(":memory:", { memoryLimitBytes: 64 * MIB });
  await db.ingest(messages(5_000), { type: "M" });
});
afterAll(() => db.close());

const value = async (expression: string, params: Record<string, unknown> = {}): Promise<unknown> =>
  (await db.query(`SELECT ${expression} AS v`, { params })).rows[0]!.v;

describe("a text that is computed", () => {
  const long = (count: number, part = "a") => part.repeat(count);

  it.each([
    ["CONCAT($x, $x)", 512 * 1024, 1],
    ["$x || $x", 512 * 1024, 1],
    ["$x || ($x || '')", 512 * 1024, 1],
    ["REPLACE($x, 'a', 'bb')", 512 * 1024, 1],
    ["LPAD($x, 65536, 'é')", 65_536, 0],
    ["RPAD('', 65536, $x)", 65_536, 0],
  ])("by %s is made up to its limit, and is E_LIMIT beyond", async (expression, longest, more) => {
    if (more > 0) {
      expect(String(await value(expression, { x: long(longest) })).length).toBe(2 * longest);
      await expect(value(expression, { x: long(longest + more) })).rejects.toMatchObject({ code: "E_LIMIT" });
      return;
    }
    expect(String(await value(expression, { x: "ü" })).length).toBe(longest);
    const beyond = expression.replace(String(longest), String(longest + 1));
    await expect(value(beyond, { x: "ü" })).rejects.toMatchObject({ code: "E_LIMIT" });
  });

  it("by REPLACE and joins is what JavaScript makes of it", async () => {
    for (const [text, what, by] of [
      ["abcabc", "bc", "xyz"],
      ["aaa", "aa", "b"],
      ["abc", "", "x"],
      ["", "a", "b"],
      ["ÄÖ🦆", "🦆", "ää"],
    ] as const) {
      const expected = what === "" ? text : text.replaceAll(what, by);
      expect(await value("REPLACE($t, $w, $b)", { t: text, w: what, b: by })).toBe(expected);
      expect(await value("$t || $w || ($b || $t)", { t: text, w: what, b: by })).toBe(text + what + by + text);
      expect(await value("CONCAT($t, NULL, $b)", { t: text, b: by })).toBe(text + by);
    }
    expect(await value("'a' || NULL || 'b'")).toBeNull();
    expect(await value("REPLACE('a', NULL, 'b')")).toBeNull();
  });

  it("does not double through a chain of WITH", async () => {
    const steps = Array.from({ length: 40 }, (_, i) => `w${i + 1} AS (SELECT w${i}.c || w${i}.c AS c FROM w${i})`);
    const text = `WITH w0 AS (SELECT LPAD('', 60000, 'a') AS c), ${steps.join(", ")} SELECT w40.c FROM w40`;
    await expect(db.query(text)).rejects.toMatchObject({ code: "E_LIMIT" });
  });

  it.each(["LPAD('x', 5, '')", "RPAD(e.src, 5, '')"])("by %s has nothing to fill with", async (expression) => {
    const run = db.query(`SELECT ${expression} AS v FROM EVENTS() e`);
    await expect(run).rejects.toMatchObject({ code: "E_INVALID_ARG" });
  });
});

describe("the memory of a statement", () => {
  const product =
    "SELECT COUNT(*) AS c FROM EVENTS() a CROSS JOIN EVENTS() b CROSS JOIN EVENTS() c CROSS JOIN EVENTS() d";

  it("is a share of the store's limit, and given back when it fails", { timeout: 60_000 }, async () => {
    const before = process.resourceUsage().maxRSS / 1024;
    for (let i = 0; i < 3; i += 1) {
      await expect(db.query(product.replace(" c ", ` c${i} `))).rejects.toMatchObject({ code: "E_LIMIT" });
      const grouped = await db.query(
        "SELECT e.src, COUNT(*) AS n FROM EVENTS() e JOIN EVENTS() f ON e.at = f.at GROUP BY e.src",
      );
      expect(grouped.rows).toHaveLength(10);
    }
    expect(process.resourceUsage().maxRSS / 1024 - before).toBeLessThan(256);
  });

  it("is bounded where texts are padded for every row", async () => {
    const before = process.resourceUsage().maxRSS / 1024;
    const padded = "SELECT SUM(LENGTH(LPAD(e.src, 65536, 'x'))) AS v FROM EVENTS() e";
    expect((await db.query(padded)).rows).toEqual([{ v: 5_000 * 65_536 }]);
    expect(process.resourceUsage().maxRSS / 1024 - before).toBeLessThan(1024);
  });
});
