// Rows by the values of some columns: what groups, sets and joins have in common.
import type { JsonValue } from "../../contract/values.js";
import { compareValues, identityOf, type Value } from "../expressions/types.js";
import type { Table } from "./table.js";

export type Key = Value[];

/** Reads the key of a row, each value by the type that its column has in this table: NULL is not FOREVER. */
export function keyReader(table: Table, columns: readonly string[]): (row: JsonValue) => Key {
  const readers = columns.map((column) => table.reader(column, table.typeOf(column, `/${table.name}`)));
  return (row) => readers.map((read) => read(row));
}

/** A text that is the same for exactly the keys that are equal. */
export function identityOfKey(key: Key): string {
  if (key.length === 1) return identityOf(key[0]!);
  let text = "";
  for (const value of key) {
    const identity = identityOf(value);
    text += `${identity.length}:${identity}`;
  }
  return text;
}

export function compareKeys(a: Key, b: Key): number {
  for (let i = 0; i < a.length; i += 1) {
    const order = compareValues(a[i]!, b[i]!);
    if (order !== 0) return order;
  }
  return 0;
}

/** Makes the shown one of equal keys independent of their order: an int64 comes before the double of its value. */
export function merge(shown: Key, other: Key): void {
  for (let i = 0; i < shown.length; i += 1) {
    if (typeof other[i] === "bigint" && typeof shown[i] === "number") shown[i] = other[i]!;
  }
}
