// JSON for people: short values in one line with spaces, long ones broken where they hold something.
import { canonicalJson } from "../contract/canonical.js";
import type { JsonValue } from "../contract/values.js";

const WIDTH = 110;

export function jsonLine(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(jsonLine).join(", ")}]`;
  if (typeof value !== "object" || value === null) return canonicalJson(value);
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${jsonLine(member)}`);
  return members.length === 0 ? "{}" : `{${members.join(", ")}}`;
}

/** Rows of a list keep one line each where they can. */
export function jsonText(value: JsonValue, indent = ""): string {
  const line = jsonLine(value);
  const isContainer = typeof value === "object" && value !== null;
  if (!isContainer || line.length + indent.length <= WIDTH) return line;
  const deeper = `${indent}  `;
  if (Array.isArray(value)) {
    return `[\n${value.map((member) => `${deeper}${jsonText(member, deeper)}`).join(",\n")}\n${indent}]`;
  }
  const members = Object.entries(value).map(
    ([name, member]) => `${deeper}${JSON.stringify(name)}: ${jsonText(member, deeper)}`,
  );
  return `{\n${members.join(",\n")}\n${indent}}`;
}

const LONGEST_TEXT = 60;

/** The value with long texts cut, for print. */
export function shortened(value: JsonValue): JsonValue {
  if (typeof value === "string") {
    return value.length <= LONGEST_TEXT ? value : `${value.slice(0, 8)}… (${value.length} characters)`;
  }
  if (Array.isArray(value)) return value.map(shortened);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shortened(member)]));
}
