// The text of one value in a table, before it is padded or cut.
// Numbers as canonical JSON writes them; an open end is `forever`; a period is shown half-open.
import { canonicalJson, canonicalNumber } from "../../contract/canonical.js";
import type { JsonValue } from "../../contract/values.js";
import type { AnswerColumn } from "./answer.js";
import { printable } from "./display-width.js";

function periodText(value: JsonValue): string | null {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  const { from, to } = value;
  return typeof from === "string" ? `[${from}, ${typeof to === "string" ? to : "forever"})` : null;
}

/** Null is NULL, which the table shows in grey. */
export function cellText(value: JsonValue | undefined, { type }: AnswerColumn): string | null {
  if (value === null || value === undefined) return type === "instant_open" ? "forever" : null;
  if (typeof value === "string") return printable(value);
  if (typeof value === "number" || typeof value === "bigint") return canonicalNumber(value);
  if (typeof value === "boolean") return value ? "true" : "false";
  return printable((type === "period" ? periodText(value) : null) ?? canonicalJson(value));
}
