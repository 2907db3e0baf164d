// Parquet and Arrow files through the command line: every type of DuckDB is stored or refused by its column or row.
// Files are written by DuckDB and by the Arrow library; expected values are written by hand.
import { existsSync, writeFileSync } from "node:fs";
import { DuckDBInstance } from "@duckdb/node-api";
import * as A from "apache-arrow";
import { describe, expect, it } from "vitest";
import { open } from "../../src/index.js";
import { servedCommandLine } from "./served-command-line.js";

const cli = servedCommandLine();

/** A Parquet file of what a SELECT gives. */
async function parquet(name: string, select: string): Promise<string> {
  const path = cli.path(name);
  const instance = await DuckDBInstance.create(":memory:", { autoload_known_extensions: "false" });
  const connection = await instance.connect();
  await connection.run("SET TimeZone = 'UTC'");
  await connection.run(`COPY (${select}) TO '${path}' (FORMAT parquet)`);
  connection.closeSync();
  instance.closeSync();
  return path;
}

async function edgesIn(store: string): Promise<Record<string, unknown>[]> {
  const db = await open(store, { readOnly: true });
  try {
    const columns = ["src", "dst", "type", "valid_from", "valid_to", "props"];
    const { rows } = await db.call("scan", { of: "edges", columns, limit: 1000 } as never);
    return rows as Record<string, unknown>[];
  } finally {
    await db.close();
  }
}

const PAYMENTS = `SELECT * FROM (VALUES
  ('ana', 7::INTEGER, TIMESTAMPTZ '2024-03-01 09:00:00.000001+00', TIMESTAMPTZ '2024-03-02 00:00:00+00', 'PAID', 1.5::DOUBLE),
  ('ben', 8, TIMESTAMPTZ '1969-12-31 23:59:59.999999+00', NULL, 'OWED', NULL),
  ('a name longer than twelve bytes ü', 9, TIMESTAMPTZ '2024-03-03 00:00:00+02', NULL, 'PAID', 2)
) t(payer, payee, seen, until, kind, amount)`;
const NAMES = ["--src", "payer", "--dst", "payee", "--time", "seen", "--valid-to", "until", "--type-column", "kind"];

describe("load of tables", () => {
  it("reads events from Parquet", async () => {
    const file = await parquet("payments.parquet", PAYMENTS);
    const store = cli.path("payments");
    const said = await cli.json("load", store, file, ...NAMES, "--props", "amount", "--json");
    expect(said).toMatchObject({ rows: 3, refused: 0, edges: 3, nodes: 6, tx_from: 1, tx_to: 1 });
    expect(await edgesIn(store)).toEqual([
      {
        src: "a name longer than twelve bytes ü",
        dst: "9",
        type: "PAID",
        valid_from: "2024-03-02T22:00:00Z",
        valid_to: null,
        props: { amount: 2 },
      },
      {
        src: "ana",
        dst: "7",
        type: "PAID",
        valid_from: "2024-03-01T09:00:00.000001Z",
        valid_to: "2024-03-02T00:00:00Z",
        props: { amount: 1.5 },
      },
      { src: "ben", dst: "8", type: "OWED", valid_from: "1969-12-31T23:59:59.999999Z", valid_to: null, props: {} },
    ]);
  });

  it("stores every type of Parquet, or refuses it by its column", async () => {
    const types: Record<string, [sql: string, expected: unknown]> = {
      tiny: ["(-128)::TINYINT", -128],
      unsigned: ["4294967295::UINTEGER", 4294967295],
      long: ["9223372036854775807::BIGINT", 9223372036854775807n],
      whole: ["12::DECIMAL(18,0)", 12],
      huge: ["5::UBIGINT", 5],
      single: ["0.5::FLOAT", 0.5],
      flag: ["true", true],
      text: ["'naïve \u{1f600} and longer than twelve'", "naïve \u{1f600} and longer than twelve"],
      day: ["DATE '2024-02-29'", "2024-02-29"],
      clock: ["TIME '09:30:00.000001'", "09:30:00.000001"],
      stamp: ["TIMESTAMPTZ '2024-03-01 09:00:00+00'", "2024-03-01T09:00:00Z"],
      list: ["[1, 2, NULL]", [1, 2, null]],
      struct: ["{'x': 1, 'y': ['a']}", { x: 1, y: ["a"] }],
      map: ["MAP {'k': 1}", { k: 1 }],
      nothing: ["NULL::INTEGER", undefined],
    };
    const columns = Object.entries(types).map(([name, [sql]]) => `${sql} AS ${name}`);
    const file = await parquet(
      "types.parquet",
      `SELECT 'a' AS src, 'b' AS dst, TIMESTAMPTZ '2024-01-01 00:00:00+00' AS time, ${columns.join(", ")}`,
    );
    const store = cli.path("types");
    await cli.json("load", store, file, "--all-props", "--json");
    const [row] = await edgesIn(store);
    const expected = Object.entries(types).filter(([, [, value]]) => value !== undefined);
    expect(row!.props).toEqual(Object.fromEntries(expected.map(([name, [, value]]) => [name, value])));
    for (const [name, sql] of [
      ["bytes", "'x'::BLOB"],
      ["money", "1.50::DECIMAL(10,2)"],
    ] as const) {
      const bad = await parquet(
        `${name}.parquet`,
        `SELECT 'a' AS src, 'b' AS dst, TIMESTAMPTZ '2024-01-01 00:00:00+00' AS time, ${sql} AS ${name}`,
      );
      const { exitCode: code, err: stderr } = await cli.run("load", cli.path("none"), bad, "--all-props");
      expect(code).toBe(1);
      expect(stderr).toContain(`${name}.parquet: column "${name}"`);
      expect(existsSync(cli.path("none"))).toBe(false);
    }
  });

  it("refuses by file, row, column and value, and leaves nothing; --on-error skip leaves rows out", async () => {
    const rows = `SELECT 'a' || i AS src, 'b' AS dst, CASE WHEN i = 3000 THEN NULL ELSE make_timestamptz(i * 1000000) END AS time,
      CASE WHEN i = 4999 THEN 'nan'::DOUBLE ELSE i END AS x FROM range(5000) t(i)`;
    const file = await parquet("holes.parquet", rows);
    const store = cli.path("holes");
    const { exitCode: code, err: stderr } = await cli.run("load", store, file, "--props", "x");
    expect(code).toBe(1);
    expect(stderr).toContain(`holes.parquet row 3001, column "time": the time is missing`);
    expect(existsSync(store)).toBe(false);
    const rejects = cli.path("holes.jsonl");
    const said = await cli.json(
      "load",
      store,
      file,
      "--props",
      "x",
      "--on-error",
      "skip",
      "--rejects",
      rejects,
      "--json",
    );
    expect(said).toMatchObject({ rows: 4998, refused: 2, edges: 4998 });
  });

  it("needs a zone for times without one, and takes one", async () => {
    const file = await parquet(
      "local.parquet",
      "SELECT 'a' AS src, 'b' AS dst, TIMESTAMP '2024-07-01 12:00:00' AS time",
    );
    const store = cli.path("local");
    const { exitCode: code, err: stderr } = await cli.run("load", store, file);
    expect([code, stderr.split(":")[0]]).toEqual([1, "E_ZONE_MISSING"]);
    await cli.json("load", store, file, "--zone", "Europe/Rome", "--json");
    expect((await edgesIn(store))[0]!.valid_from).toBe("2024-07-01T10:00:00Z");
    const fine = await parquet(
      "fine.parquet",
      "SELECT 'a' AS src, 'b' AS dst, '2024-07-01 12:00:00.000000001'::TIMESTAMP_NS AS time",
    );
    const refused = await cli.run("load", cli.path("fine"), fine, "--zone", "UTC");
    expect(refused.err).toContain('row 1, column "time"');
  });

  it("reads Arrow files and streams, and nodes from either", async () => {
    const table = new A.Table({
      uid: A.vectorFromArray(["ada", "bob"], new A.Utf8()),
      labels: A.vectorFromArray([["Person"], ["Person", "Poet"]], new A.List(new A.Field("item", new A.Utf8(), true))),
      born: A.vectorFromArray([1815n, null], new A.Int64()),
    });
    for (const [name, kind] of [
      ["nodes.arrow", "file"],
      ["nodes.arrows", "stream"],
    ] as const) {
      const file = cli.path(name);
      writeFileSync(file, A.tableToIPC(table, kind));
      const store = cli.path(`${name}-store`);
      const said = await cli.json(
        "load",
        store,
        file,
        "--nodes",
        "--src",
        "uid",
        "--label-column",
        "labels",
        "--props",
        "born",
        "--json",
      );
      expect(said).toMatchObject({ rows: 2, nodes: 2, edges: 0 });
      const db = await open(store, { readOnly: true });
      const { rows } = await db.call("scan", { of: "nodes", columns: ["uid", "labels", "props"] } as never);
      await db.close();
      expect(rows).toEqual([
        { uid: "ada", labels: ["Person"], props: { born: 1815 } },
        { uid: "bob", labels: ["Person", "Poet"], props: {} },
      ]);
    }
  });

  it("refuses files that are none, and flags of texts", async () => {
    const whole = await parquet("whole.parquet", PAYMENTS);
    const { readFileSync } = await import("node:fs");
    const bytes = readFileSync(whole);
    const files = {
      "empty.parquet": Buffer.alloc(0),
      "text.parquet": Buffer.from("src,dst\na,b\n"),
      "cut.parquet": bytes.subarray(0, bytes.length - 20),
      "empty.arrow": Buffer.alloc(0),
      "text.arrow": Buffer.from("src,dst\na,b\n"),
    };
    for (const [name, content] of Object.entries(files)) {
      const file = cli.path(name);
      writeFileSync(file, content);
      const { exitCode: code, err: stderr } = await cli.run("load", cli.path("nothing"), file, ...NAMES);
      expect([name, code, stderr.split(":")[0]]).toEqual([name, 1, "E_INVALID_ARG"]);
      expect(stderr).toContain(name);
      expect(existsSync(cli.path("nothing"))).toBe(false);
    }
    expect((await cli.run("load", cli.path("nothing"), whole, ...NAMES, "--delimiter", ";")).err).toContain(
      "--delimiter",
    );
    expect((await cli.run("load", cli.path("nothing"), whole, "--src", "nobody")).err).toContain('"payer", "payee"');
  });
});
