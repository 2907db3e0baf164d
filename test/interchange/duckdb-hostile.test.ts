// A user's DuckDB at its worst: queries that fail midway, text that is more than a query, transactions, names that clash.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Database, open } from "../../src/index.js";
import { appendPieces, createTable } from "../../src/interchange/duckdb/append-table.js";

const EVENT = "'a' AS src, 'b' AS dst, TIMESTAMPTZ '2020-01-01 00:00:00+00' AS time";
const folder = mkdtempSync(join(tmpdir(), "palimpsest-duckdb-"));
let instance: DuckDBInstance;
let duck: DuckDBConnection;
let db: Database;

beforeAll(async () => {
  instance = await DuckDBInstance.create(":memory:");
  duck = await instance.connect();
  await duck.run("CREATE TABLE kept AS SELECT 1 AS a");
});
beforeEach(async () => {
  db = await open(":memory:");
});
afterAll(() => {
  duck.closeSync();
  instance.closeSync();
  rmSync(folder, { recursive: true, force: true });
});

const count = async (table: string): Promise<number> =>
  Number((await (await duck.run(`SELECT count(*) FROM ${table}`)).getRows())[0]![0]);

describe("a user's DuckDB", () => {
  it("takes nothing of a query that fails midway", async () => {
    const value = "CASE WHEN i = 150000 THEN error('boom') ELSE i END AS n";
    const query = `SELECT ${EVENT}, ${value} FROM range(200000) t(i)`;
    await expect(db.importFrom(duck, { query, type: "T" })).rejects.toMatchObject({
      code: "E_UPSTREAM",
      message: expect.stringMatching(/^the query: DuckDB: the rows end with an error behind row \d+$/),
    });
    expect((await db.head()).tx).toBe(0);
  });

  it("runs one SELECT, and nothing that goes on behind it", async () => {
    for (const query of [
      `SELECT ${EVENT}) ; DROP TABLE kept; SELECT * FROM (SELECT ${EVENT}`,
      `SELECT ${EVENT}; DROP TABLE kept`,
      "DROP TABLE kept",
    ]) {
      await expect(db.importFrom(duck, { query, type: "T" })).rejects.toMatchObject({ name: "PalimpsestError" });
    }
    expect(await count("kept")).toBe(1);
    expect(await db.importFrom(duck, { query: `SELECT ${EVENT} -- all\n;`, type: "T" })).toMatchObject({ rows: 1 });
  });

  it("hands tables over within the user's own transaction, which the user ends", async () => {
    await db.write([{ op: "assert_edge", src: "a", type: "T", dst: "b", valid_from: "2020-01-01" }]);
    await duck.run("BEGIN");
    await db.exportTo(duck, { nodes: "n1", edges: "e1" });
    expect(await count("e1")).toBe(1);
    await duck.run("ROLLBACK");
    await expect(count("e1")).rejects.toThrow(/does not exist/);
  });

  it("finds nothing in its table, ever, of rows that ended with an error in the place of it", async () => {
    await duck.run("CREATE TABLE mine AS SELECT 1::BIGINT AS n");
    const name = { schema: null, table: "mine" };
    const columns = [{ name: "n", form: "int" }] as const;
    async function* failing() {
      const column = { type: "int", values: BigInt64Array.of(7n, 8n, 9n), valid: null } as const;
      yield { rowCount: 3, columns: [{ name: "n", column }] };
      throw new Error("no more rows");
    }
    const replace = async (): Promise<void> => {
      await duck.run("BEGIN");
      await createTable(duck, name, columns, "CREATE OR REPLACE TABLE");
      await expect(appendPieces(duck, name, columns, failing())).rejects.toThrow("no more rows");
      await duck.run("ROLLBACK");
    };
    await replace();
    setFlagsFromString("--expose_gc");
    const collect = runInNewContext("gc") as () => void;
    for (let i = 0; i < 5; i += 1) {
      collect();
      await setTimeout(10);
    }
    expect((await (await duck.run("SELECT n FROM mine")).getRows()).flat()).toEqual([1n]);
  });

  it("hands over one after the other what is asked for at once", async () => {
    await db.write([{ op: "assert_edge", src: "a", type: "T", dst: "b", valid_from: "2020-01-01" }]);
    const names = [1, 2, 3].map((n) => ({ nodes: `many_n${n}`, edges: `many_e${n}` }));
    await Promise.all(names.map((name) => db.exportTo(duck, name)));
    for (const { edges } of names) expect(await count(edges)).toBe(1);
  });

  it("names the columns that only case tells apart", async () => {
    const props = { Total: 1, total: 2 };
    await db.write([{ op: "assert_edge", src: "a", type: "T", dst: "b", props, valid_from: "2020-01-01" }]);
    await expect(db.exportTo(duck, { nodes: null, edges: "cases" })).rejects.toMatchObject({
      code: "E_INVALID_ARG",
      message: 'columns "props.Total" and "props.total" are one name to DuckDB',
    });
  });
});

describe("exports side by side", () => {
  it("write whole files, whoever comes last", async () => {
    const operations = Array.from({ length: 3000 }, (_, i) => ({
      op: "assert_edge" as const,
      src: `n${i}`,
      type: "T",
      dst: "b",
      valid_from: "2020-01-01",
    }));
    await db.write(operations);
    const dest = join(folder, "same");
    for (const format of ["jsonl", "csv", "parquet"] as const) {
      await Promise.all([1, 2, 3].map(() => db.export(dest, { format, overwrite: true })));
      const lone = join(folder, `lone-${format}`);
      await db.export(lone, { format });
      const again = await open(":memory:");
      await again.import(format === "jsonl" ? dest : join(dest, `edges.${format}`));
      expect((await again.info()).edges).toBe(3000);
      await again.close();
      rmSync(dest, { recursive: true });
    }
  });
});
