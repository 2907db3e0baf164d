// Rows of a table by columns as JSON objects in the form of answers: instants in RFC 3339, an open end as null.
// Types come from the statement; an int64 beyond 2^53 is a bigint.
import type { Column, ColumnTable } from "../columns/column.js";
import { parseExact } from "../contract/exact-json.js";
import { type JsonObject, type JsonValue, setOwn } from "../contract/values.js";
import type { OutputColumn } from "./bound.js";
import { wordValue } from "./duckdb/read.js";

type Cell = (row: number) => JsonValue;

const hasValue = (valid: Uint8Array | null, row: number): boolean =>
  valid === null || ((valid[row >> 3]! >> (row & 7)) & 1) === 1;

function cellOf(column: Column): Cell {
  switch (column.type) {
    case "string":
      return (row) => (column.codes[row]! < 0 ? null : column.dictionary[column.codes[row]!]!);
    case "json":
      // Parsed anew for each row: what a caller is given is the caller's.
      return (row) => (column.codes[row]! < 0 ? null : parseExact(column.dictionary[column.codes[row]!]!));
    case "bool":
      return (row) => (hasValue(column.valid, row) ? column.values[row] === 1 : null);
    case "double":
      return (row) => (hasValue(column.valid, row) ? column.values[row]! : null);
    default: {
      const type = { kind: column.type };
      return (row) => (hasValue(column.valid, row) ? wordValue(column.values[row]!, type) : null);
    }
  }
}

/** Rows `from` to `to`, as far as there are any. */
export function rowsOf(table: ColumnTable, columns: readonly OutputColumn[], from: number, to: number): JsonObject[] {
  const cells = table.columns.map(({ column }) => cellOf(column));
  const rows: JsonObject[] = [];
  for (let row = from; row < Math.min(to, table.rowCount); row += 1) {
    const object: JsonObject = {};
    for (let i = 0; i < cells.length; i += 1) setOwn(object, columns[i]!.name, cells[i]!(row));
    rows.push(object);
  }
  return rows;
}
