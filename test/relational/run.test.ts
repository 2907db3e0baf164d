// Running: nothing of a caller reaches DuckDB as text of SQL, runs can be cancelled, memory is bounded, errors are our own.
import { describe, expect, it } from "vitest";
import type { ColumnTable } from "../../src/columns/column.js";
import type { JsonObject } from "../../src/contract/values.js";
import { callOperator } from "../../src/operators/pipeline.js";
import { bindQuery, readQuery, runSelect, type TableSchema } from "../../src/relational/index.js";
import { toSql } from "../../src/relational/printer/queries.js";
import { bound, columnTable, errorOf, oneValue, rowsOf, selected, type TestTable } from "./tables.js";

const HOSTILE = [
  "'; DROP TABLE x; --",
  "''",
  "\"; ATTACH 'f' AS f; --",
  "read_csv('/etc/passwd')",
  "PRAGMA database_list",
  "$1",
  "\\'",
  "/* */ --",
  "\u0000",
  "a\u0000b';--",
  "{'k': 1}",
  "😀'",
  "x".repeat(20_000),
];
const quotedTql = (text: string): string => `'${text.replaceAll("'", "''")}'`;
const quotedName = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** SQL without what stands in quotes. */
const bare = (sql: string): string => sql.replace(/'(?:[^']|'')*'/g, "''");

describe("texts of a caller", () => {
  it.each(HOSTILE)("come back as they are, and stand in quotes in SQL: %j", async (text) => {
    if (!text.includes("\u0000")) {
      const literal = bound(`SELECT ${quotedTql(text)} AS x`, {});
      expect(bare(toSql(literal, () => "t"))).not.toContain(text.replaceAll("'", "").slice(0, 8) || "�");
      expect(await oneValue(`SELECT ${quotedTql(text)} AS x`)).toBe(text);
    }
    const asked = { parameters: { p: { type: { kind: "string" }, value: text } } } as const;
    expect(await oneValue("SELECT $p AS x", {}, asked)).toBe(text);
    expect(await oneValue("SELECT LENGTH($p) AS x", {}, asked)).toBe([...text].length);
    const t: TestTable = { types: { v: "string" }, rows: [[text], ["other"]] };
    expect(await rowsOf("SELECT t.v FROM t WHERE t.v = $p", { t }, asked)).toEqual([{ v: text }]);
    expect(await rowsOf("SELECT t.v FROM t WHERE t.v LIKE $p ESCAPE '!'", { t }, asked)).toEqual([{ v: text }]);
  });

  it.each(HOSTILE.filter((text) => !text.includes("\u0000") && text.length < 300))(
    "are names of tables, columns and windows: %j",
    async (name) => {
      const t: TestTable = {
        types: { [name]: "int", g: "int" },
        rows: [
          [1, 1],
          [2, 1],
        ],
      };
      const n = quotedName(name);
      const text = `SELECT ${n}.${n} AS ${n}, SUM(${n}.${n}) OVER ${n} AS s FROM ${n} WINDOW ${n} AS (ORDER BY ${n}.g)`;
      const query = bound(text, { [name]: t });
      const sql = toSql(query, () => "t");
      if (/[a-z]{3}/i.test(name)) expect(sql).not.toContain(name);
      expect(sql).toMatch(/^[\x20-\x7e]*$/);
      expect(await rowsOf(text, { [name]: t })).toEqual([
        { [name]: 1, s: 3 },
        { [name]: 2, s: 3 },
      ]);
    },
  );

  it("are keys of JSON and formats, in quotes", async () => {
    const t: TestTable = { types: { j: "json" }, rows: [[Object.fromEntries(HOSTILE.map((key, i) => [key, i]))]] };
    for (const [i, key] of HOSTILE.entries()) {
      if (key.includes("\u0000")) continue;
      expect(await oneValue(`SELECT t.j[${quotedTql(key)}] AS x FROM t`, { t }), key).toBe(i);
    }
    expect(await oneValue("SELECT FORMAT_TIME(DATE '2025-03-01', '%Y''; --') AS x")).toBe("2025'; --");
  });
});

describe("the private instance", () => {
  it("has no files, settings or extensions to offer: no function leads there", async () => {
    for (const text of [
      "read_csv('f')",
      "getenv('HOME')",
      "current_setting('threads')",
      "uuid()",
      "now()",
      "glob('*')",
      "version()",
    ]) {
      expect((await errorOf(`SELECT ${text} AS x`)).code, text).toBe("E_SCHEMA");
    }
  });

  it("names what values in rows did, and never shows generated SQL", async () => {
    const t: TestTable = { types: { v: "int" }, rows: [[1], [2]] };
    const several = await errorOf("SELECT (SELECT t.v FROM t) AS x", { t });
    expect([several.code, several.details.kind]).toEqual(["E_INVALID_ARG", "subquery_rows"]);
    const overflow = await errorOf("SELECT t.v + 9223372036854775807 AS x FROM t", { t });
    expect([overflow.code, overflow.details.kind]).toEqual(["E_LIMIT", "overflow"]);
    for (const { message, hint } of [several, overflow]) expect(message + hint).not.toMatch(/SELECT t|BIGINT|c0|LINE/);
  });

  it("gives up where memory ends", async () => {
    const n = 300_000;
    const t: TestTable = { types: { v: "int" }, rows: Array.from({ length: n }, (_, i) => [i]) };
    const text = "SELECT LIST(CAST(t.v AS STRING) || ' and a text of some length') AS l FROM t";
    const error = await errorOf(text, { t }, { options: { memoryBytes: 8 << 20 } });
    expect([error.code, error.details.kind]).toEqual(["E_LIMIT", "memory"]);
    expect(await oneValue("SELECT COUNT(*) AS n FROM t", { t }, { options: { memoryBytes: 8 << 20 } })).toBe(n);
  });
});

describe("cancelling", () => {
  const rows = Array.from({ length: 3000 }, (_, i) => [i]);
  const t: TestTable = { types: { v: "int" }, rows };
  // 27 billion rows.
  const ENDLESS = "SELECT COUNT(*) AS n FROM t AS a, t AS b, t AS c WHERE a.v + b.v + c.v = 7";

  it("by signal and by deadline, and the connection serves again", async () => {
    const controller = new AbortController();
    const running = errorOf(ENDLESS, { t }, { options: { signal: controller.signal } });
    setTimeout(() => controller.abort(), 30);
    expect((await running).code).toBe("E_CANCELLED");
    expect((await errorOf(ENDLESS, { t }, { options: { deadlineMs: performance.now() + 30 } })).code).toBe(
      "E_CANCELLED",
    );
    expect((await errorOf("SELECT 1 AS x", {}, { options: { signal: AbortSignal.abort() } })).code).toBe("E_CANCELLED");
    expect(await oneValue("SELECT COUNT(*) AS n FROM t", { t })).toBe(3000);
  });

  it("also while a statement waits for a connection", async () => {
    const controller = new AbortController();
    const all = Array.from({ length: 6 }, () => errorOf(ENDLESS, { t }, { options: { signal: controller.signal } }));
    setTimeout(() => controller.abort(), 30);
    for (const error of await Promise.all(all)) expect(error.code).toBe("E_CANCELLED");
    expect(await oneValue("SELECT 1 AS x")).toBe(1);
  });
});

describe("many at once, and large", () => {
  it("statements do not see each other's tables", async () => {
    const tables = Array.from(
      { length: 20 },
      (_, i): TestTable => ({ types: { v: "int" }, rows: Array.from({ length: i + 1 }, () => [i]) }),
    );
    const sums = await Promise.all(tables.map((t) => oneValue("SELECT SUM(t.v) AS s FROM t", { t })));
    expect(sums).toEqual(tables.map((_, i) => i * (i + 1)));
  });

  it("chunks are joined without a gap, with NULLs and long texts", async () => {
    const n = 10_000;
    const cells = Array.from({ length: n }, (_, i) => [
      i,
      i % 3 === 0 ? null : `a text of more than twelve bytes ${i % 7}`,
      i % 5 === 0 ? null : i / 4,
      i % 2 === 0,
    ]);
    const t: TestTable = { types: { i: "int", s: "string", x: "double", b: "bool" }, rows: cells };
    const result = await selected("SELECT * FROM t ORDER BY t.i", { t });
    const rows: JsonObject[] = [];
    for await (const batch of result.batches()) rows.push(...batch);
    expect(rows).toEqual(cells.map(([i, s, x, b]) => ({ i, s, x, b })));
  });

  it("a result is a table for the next statement", async () => {
    const t: TestTable = {
      types: { k: "string", v: "int" },
      rows: [
        ["a", 1],
        ["a", 2],
        ["b", 3],
      ],
    };
    const { table } = await selected(
      "SELECT t.k, LIST(t.v) AS l, PERIOD(DATE '2025-01-01', FOREVER) AS p FROM t GROUP BY t.k",
      { t },
    );
    const schema: TableSchema = {
      columns: [
        { name: "k", type: { kind: "string" } },
        { name: "l", type: { kind: "list", of: { kind: "int" } } },
        { name: "p", type: { kind: "period" } },
      ],
    };
    const query = bindQuery(readQuery("SELECT t.k, t.l[0] AS f, PERIOD_TO(t.p) = FOREVER AS o FROM t"), {
      table: () => schema,
      parameters: {},
      zone: "UTC",
      nowUs: null,
    });
    expect((await runSelect(query, () => table)).rows()).toEqual([
      { k: "a", f: 1, o: true },
      { k: "b", f: 3, o: true },
    ]);
  });

  it("integers among doubles that no double is equal to are refused where they are read", async () => {
    const wide: ColumnTable = {
      rowCount: 2,
      columns: [
        {
          name: "x",
          column: {
            type: "double",
            values: Float64Array.of(1.5, 2 ** 53),
            valid: null,
            wide: { rows: Uint32Array.of(1), values: BigInt64Array.of(2n ** 53n + 1n) },
          },
        },
        { name: "n", column: columnTable({ types: { n: "int" }, rows: [[1], [2]] }).columns[0]!.column },
      ],
    };
    const schema: TableSchema = {
      columns: [
        { name: "x", type: { kind: "double" } },
        { name: "n", type: { kind: "int" } },
      ],
    };
    const ask = (text: string): Promise<unknown> =>
      runSelect(
        bindQuery(readQuery(text), { table: () => schema, parameters: {}, zone: "UTC", nowUs: null }),
        () => wide,
      );
    await expect(ask("SELECT SUM(t.x) AS s FROM t")).rejects.toMatchObject({ code: "E_INVALID_ARG" });
    await expect(ask("SELECT SUM(t.n) AS s FROM t")).resolves.toBeDefined();
  });
});

describe("the operator", () => {
  const engine = { name: "none" } as never;
  it("refuses texts of more than 64 KiB, and nesting that no stack holds", async () => {
    const long = `SELECT ${"1 + ".repeat(17_000)}1 AS x`;
    await expect(callOperator(engine, "select", { query: long })).rejects.toMatchObject({ code: "E_LIMIT" });
    const deep = `SELECT ${"(".repeat(3000)}1${")".repeat(3000)} AS x`;
    await expect(callOperator(engine, "select", { query: deep })).rejects.toMatchObject({ code: "E_LIMIT" });
  });

  it("computes long sums and deep calls", async () => {
    const sum = `SELECT ${"0.5 + ".repeat(100)}1 AS x`;
    await expect(callOperator(engine, "select", { query: sum })).resolves.toMatchObject({ rows: [{ x: 51 }] });
    const deep = `SELECT ${"FLOOR(".repeat(40)}1.5${")".repeat(40)} AS x`;
    await expect(callOperator(engine, "select", { query: deep })).resolves.toMatchObject({ rows: [{ x: 1 }] });
  });

  it("pages its rows, and has the same digest for the same meaning", async () => {
    const tables = { t: Array.from({ length: 7 }, (_, v) => ({ v })) };
    const page = (await callOperator(engine, "select", {
      query: "select t.v from t",
      tables,
      limit: 3,
    })) as unknown as JsonObject;
    expect(page).toMatchObject({
      rows: [{ v: 0 }, { v: 1 }, { v: 2 }],
      rows_total: 7,
      truncated: true,
      complete: false,
    });
    const next = await callOperator(engine, "select", {
      query: "SELECT t.v FROM t",
      tables,
      limit: 3,
      cursor: page.cursor,
    });
    expect(next.rows).toEqual([{ v: 3 }, { v: 4 }, { v: 5 }]);
    const one = await callOperator(engine, "select", { query: "SELECT t.v FROM t", tables });
    const other = await callOperator(engine, "select", { query: "select  t.v\nfrom t -- all", tables });
    expect(other.result_digest).toBe(one.result_digest);
  });

  it.each([
    ["SELECT t.v FROM t WHERE t.v > 1", false],
    ["SELECT t.v FROM t LIMIT 3", false],
    ["SELECT t.v FROM t ORDER BY t.v LIMIT 3", true],
    ["SELECT COUNT(*) AS n FROM t", true],
    ["SELECT t.v FROM t WHERE t.v NOT IN (SELECT u.v FROM t AS u)", true],
    ["SELECT t.v FROM t WHERE t.v IN (SELECT u.v FROM t AS u)", false],
    ["SELECT t.v FROM t ANTI JOIN t AS u ON u.v > t.v", true],
    ["SELECT t.v FROM t EXCEPT SELECT 1", true],
    ["SELECT RANK() OVER (ORDER BY t.v) AS r FROM t", true],
  ])("over a part of a list: %s", async (query, isRefused) => {
    const upstream = { isIncomplete: true, erased: 0, types: {} };
    const call = callOperator(engine, "select", { query, tables: { t: [{ v: 1 }, { v: 2 }] } }, { upstream });
    if (isRefused) await expect(call).rejects.toMatchObject({ code: "E_UPSTREAM" });
    else await expect(call).resolves.toMatchObject({ complete: false, incomplete: ["upstream"] });
  });
});
