// How columns stand in DuckDB: of an exported table, where labels are lists of texts, and of an answer.
import type { ColumnTable } from "../../columns/column.js";
import type { StoreTable } from "../export/tables.js";
import type { AppendedColumn } from "./append-table.js";
import { duckFormOf } from "./chunk-writer.js";

export const exportedColumns = ({ columns }: StoreTable): AppendedColumn[] =>
  columns.map(({ name, type }) => ({ name, form: name === "labels" ? "texts" : duckFormOf(type) }));

/** Doubles among which an integer is that no double holds are JSON. */
export function answerColumns({
  head,
  table,
}: {
  readonly head: { readonly columns: readonly { readonly name: string; readonly type: string }[] };
  readonly table: ColumnTable;
}): AppendedColumn[] {
  return head.columns.map(({ name, type }, i) => {
    const { column } = table.columns[i]!;
    const isWide = column.type === "double" && column.wide !== undefined;
    return { name, form: isWide ? "json" : duckFormOf(type) };
  });
}
