// How the columns of an exported table stand in DuckDB: labels are lists of texts, all else is what its type says.
import type { StoreTable } from "../export/tables.js";
import type { AppendedColumn } from "./append-table.js";
import { duckFormOf } from "./chunk-writer.js";

export const exportedColumns = ({ columns }: StoreTable): AppendedColumn[] =>
  columns.map(({ name, type }) => ({ name, form: name === "labels" ? "texts" : duckFormOf(type) }));
