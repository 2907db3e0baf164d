// Columns of tables whose type DuckDB cannot be given directly: lists and periods, which tables hold as JSON.
import { OPEN_END_US } from "../../contract/instant.js";
import { fromJson } from "../functions/casts.js";
import { int, once } from "../functions/sql.js";
import type { SchemaColumn } from "../schema.js";

const isHeldAsJson = ({ type }: SchemaColumn): boolean => type.kind === "list" || type.kind === "period";

/** The text of a table's source, its columns named c0, c1, … */
export function tableSql(table: string, alias: string, columns: readonly SchemaColumn[]): string {
  if (!columns.some(isHeldAsJson)) return `${table} AS ${alias}`;
  const items = columns.map((column, i) => {
    const text = `s.c${i}`;
    return `${isHeldAsJson(column) ? typedValue(column, text) : text} AS c${i}`;
  });
  return `(SELECT ${items.join(", ")}, s.p FROM ${table} AS s) AS ${alias}`;
}

function typedValue({ type }: SchemaColumn, text: string): string {
  if (type.kind === "list") return fromJson(type)(text);
  const end = (key: "from" | "to"): string => once([`json_extract_string(${text}, '$.${key}')`], ([t]) => fromText(t!));
  const to = `coalesce(${end("to")}, ${int(OPEN_END_US)})`;
  return `CASE WHEN ${text} IS NOT NULL THEN {'f': ${end("from")}, 't': ${to}} END`;
}

const fromText = (text: string): string => `epoch_us(TRY_CAST(${text} AS TIMESTAMPTZ))`;
