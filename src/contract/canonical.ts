// Canonical JSON: RFC 8785, but an int64 keeps all its digits and a double from 2^53 on is written with an exponent.
// The printer trusts values in the form of values.ts; reading is in exact-json.ts.
import type { JsonValue } from "./values.js";

const TWO_POW_53 = 9_007_199_254_740_992;

export function canonicalNumber(value: number | bigint): string {
  if (typeof value === "bigint") return value.toString();
  if (value >= TWO_POW_53 || value <= -TWO_POW_53) return value.toExponential();
  return value === 0 ? "0" : String(value);
}

// Most strings have nothing to escape, and this test costs a third of JSON.stringify. JSON.stringify never escapes
// U+007F or U+2028, as RFC 8785 asks.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must be escaped
const NEEDS_ESCAPE = /[\u0000-\u001f"\\\ud800-\udfff]/;

export function canonicalString(text: string): string {
  return NEEDS_ESCAPE.test(text) ? JSON.stringify(text) : `"${text}"`;
}

/** Canonical JSON of a value. Object keys sort by UTF-16 unit; members that are undefined do not exist. */
export function canonicalJson(value: unknown): string {
  switch (typeof value) {
    case "string":
      return canonicalString(value);
    case "number":
    case "bigint":
      return canonicalNumber(value);
    case "boolean":
      return value ? "true" : "false";
    default:
  }
  if (value === null || typeof value !== "object") return "null";
  if (Array.isArray(value)) {
    if (value.length === 0) return "[]";
    let text = `[${canonicalJson(value[0])}`;
    for (let i = 1; i < value.length; i += 1) text += `,${canonicalJson(value[i])}`;
    return `${text}]`;
  }
  const object = value as Record<string, unknown>;
  let text = "";
  for (const key of Object.keys(object).sort()) {
    const member = object[key];
    if (member === undefined) continue;
    text += `${text === "" ? "{" : ","}${canonicalString(key)}:${canonicalJson(member)}`;
  }
  return text === "" ? "{}" : `${text}}`;
}

/** Whether two values are the same in canonical form. */
export function sameValue(a: JsonValue, b: JsonValue): boolean {
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return Object.is(a, b);
  return canonicalJson(a) === canonicalJson(b);
}
