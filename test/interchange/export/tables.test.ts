// A store as two tables: whole, in the order of the store digest, and typed by what is there.
// The digest of docs/contract.md is made again from the tables, by code of the test's own.
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { rowsOfColumns } from "../../../src/columns/rows-of-columns.js";
import { canonicalJson } from "../../../src/contract/canonical.js";
import type { JsonObject, JsonValue } from "../../../src/contract/values.js";
import { type Database, open, type StoreTable, type TablesOptions } from "../../../src/index.js";
import { SEEDS } from "../../support/case-count.js";
import { lawBatches } from "../../support/law-store.js";
import { Random } from "../../support/random.js";

async function rowsOf(table: StoreTable): Promise<JsonObject[]> {
  const rows: JsonObject[] = [];
  for await (const piece of table.pieces()) {
    expect(piece.columns.map(({ name, column }) => ({ name, type: column.type }))).toEqual(table.columns);
    rows.push(...rowsOfColumns(piece, 0, piece.rowCount));
  }
  expect(rows.length).toBe(table.rowCount);
  return rows;
}

async function rowsIn(
  db: Database,
  options: TablesOptions = {},
): Promise<{ nodes: JsonObject[]; edges: JsonObject[] }> {
  const tables = await db.tables(options);
  try {
    return { nodes: await rowsOf(tables.nodes), edges: await rowsOf(tables.edges) };
  } finally {
    tables.close();
  }
}

const ORIGIN = ["source", "provenance_ref", "reason", "ended_by", "ended_reason"];

/** The line of docs/contract.md "Store digest". */
function lineOf(kind: "node" | "edge", row: JsonObject): string {
  const line: JsonObject = { kind, props: {} };
  for (const name of ORIGIN) line[name] = null;
  for (const [name, value] of Object.entries(row)) {
    if (!name.startsWith("props.")) line[name] = value;
    else if (value !== null) (line.props as Record<string, JsonValue>)[name.slice("props.".length)] = value;
  }
  return `${canonicalJson(line)}\n`;
}

describe("a store as tables", () => {
  it.each(SEEDS)("has every version in the order of the digest (seed %i)", async (seed) => {
    const random = new Random(seed);
    const db = await open(":memory:");
    for (const { ops, txTime } of lawBatches(random)) {
      await db
        .write(ops as never, { txTime })
        .catch((error: { code: string }) => expect(error.code).toBe("E_NOT_FOUND"));
    }
    const { nodes, edges } = await rowsIn(db, { history: true, rowsPerPiece: 1 + random.below(20) });
    const hash = createHash("sha256");
    for (const row of nodes) hash.update(lineOf("node", row));
    for (const row of edges) hash.update(lineOf("edge", row));
    expect(nodes.length + edges.length).toBeGreaterThan(0);
    expect(hash.digest("hex")).toBe(await db.digest());

    // What is believed are the versions that nothing ended.
    const believed = await rowsIn(db);
    const alive = (rows: JsonObject[]): JsonObject[] =>
      rows.filter(({ tx_to }) => tx_to === null).map(({ ended_by: _, ended_reason: _reason, ...row }) => row);
    const filled = (rows: JsonObject[]): string[] =>
      rows.map((row) => canonicalJson(Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null))));
    expect(filled(believed.nodes)).toEqual(filled(alive(nodes)));
    expect(filled(believed.edges)).toEqual(filled(alive(edges)));
    await db.close();
  });

  it("types a property by all its values, and keeps integers that no double holds", async () => {
    const db = await open(":memory:");
    const values: JsonObject[] = [
      { int: 1, double: 0.5, mixed: 1, wide: 0.5, any: 1, flag: true, text: "x", list: [1] },
      { int: 2n ** 63n - 1n, double: -1e300, mixed: 2.5, wide: 9_007_199_254_740_993n, any: "1", flag: false },
    ];
    await db.write(
      values.map(
        (props, i) =>
          ({ op: "assert_edge", src: "a", type: "T", dst: "b", key: `${i}`, props, valid_from: "2020-01-01" }) as never,
      ),
    );
    const tables = await db.tables();
    expect(tables.tx).toBe(1);
    expect(Object.fromEntries(tables.edges.columns.map(({ name, type }) => [name, type]))).toEqual({
      ...{ src: "string", dst: "string", type: "string", key: "string" },
      ...{ valid_from: "instant", valid_to: "instant_open", tx_from: "instant", tx_to: "instant_open" },
      ...{ "props.int": "int", "props.double": "double", "props.mixed": "double", "props.wide": "json" },
      ...{ "props.any": "json", "props.flag": "bool", "props.text": "string", "props.list": "json" },
    });
    expect(tables.edges.columns.map(({ name }) => name).slice(8)).toEqual(
      ["any", "double", "flag", "int", "list", "mixed", "text", "wide"].map((name) => `props.${name}`),
    );
    const rows = await rowsOf(tables.edges);
    expect(rows.map((row) => row["props.wide"])).toEqual([0.5, 9_007_199_254_740_993n]);
    expect(rows.map((row) => row["props.any"])).toEqual([1, "1"]);
    expect(tables.nodes.rowCount).toBe(0);
    expect(await rowsOf(tables.nodes)).toEqual([]);
    tables.close();
    await db.close();
  });

  it("reads at a pin, and goes on while the store is written", async () => {
    const db = await open(":memory:");
    const edge = (key: string) =>
      ({ op: "assert_edge", src: "a", type: "T", dst: "b", key, valid_from: "2020-01-01" }) as never;
    await db.write([edge("1"), edge("2")]);
    const tables = await db.tables({ rowsPerPiece: 1 });
    const pieces = tables.edges.pieces();
    await pieces.next();
    await db.write([edge("3")]);
    tables.close();
    expect((await pieces.next()).value).toMatchObject({ rowCount: 1 });
    expect((await pieces.next()).done).toBe(true);
    await expect(tables.edges.pieces().next()).rejects.toMatchObject({ code: "E_CLOSED" });
    const keys = async (options: TablesOptions) => (await rowsIn(db, options)).edges.map(({ key }) => key);
    expect(await keys({})).toEqual(["1", "2", "3"]);
    expect(await keys({ pin: "tx:1" })).toEqual(["1", "2"]);
    expect(await keys({ pin: "1990-01-01" })).toEqual([]);
    await db.close();
  });

  it("refuses options that mean nothing, and stops when told to", async () => {
    const db = await open(":memory:");
    await expect(db.tables({ pin: "tx:7" })).rejects.toMatchObject({ code: "E_TX_UNKNOWN" });
    await expect(db.tables({ pin: "soon" })).rejects.toMatchObject({ code: "E_INVALID_ARG" });
    await expect(db.tables({ rowsPerPiece: 0 })).rejects.toMatchObject({ code: "E_INVALID_ARG" });
    await expect(db.tables({ histoyr: true } as never)).rejects.toMatchObject({ code: "E_SCHEMA" });
    await expect(db.tables({ signal: AbortSignal.abort() })).rejects.toMatchObject({ code: "E_CANCELLED" });
    await db.close();
    await expect(db.tables()).rejects.toMatchObject({ code: "E_CLOSED" });
  });
});
