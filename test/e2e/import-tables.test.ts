// Exported tables that come back as Parquet and Arrow. DuckDB and the Arrow library write the files here, from CSV and from
// arrays, so that reading is held against writers that share nothing with it.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { Bool, Int64, Table, TimestampMicrosecond, tableToIPC, Utf8, vectorFromArray } from "apache-arrow";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Database, open, PalimpsestError } from "../../src/index.js";
import { commandLine } from "./command-line.js";

const cli = commandLine();
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "palimpsest-tables-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const SQL = { int: "BIGINT", double: "DOUBLE", bool: "BOOLEAN", string: "VARCHAR", json: "JSON" } as const;

/** A file of an export as Parquet, cell by cell with the type that its header says. */
async function asParquet(csv: string, parquet: string, header: string): Promise<void> {
  const cast = (name: string): string => {
    const [, property, type = ""] = /^(props\..+):(\w+)$/.exec(name) ?? [];
    const cell = `"${name.replaceAll('"', '""')}"`;
    if (property !== undefined) return `CAST(${cell} AS ${SQL[type as keyof typeof SQL]}) AS "${property}"`;
    return /^(?:valid|tx)_/.test(name) ? `CAST(${cell} AS TIMESTAMPTZ) AS ${cell}` : cell;
  };
  const names = header.split(",");
  const columns = names.map((name) => `'${name}': 'VARCHAR'`).join(", ");
  const read = `read_csv('${csv}', header = false, skip = 1, columns = {${columns}}, auto_detect = false, quote = '"', escape = '"', nullstr = '', allow_quoted_nulls = false)`;
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  await connection.run(`COPY (SELECT ${names.map(cast).join(", ")} FROM ${read}) TO '${parquet}' (FORMAT parquet)`);
  connection.closeSync();
  instance.closeSync();
}

async function storeWithHistory(): Promise<Database> {
  const db = await open(":memory:");
  await db.write(
    [
      {
        op: "assert_node",
        uid: "a",
        labels: ["A;B", "C"],
        props: { n: 2n ** 60n, t: "x,y" },
        valid_from: "2020-01-01",
      },
      { op: "assert_node", uid: "é", valid_from: "-0044-03-15", valid_to: "2020-06-01", props: { n: 1 } },
    ],
    { txTime: "2021-01-01" },
  );
  const edges = Array.from({ length: 40 }, (_, i) => ({
    ...{
      op: "assert_edge" as const,
      src: "a",
      dst: `b${i % 7}`,
      type: i % 2 === 0 ? "T" : "U",
      key: i % 3 === 0 ? "" : `k${i}`,
    },
    ...{ valid_from: `2020-01-01T00:00:${String(i).padStart(2, "0")}.000001Z`, source: i % 5 === 0 ? "s" : null },
    props: { half: i / 4 + 0.125, even: i % 2 === 0, mixed: i % 2 === 0 ? i : `t${i}`, list: [i, { deep: null }] },
  }));
  await db.write(edges, { txTime: "2021-01-02" });
  await db.write([{ op: "retract", ref: { uid: "a" }, valid_from: "2020-03-01", reason: "gone" }], {
    txTime: "2021-01-03",
  });
  return db;
}

describe("Parquet", () => {
  it("comes back with an equal digest, history and all, and needs no flags", async () => {
    const db = await storeWithHistory();
    const out = join(folder, "parquet");
    const { files } = await db.export(out, { history: true });
    const tables = await db.tables({ history: true });
    for (const [i, table] of (["nodes", "edges"] as const).entries()) {
      const names = tables[table].columns.map(({ name, type }) =>
        name.startsWith("props.") ? `${name}:${type}` : name,
      );
      await asParquet(files[i]!, files[i]!.replace(".csv", ".parquet"), names.join(","));
      rmSync(files[i]!);
    }
    tables.close();
    const again = await open(":memory:");
    await again.import(out);
    expect(await again.digest()).toBe(await db.digest());
    const said = await cli.json("load", cli.path("again"), out, "--json");
    expect(said).toMatchObject({ rows: 43, tx_to: 3, edges: 40 });
    expect((await cli.run("digest", cli.path("again"))).out.trim()).toBe(await db.digest());
    const one = await cli.json("load", cli.path("edges"), join(out, "edges.parquet"), "--json");
    expect(one).toMatchObject({ rows: 40, tx_to: 1, edges: 40 });
    await Promise.all([db.close(), again.close()]);
  });
});

describe("Arrow", () => {
  const micros = (...texts: (string | null)[]) =>
    vectorFromArray(
      texts.map((text) => (text === null ? null : Date.parse(text))),
      new TimestampMicrosecond("UTC"),
    );
  const table = (change: Record<string, unknown> = {}) =>
    new Table({
      uid: vectorFromArray(["a", "b"], new Utf8()),
      labels: vectorFromArray(["A;B", null], new Utf8()),
      valid_from: micros("2020-01-01", "2020-01-02"),
      valid_to: micros(null, "2020-02-01"),
      tx_from: micros("2021-01-02", "2021-01-01"),
      tx_to: micros(null, null),
      "props.n": vectorFromArray([1n << 60n, null], new Int64()),
      "props.b": vectorFromArray([null, true], new Bool()),
      ...change,
    } as never);
  const file = (name: string, content: Table): string => {
    writeFileSync(join(folder, name), tableToIPC(content, "file"));
    return join(folder, name);
  };

  it("comes in by the names of its columns", async () => {
    const db = await open(":memory:");
    expect(await db.import(file("nodes.arrow", table()))).toEqual({ versions: 2, commits: 2 });
    const { rows } = await db.call("scan", {
      of: "nodes",
      columns: ["uid", "labels", "valid_from", "valid_to", "props.n", "props.b"],
    });
    expect(rows).toEqual([
      {
        uid: "a",
        labels: ["A", "B"],
        valid_from: "2020-01-01T00:00:00Z",
        valid_to: null,
        "props.n": 1n << 60n,
        "props.b": null,
      },
      {
        uid: "b",
        labels: [],
        valid_from: "2020-01-02T00:00:00Z",
        valid_to: "2020-02-01T00:00:00Z",
        "props.n": null,
        "props.b": true,
      },
    ]);
    await db.close();
  });

  it.each([
    [{ uid: vectorFromArray(["a", ""], new Utf8()) }, 'row 2, column "uid": must not be empty'],
    [{ labels: vectorFromArray(["A", "A;;B"], new Utf8()) }, 'row 2, column "labels": are no labels'],
    [{ valid_to: micros("2019-01-01", null) }, "row 1: valid_from 2020-01-01T00:00:00Z is not before valid_to"],
    [{ tx_from: micros("2021-01-01", null) }, 'row 2, column "tx_from": is missing'],
    [{ tx_from: micros("2021-01-01", "2999-01-01") }, 'row 2, column "tx_from": "2999-01-01T00:00:00Z" is after now'],
    [{ colour: vectorFromArray(["red", null], new Utf8()) }, 'row 1, column "colour": "red" is no column of nodes'],
  ])("refuses by row: %#", async (change, message) => {
    const db = await open(":memory:");
    const before = await db.digest();
    const error = await db.import(file("bad.arrow", table(change))).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(PalimpsestError);
    expect((error as PalimpsestError).message).toContain(message);
    expect(await db.digest()).toBe(before);
    await db.close();
  });
});
