// RFC 4180: a line of names, then a line a row, each ended by CR LF; fields quoted where they must be.
// NULL is an empty field and the empty text is "", as `palimpsest load` reads them.
import { canonicalJson, canonicalNumber } from "../../contract/canonical.js";
import type { JsonValue } from "../../contract/values.js";
import type { AnswerColumn, AnswerRow } from "./answer.js";

const MUST_QUOTE = /[",\r\n]|^$|^\s|\s$/;

function field(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number" || typeof value === "bigint") return canonicalNumber(value);
  const text = typeof value === "string" ? value : canonicalJson(value);
  return MUST_QUOTE.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const line = (fields: readonly string[]): string => `${fields.join(",")}\r\n`;

export const csvHeader = (columns: readonly AnswerColumn[]): string => line(columns.map(({ name }) => field(name)));

export const csvRow = (row: AnswerRow, columns: readonly AnswerColumn[]): string =>
  line(columns.map(({ name }) => field(row[name])));
