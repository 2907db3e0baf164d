// The store digest from the tables: a line per version in the order that semantics ask for, hashed as it is read.
// DuckDB compares texts by their UTF-8 bytes, which is by code point.
import { createHash } from "node:crypto";
import type { DuckDBConnection, DuckDBMapValue } from "@duckdb/node-api";
import { canonicalJson, canonicalString } from "../contract/canonical.js";
import { formatInstant } from "../contract/instant.js";
import { EDGES, NODES, OPEN_END, type VersionTable } from "./tables.js";

/** Values are canonical already; names are put in the order of canonical JSON. */
function propsText(props: DuckDBMapValue): string {
  const texts = new Map(props.entries.map(({ key, value }) => [key as string, value as string]));
  const names = [...texts.keys()].sort();
  return `{${names.map((name) => `${canonicalString(name)}:${texts.get(name)}`).join(",")}}`;
}

function lineOf(kind: string, columns: readonly string[], row: readonly unknown[]): string {
  const members: [string, string][] = [["kind", canonicalString(kind)]];
  for (const [i, name] of columns.entries()) {
    const value = row[i];
    if (name === "props") members.push([name, propsText(value as DuckDBMapValue)]);
    else if (name === "labels") members.push([name, canonicalJson((value as { items: unknown[] }).items)]);
    else if (typeof value === "bigint") {
      members.push([name.replace("_us", ""), value === OPEN_END ? "null" : canonicalString(formatInstant(value))]);
    } else members.push([name.replace("_us", ""), value === null ? "null" : canonicalString(value as string)]);
  }
  members.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, text]) => `${canonicalString(name)}:${text}`).join(",")}}\n`;
}

export async function digestOfTables(connection: DuckDBConnection): Promise<string> {
  const hash = createHash("sha256");
  for (const [kind, table] of [
    ["node", NODES],
    ["edge", EDGES],
  ] as const) {
    const columns = columnsOf(table);
    const result = await connection.stream(`
      SELECT ${columns.map((column) => SQL_OF[column] ?? `v.${column}`).join(", ")}
      FROM ${table.name} v JOIN commits written ON written.tx = v.tx_from LEFT JOIN commits ended ON ended.tx = v.tx_to
      ORDER BY ${[...table.identity, "tx_from", "valid_from_us"].map((column) => `v.${column}`).join(", ")}`);
    let rowCount = 0;
    for await (const rows of result.yieldRows()) {
      for (const row of rows) hash.update(lineOf(kind, columns, row));
      rowCount += rows.length;
    }
    await checkWhole(connection, table.name, rowCount);
  }
  return hash.digest("hex");
}

/** A stream that fails ends like one that is whole. */
async function checkWhole(connection: DuckDBConnection, table: string, rowCount: number): Promise<void> {
  const [row] = await (await connection.run(`SELECT count(*) FROM ${table}`)).getRows();
  if (row![0] !== BigInt(rowCount)) throw new Error(`${table}: ${rowCount} of ${String(row![0])} versions were read`);
}

const SQL_OF: Readonly<Record<string, string>> = { tx_from: "written.tx_time_us", tx_to: "ended.tx_time_us" };

/** What a line of the digest says of a version; the number of an edge is not part of it. */
function columnsOf({ identity, content }: VersionTable): string[] {
  const shown = content.filter((column) => column !== "seq");
  const belief = ["valid_from_us", "valid_to_us", "tx_from", "tx_to", "ended_by", "ended_reason"];
  return [...identity, ...shown, ...belief, "source", "provenance_ref", "reason"];
}
