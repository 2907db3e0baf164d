// A long list as a table of one column, in the form in which DuckDB is fed.
import type { Column, ColumnTable, Validity } from "../../columns/column.js";
import { WordWriter } from "../../columns/words.js";
import type { JsonValue } from "../../contract/values.js";
import type { ListSource } from "../bound.js";
import { scalarOf } from "../types.js";

function validityOf(values: readonly JsonValue[]): Validity {
  if (!values.includes(null)) return null;
  const bits = new Uint8Array((values.length + 7) >> 3);
  for (const [i, value] of values.entries()) if (value !== null) bits[i >> 3]! |= 1 << (i & 7);
  return bits;
}

function texts(type: "string" | "json", values: readonly JsonValue[]): Column {
  const dictionary: string[] = [];
  const known = new Map<string, number>();
  const codes = new Int32Array(values.length).fill(-1);
  for (let i = 0; i < values.length; i += 1) {
    const text = values[i] as string | null;
    if (text === null) continue;
    let code = known.get(text);
    if (code === undefined) {
      code = dictionary.length;
      dictionary.push(text);
      known.set(text, code);
    }
    codes[i] = code;
  }
  return { type, codes, dictionary };
}

function columnOf({ columns, values }: ListSource): Column {
  const type = scalarOf(columns[0]!.type);
  switch (type) {
    case "string":
    case "json":
      return texts(type, values);
    case "double":
      return { type, values: Float64Array.from(values, (value) => Number(value ?? 0)), valid: validityOf(values) };
    case "bool":
      return { type, values: Uint8Array.from(values, (value) => (value === true ? 1 : 0)), valid: validityOf(values) };
    default: {
      const held = new BigInt64Array(values.length);
      const words = new WordWriter(held);
      for (const [i, value] of values.entries()) words.set(i, (value ?? 0) as number | bigint);
      return { type, values: held, valid: validityOf(values) };
    }
  }
}

export const tableOfList = (list: ListSource): ColumnTable => ({
  rowCount: list.values.length,
  columns: [{ name: list.columns[0]!.name, column: columnOf(list) }],
});
