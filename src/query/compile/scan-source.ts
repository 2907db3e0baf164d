// A table of the store as a scan: what the scan is, what its rows are, and what of its clauses no scan can say.
import type { BaseTable, BucketsTable, CommitsTable, Expr, Table, VersionsTable } from "../../../grammar/ast.js";
import type { JsonObject, JsonValue } from "../../contract/values.js";
import type { TableSchema } from "../../relational/index.js";
import type { SourceTimes } from "./times.js";

export type StoredTable = BaseTable | VersionsTable | CommitsTable | BucketsTable;

/** What rows of a table are, which decides what their filter may test. */
export type Element = "node" | "edge" | "none";

export interface ScanSource {
  readonly element: Element;
  /** The scan but for `where` and `columns`. */
  readonly args: JsonObject;
  readonly schema: TableSchema;
  /** The filter that labels put on the rows. */
  readonly where: JsonObject;
  /** Conditions that are left for the rows, over columns by their names. */
  readonly rest: (column: (name: string) => Expr) => readonly Expr[];
  /** The window and the pin, for who makes another operator of it. */
  readonly times: SourceTimes | null;
  readonly asOf: JsonValue;
  readonly names: readonly string[] | null;
}

export const isStored = (table: Table): table is StoredTable =>
  table.kind === "base" || table.kind === "versions" || table.kind === "commits" || table.kind === "buckets";
