// The types of columns and expressions, and how values of each are held while they are computed with.
// Instants and durations are microseconds as bigint; an open end is OPEN_END_US; null is NULL and nothing else.
import { canonicalJson } from "../../contract/canonical.js";
import { compareCodePoints } from "../../contract/code-points.js";
import { formatDuration, parseDuration } from "../../contract/duration.js";
import { PalimpsestError } from "../../contract/errors.js";
import { formatEnd, OPEN_END_US } from "../../contract/instant.js";
import type { OutputKind } from "../../contract/output-schemas.js";
import { parseValidTo } from "../../contract/parse-instant.js";
import type { JsonValue } from "../../contract/values.js";

/** The types of output schemas, and that of a column in which nothing but null was seen. */
export type ValueType = OutputKind | "null";
/** By its type: a number is int or double, a bigint an int beyond 2^53 or microseconds. */
export type Value = JsonValue;

const NUMBERS: readonly ValueType[] = ["int", "double"];
const INSTANTS: readonly ValueType[] = ["instant", "instant_open"];

export const isNumber = (type: ValueType): boolean => NUMBERS.includes(type);
export const isInstant = (type: ValueType): boolean => INSTANTS.includes(type);
export const isTime = (type: ValueType): boolean => isInstant(type) || type === "duration";

/** The type of a value that no schema types. */
export function typeOfValue(value: JsonValue): ValueType {
  switch (typeof value) {
    case "boolean":
      return "bool";
    case "string":
      return "string";
    case "bigint":
      return "int";
    case "number":
      return Number.isSafeInteger(value) ? "int" : "double";
    default:
      return value === null ? "null" : "json";
  }
}

/** The type of a column that holds both; undefined where the two do not mix. */
export function mixed(a: ValueType, b: ValueType): ValueType | undefined {
  if (a === b || b === "null") return a;
  if (a === "null") return b;
  if (isNumber(a) && isNumber(b)) return "double";
  return isInstant(a) && isInstant(b) ? "instant_open" : undefined;
}

export function doNotMix(a: ValueType, b: ValueType, path: string): PalimpsestError {
  return new PalimpsestError("E_INVALID_ARG", `${path}: ${a} and ${b} do not go together`, {
    details: { path, types: [a, b] },
    hint: "numbers compare with numbers and instants with instants; name the type of inline texts in `types`",
  });
}

/** Microseconds, or the value itself, of a value in JSON form. A null of `instant_open` is FOREVER. */
export function fromJson(value: JsonValue, type: ValueType, path: string): Value {
  if (type === "instant_open") return parseValidTo(value, path);
  if (value === null) return null;
  if (type === "instant") return parseValidTo(value, path);
  return type === "duration" ? parseDuration(value, path) : value;
}

/** The JSON form of a value. */
export function toJson(value: Value, type: ValueType): JsonValue {
  if (value === null) return null;
  if (isInstant(type)) return formatEnd(value as bigint);
  return type === "duration" ? formatDuration(value as bigint) : value;
}

export const isForever = (value: Value): boolean => value === OPEN_END_US;

/** Rank of a value among those of other types: null < bool < number < string < JSON; times stand in columns of their own. */
function rankOf(value: Value): number {
  switch (typeof value) {
    case "boolean":
      return 1;
    case "number":
    case "bigint":
      return 2;
    case "string":
      return 3;
    default:
      return value === null ? 0 : 4;
  }
}

/** The standing order of values of one column, null first; JSON of two classes by their rank. */
export function compareValues(a: Value, b: Value): number {
  if (typeof a === "string" && typeof b === "string") return compareCodePoints(a, b);
  const [left, right] = [rankOf(a), rankOf(b)];
  if (left !== right) return left - right;
  if (left === 0) return 0;
  if (left === 4) return compareCodePoints(canonicalJson(a), canonicalJson(b));
  // JavaScript compares bigint with number by exact value.
  return (a as number) < (b as number) ? -1 : (a as number) > (b as number) ? 1 : 0;
}

/** A text that is the same for exactly the values that are equal. */
export function identityOf(value: Value): string {
  switch (typeof value) {
    case "number":
      // A double from 2^53 on is a whole number, and equal to the int64 of that value.
      return Number.isInteger(value) && !Number.isSafeInteger(value) ? BigInt(value).toString() : String(value);
    case "bigint":
      return value.toString();
    case "string":
      return `"${value}`;
    case "boolean":
      return value ? "t" : "f";
    default:
      return value === null ? "n" : canonicalJson(value);
  }
}
