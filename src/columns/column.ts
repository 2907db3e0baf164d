// Tables by columns: how rows pass between steps of a plan and DuckDB without being made one by one.
// Plain typed arrays; knows nothing of who fills or reads them.
import type { ScalarType } from "./types.js";

/** One bit per row, the least significant first, 1 where there is a value; null where every row has one. */
export type Validity = Uint8Array | null;

/** int64 numbers; instants in microseconds since 1970, the open end being OPEN_END_US; durations in microseconds. */
export interface WordColumn {
  readonly type: Extract<ScalarType, "int" | "instant" | "instant_open" | "duration">;
  readonly values: BigInt64Array;
  readonly valid: Validity;
}
/** Integers that a double would not show as they are: rows ascending, and what they hold. */
export interface WideIntegers {
  readonly rows: Uint32Array;
  readonly values: BigInt64Array;
}
export interface DoubleColumn {
  readonly type: "double";
  /** The nearest double, where the row is one of `wide`. */
  readonly values: Float64Array;
  readonly valid: Validity;
  /** Rows that hold an int64 beyond 2^53, in a property whose other values are doubles. */
  readonly wide?: WideIntegers;
}
/** One byte per row, 0 or 1. */
export interface BoolColumn {
  readonly type: "bool";
  readonly values: Uint8Array;
  readonly valid: Validity;
}
/** Texts as UTF-8, end to end; text i is bytes [offsets[i], offsets[i + 1]). */
export interface Utf8Texts {
  readonly bytes: Uint8Array;
  readonly offsets: Int32Array;
}
/** Texts, and JSON as canonical text: row i is `dictionary[codes[i]]`, null where the code is -1. No text stands twice. */
export interface TextColumn {
  readonly type: "string" | "json";
  readonly codes: Int32Array;
  readonly dictionary: readonly string[];
  /** The dictionary as bytes, where it came so. */
  readonly utf8?: Utf8Texts;
}
export type Column = WordColumn | DoubleColumn | BoolColumn | TextColumn;

export interface NamedColumn {
  readonly name: string;
  readonly column: Column;
}
export interface ColumnTable {
  readonly rowCount: number;
  readonly columns: readonly NamedColumn[];
}
/** Some rows of a list, and how many the whole list has. */
export interface TablePart extends ColumnTable {
  readonly total: number;
}

export const isValid = (valid: Validity, row: number): boolean =>
  valid === null || ((valid[row >> 3]! >> (row & 7)) & 1) === 1;
