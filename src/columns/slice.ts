// Some rows of a table that stand beside each other, as a table: arrays are shared, dictionaries stay whole.
import type { Column, ColumnTable, DoubleColumn, Validity } from "./column.js";

/** The bits of rows [from, to); in place where they begin at a byte. */
export function bitsOfRows(bits: Validity, from: number, to: number): Validity {
  if (bits === null) return null;
  if (from % 8 === 0) return bits.subarray(from >> 3, (to + 7) >> 3);
  const out = new Uint8Array((to - from + 7) >> 3);
  const shift = from & 7;
  const first = from >> 3;
  for (let i = 0; i < out.length; i += 1) {
    out[i] = (bits[first + i]! >> shift) | ((bits[first + i + 1] ?? 0) << (8 - shift));
  }
  return out;
}

function wideOfRows({ wide }: DoubleColumn, from: number, to: number): Pick<DoubleColumn, "wide"> {
  if (wide === undefined) return {};
  const first = wide.rows.findIndex((row) => row >= from);
  const end = wide.rows.findIndex((row) => row >= to);
  if (first < 0 || first === end) return {};
  const last = end < 0 ? wide.rows.length : end;
  return {
    wide: { rows: wide.rows.subarray(first, last).map((row) => row - from), values: wide.values.subarray(first, last) },
  };
}

function columnOfRows(column: Column, from: number, to: number): Column {
  if ("codes" in column) return { ...column, codes: column.codes.subarray(from, to) };
  const part = { values: column.values.subarray(from, to), valid: bitsOfRows(column.valid, from, to) };
  if (column.type !== "double") return { ...column, ...part } as Column;
  return { type: "double", ...part, ...wideOfRows(column, from, to) } as DoubleColumn;
}

/** Rows [from, to) of a table that has so many. */
export function slicedTable({ columns }: ColumnTable, from: number, to: number): ColumnTable {
  return {
    rowCount: to - from,
    columns: columns.map(({ name, column }) => ({ name, column: columnOfRows(column, from, to) })),
  };
}
