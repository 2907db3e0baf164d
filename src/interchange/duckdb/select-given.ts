// SQL that brings any column of DuckDB to one of few types, so that a result is read in one way: whole numbers, doubles,
// booleans and texts. A value that does not fit is null there and stands in a column beside it, for the refusal.
import { PalimpsestError } from "../../contract/errors.js";

export type ReadForm = "int" | "double" | "bool" | "text" | "json" | "instant" | "local" | "date" | "duration" | "none";

/** How one column is selected. */
export interface GivenSelect {
  readonly name: string;
  readonly form: ReadForm;
  /** BIGINT, DOUBLE, BOOLEAN or VARCHAR. */
  readonly value: string;
  /** VARCHAR: the value where it does not fit, else null. */
  readonly unfit: string | null;
  readonly reason: string;
  readonly hint: string;
}

export const quotedName = (name: string): string => `"${name.replaceAll('"', '""')}"`;
export const quotedText = (text: string): string => `'${text.replaceAll("'", "''")}'`;

const SMALL_INTEGERS = new Set(["TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER"]);
const WIDE_INTEGERS = new Set(["UBIGINT", "HUGEINT", "UHUGEINT", "BIGNUM"]);
const LOCAL_TIMES = new Set(["TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "DATETIME"]);
const AS_TEXT = new Set(["VARCHAR", "UUID", "TIME", "TIME WITH TIME ZONE"]);

const unfitWhere = (condition: string, column: string): string =>
  `CASE WHEN ${condition} THEN CAST(${column} AS VARCHAR) END`;

/** Months, days and time apart, as ISO 8601 has them. */
const intervalSql = (c: string): string =>
  `CASE WHEN ${c} IS NULL THEN NULL ELSE 'P' || (datepart('year', ${c}) * 12 + datepart('month', ${c})) || 'M' || ` +
  `datepart('day', ${c}) || 'DT' || format('{:.6f}', (datepart('hour', ${c}) * 3600 + datepart('minute', ${c}) * 60) + ` +
  `CAST(datepart('microsecond', ${c}) AS DECIMAL(18,6)) / 1000000) || 'S' END`;

function refuseType(name: string, type: string, reason: string, hint: string): never {
  throw new PalimpsestError("E_SCHEMA", `column ${JSON.stringify(name)}: ${type} ${reason}`, {
    details: { column: name, type, reason },
    hint,
  });
}

const isNested = (type: string): boolean => /\]$/.test(type) || /^(STRUCT|MAP)\(/.test(type);

/** How a column of that type, as DESCRIBE writes it, is read. E_SCHEMA for a type that no property has. */
export function selectOf(name: string, type: string): GivenSelect {
  const c = quotedName(name);
  const plain = (form: ReadForm, value: string): GivenSelect => ({
    name,
    form,
    value,
    unfit: null,
    reason: "",
    hint: "",
  });
  if (SMALL_INTEGERS.has(type)) return plain("int", `CAST(${c} AS BIGINT)`);
  if (type === "FLOAT" || type === "DOUBLE") return plain("double", `CAST(${c} AS DOUBLE)`);
  if (type === "BOOLEAN") return plain("bool", c);
  if (type === '"NULL"' || type === "NULL") return plain("none", "CAST(NULL AS VARCHAR)");
  if (AS_TEXT.has(type) || type.startsWith("ENUM(")) return plain("text", `CAST(${c} AS VARCHAR)`);
  if (type === "JSON") return plain("json", `CAST(${c} AS VARCHAR)`);
  if (isNested(type)) return plain("json", `CAST(to_json(${c}) AS VARCHAR)`);
  if (type === "INTERVAL") return plain("text", intervalSql(c));
  const decimal = /^DECIMAL\(\d+,(\d+)\)$/.exec(type);
  if (decimal !== null && decimal[1] !== "0") {
    refuseType(name, type, "has digits behind the point", "cast it to DOUBLE, or to VARCHAR to keep every digit");
  }
  if (WIDE_INTEGERS.has(type) || decimal !== null) {
    const value = `TRY_CAST(${c} AS BIGINT)`;
    return {
      ...{ name, form: "int" as const, value, unfit: unfitWhere(`${value} IS NULL`, c) },
      ...{ reason: "is out of the range of int64", hint: "cast the column to VARCHAR to keep every digit" },
    };
  }
  const finite = { reason: "is no moment", hint: "null means that there is no value, or an open end" };
  if (type === "TIMESTAMP WITH TIME ZONE" || LOCAL_TIMES.has(type)) {
    const stamp = type === "TIMESTAMP WITH TIME ZONE" ? c : `CAST(${c} AS TIMESTAMP)`;
    const value = `CASE WHEN isfinite(${stamp}) THEN epoch_us(${stamp}) END`;
    const form = type === "TIMESTAMP WITH TIME ZONE" ? "instant" : "local";
    return { name, form, value, unfit: unfitWhere(`NOT isfinite(${stamp})`, c), ...finite };
  }
  if (type === "TIMESTAMP_NS") {
    const isWhole = `epoch_ns(${c}) % 1000 = 0`;
    return {
      ...{ name, form: "local" as const, value: `CASE WHEN ${isWhole} THEN epoch_ns(${c}) // 1000 END` },
      ...{ unfit: unfitWhere(`NOT (${isWhole})`, c), reason: "is finer than a microsecond" },
      hint: "round it to microseconds first",
    };
  }
  if (type === "DATE") {
    const value = `CASE WHEN isfinite(${c}) THEN epoch_us(CAST(${c} AS TIMESTAMP)) END`;
    return { name, form: "date", value, unfit: unfitWhere(`NOT isfinite(${c})`, c), ...finite };
  }
  return refuseType(name, type, "is no type of a property", "leave the column out, or cast it to VARCHAR");
}
