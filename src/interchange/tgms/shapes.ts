// Reading the values of a TGMS record: objects, texts, whole numbers and times, each failure with its path.
// Knows the JSON of the format and nothing of what the operations mean.
import { OPEN_END_US } from "../../contract/instant.js";
import type { JsonObject, JsonValue } from "../../contract/values.js";
import { RefusedValue } from "../refusal.js";

export function malformed(path: string, reason: string): RefusedValue {
  return new RefusedValue(`${path}: ${reason}`, "E_SCHEMA", "see the format of tgms-log in the README");
}

export function objectAt(value: JsonValue | undefined, path: string): JsonObject {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as JsonObject;
  throw malformed(path, value === undefined ? "is missing" : "an object belongs here");
}

export function listAt(value: JsonValue | undefined, path: string): readonly JsonValue[] {
  if (Array.isArray(value)) return value;
  throw malformed(path, value === undefined ? "is missing" : "a list belongs here");
}

export function textAt(value: JsonValue | undefined, path: string): string {
  if (typeof value === "string") return value;
  throw malformed(path, value === undefined ? "is missing" : "a text belongs here");
}

/** A text, or undefined where there is none. */
export function textOrNone(value: JsonValue | undefined, path: string): string | undefined {
  return value === undefined || value === null ? undefined : textAt(value, path);
}

export function wholeAt(value: JsonValue | undefined, path: string): bigint {
  if (typeof value === "bigint") return value;
  if (typeof value === "number" && Number.isSafeInteger(value)) return BigInt(value);
  throw malformed(path, value === undefined ? "is missing" : "a whole number belongs here");
}

/** A half-open stretch of valid time in microseconds; `toUs` is 2^62 for an open end, as here. */
export interface Stretch {
  readonly fromUs: bigint;
  readonly toUs: bigint;
}

/** That 2^62 is open is the same here and there. */
export const endOf = (toUs: bigint): bigint | null => (toUs === OPEN_END_US ? null : toUs);

export function checkOrder(stretch: Stretch, path: string): Stretch {
  if (stretch.fromUs < stretch.toUs) return stretch;
  throw new RefusedValue(`${path}: vt_s ${stretch.fromUs} is not before vt_e ${stretch.toUs}`, "E_PERIOD_ORDER");
}

/** Refuses keys that the format does not have: what they say would be lost. */
export function checkKeys(object: JsonObject, known: readonly string[], path: string): void {
  for (const key of Object.keys(object)) {
    if (!known.includes(key)) throw malformed(`${path}/${key}`, `there is no such field; known: ${known.join(", ")}`);
  }
}
