// The columns of the base tables that `scan` reads: their order, their types, and which tables have properties.
// Part of the scan's contract, apart because engines read it too.
import type { OutputKind } from "../contract/output-schemas.js";

/** What the rows of each table are. */
export const SCAN_TABLES = {
  nodes: "versions of nodes that are believed at the pin",
  edges: "versions of edges that are believed at the pin",
  events: "beginnings of facts",
  endpoints: "events, once for each end",
  versions: "every version written up to the pin",
  commits: "commits up to the pin",
  buckets: "stretches of time",
} as const;
export type ScanTable = keyof typeof SCAN_TABLES;

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
] as const;
const EDGE_COLUMNS = ["src", "type", "dst", "key", "seq"] as const;
const NODE_TABLE = ["uid", "labels", ...VERSION_COLUMNS] as const;
const EDGE_TABLE = [...EDGE_COLUMNS, ...VERSION_COLUMNS] as const;
const EVENT_TABLE = [...EDGE_COLUMNS, "at", "duration"] as const;

const TABLES = {
  nodes: NODE_TABLE,
  edges: EDGE_TABLE,
  events: EVENT_TABLE,
  endpoints: [...EVENT_TABLE, "uid", "other", "role"],
  commits: ["tx", "tx_time", "operations", "asserted", "retracted", "corrected", "ingested"],
  buckets: ["bucket_from", "bucket_to", "partial"],
} as const satisfies Readonly<Record<Exclude<ScanTable, "versions">, readonly string[]>>;
/** Every column of some table but properties. */
export type ColumnName = (typeof TABLES)[keyof typeof TABLES][number];

const TYPES: Readonly<Record<string, OutputKind>> = {
  labels: "json",
  props: "json",
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
/** The column that shows all properties of a row. */
export const ALL_PROPERTIES = "props";

/** Whose properties: those of versions believed, of events, or of all versions ever written. */
export type PropertyTable = "nodes" | "edges" | "events" | "node_versions" | "edge_versions";

/** Whose properties the rows of a table have; null for tables without any. */
export function propertyTable(of: ScanTable, kind: "node" | "edge" | null): PropertyTable | null {
  if (of === "nodes" || of === "edges") return of;
  if (of === "versions") return kind === "node" ? "node_versions" : "edge_versions";
  return hasProperties(of) ? "events" : null;
}

/** The columns of a table but its properties, in their order. */
export function tableColumns(of: ScanTable, kind: "node" | "edge" | null): readonly ColumnName[] {
  return of === "versions" ? (kind === "node" ? NODE_TABLE : EDGE_TABLE) : TABLES[of];
}

export const hasProperties = (of: ScanTable): boolean => of !== "commits" && of !== "buckets";

/** The property that a column shows, or undefined for a column of the table itself. */
export function propertyOfColumn(column: string): string | undefined {
  return column.startsWith(PROPERTY_PREFIX) ? column.slice(PROPERTY_PREFIX.length) : undefined;
}

/** The type of a column of a table; those of properties depend on the data. */
export const columnType = (column: string): OutputKind => TYPES[column] ?? "string";
