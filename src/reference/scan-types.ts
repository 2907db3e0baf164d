// The types of scan's columns: fixed ones by name, those of properties by the values that the table holds.

import type { Props, Value } from "./values.js";

const TYPES: Readonly<Record<string, string>> = {
  seq: "int",
  tx: "int",
  operations: "int",
  asserted: "int",
  retracted: "int",
  corrected: "int",
  ingested: "int",
  labels: "json",
  props: "json",
  valid_from: "instant",
  tx_from: "instant",
  tx_time: "instant",
  at: "instant",
  bucket_from: "instant",
  bucket_to: "instant",
  valid_to: "instant_open",
  tx_to: "instant_open",
  duration: "duration",
  partial: "bool",
};

function typeOf(value: Value): string {
  if (typeof value === "bigint") return "int";
  if (typeof value === "number") return Number.isSafeInteger(value) ? "int" : "double";
  if (typeof value === "boolean") return "bool";
  return typeof value === "string" ? "string" : "json";
}

/** int64 and double mixed are double; other mixtures, and a property never seen, are json. */
export function columnType(column: string, propsOfTable: readonly Props[]): string {
  if (!column.startsWith("props.")) return TYPES[column] ?? "string";
  const name = column.slice("props.".length);
  const seen = new Set(propsOfTable.filter((props) => Object.hasOwn(props, name)).map((props) => typeOf(props[name]!)));
  if (seen.size === 1) return [...seen][0]!;
  return seen.size === 2 && seen.has("int") && seen.has("double") ? "double" : "json";
}
