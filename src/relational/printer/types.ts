// What DuckDB holds for each type of TQL, and constants in its SQL. Times are int64 microseconds there, FOREVER is OPEN_END_US.
// A period is a struct of two of them; JSON is its canonical text.
import { canonicalJson } from "../../contract/canonical.js";
import type { JsonValue } from "../../contract/values.js";
import { int, quoted } from "../functions/sql.js";
import type { TqlType } from "../types.js";

const SIMPLE: Readonly<Record<string, string>> = {
  bool: "BOOLEAN",
  string: "VARCHAR",
  int: "BIGINT",
  double: "DOUBLE",
  instant: "BIGINT",
  instant_open: "BIGINT",
  duration: "BIGINT",
  interval: "VARCHAR",
  period: "STRUCT(f BIGINT, t BIGINT)",
  json: "VARCHAR",
  null: "VARCHAR",
};

export function duckType(type: TqlType): string {
  if (type.kind === "list") return `${duckType(type.of)}[]`;
  if (type.kind === "row") return `STRUCT(${type.of.map((each, i) => `r${i} ${duckType(each)}`).join(", ")})`;
  return SIMPLE[type.kind]!;
}

/** A constant, typed; the value is in the form of columns. */
export function constantSql(value: JsonValue, type: TqlType): string {
  if (value === null) return type.kind === "null" ? "NULL" : `NULL::${duckType(type)}`;
  switch (type.kind) {
    case "bool":
      return value === true ? "TRUE" : "FALSE";
    case "string":
    case "interval":
      return quoted(value as string);
    case "double":
      return `${Number(value).toExponential()}::DOUBLE`;
    case "json":
      return quoted(canonicalJson(value));
    case "list":
      return `[${(value as JsonValue[]).map((each) => constantSql(each, type.of)).join(", ")}]::${duckType(type)}`;
    default:
      return int(value as bigint | number);
  }
}
