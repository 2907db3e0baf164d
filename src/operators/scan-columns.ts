// The columns of the base tables that `scan` reads: their order, their types, and which tables have properties.
// Part of the scan's contract, apart because engines read it too.
import type { OutputKind } from "../contract/output-schemas.js";

export type ScanTable = "nodes" | "edges" | "events" | "endpoints" | "versions" | "commits" | "buckets";

const VERSION_COLUMNS = [
  "valid_from",
  "valid_to",
  "tx_from",
  "tx_to",
  "tx",
  "ended_by",
  "ended_reason",
  "reason",
  "source",
  "provenance_ref",
];
const EDGE_COLUMNS = ["src", "type", "dst", "key", "seq"];
const NODE_TABLE = ["uid", "labels", ...VERSION_COLUMNS];
const EDGE_TABLE = [...EDGE_COLUMNS, ...VERSION_COLUMNS];
const EVENT_TABLE = [...EDGE_COLUMNS, "at", "duration"];

const TABLES: Readonly<Record<Exclude<ScanTable, "versions">, readonly string[]>> = {
  nodes: NODE_TABLE,
  edges: EDGE_TABLE,
  events: EVENT_TABLE,
  endpoints: [...EVENT_TABLE, "uid", "other", "role"],
  commits: ["tx", "tx_time", "operations", "asserted", "retracted", "corrected", "ingested"],
  buckets: ["bucket_from", "bucket_to", "partial"],
};

const TYPES: Readonly<Record<string, OutputKind>> = {
  labels: "json",
  seq: "int",
  valid_from: "instant",
  valid_to: "instant_open",
  tx_from: "instant",
  tx_to: "instant_open",
  tx: "int",
  at: "instant",
  duration: "duration",
  tx_time: "instant",
  operations: "int",
  asserted: "int",
  retracted: "int",
  corrected: "int",
  ingested: "int",
  bucket_from: "instant",
  bucket_to: "instant",
  partial: "bool",
};

const PROPERTY_PREFIX = "props.";

/** The columns of a table but its properties, in their order. */
export function tableColumns(of: ScanTable, kind: "node" | "edge" | null): readonly string[] {
  return of === "versions" ? (kind === "node" ? NODE_TABLE : EDGE_TABLE) : TABLES[of];
}

export const hasProperties = (of: ScanTable): boolean => of !== "commits" && of !== "buckets";

/** The property that a column shows, or undefined for a column of the table itself. */
export function propertyOfColumn(column: string): string | undefined {
  return column.startsWith(PROPERTY_PREFIX) ? column.slice(PROPERTY_PREFIX.length) : undefined;
}

/** The type of a column of a table; those of properties depend on the data. */
export const columnType = (column: string): OutputKind => TYPES[column] ?? "string";
