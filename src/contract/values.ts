// The rules for property values and strings: number classes, UTF-8, nesting, and the limits of single values.
// An int64 is a safe number, or a bigint beyond 2^53; every other number is a double, so the class is always clear.
import { PalimpsestError } from "./errors.js";

export type JsonObject = { [key: string]: JsonValue };
/** A value as the engine holds it. A bigint is an int64 that is no safe integer; -0 does not occur. */
export type JsonValue = null | boolean | number | bigint | string | JsonValue[] | JsonObject;

export const LIMITS = {
  uidBytes: 1024,
  nameBytes: 256,
  keyBytes: 1024,
  idempotencyKeyBytes: 128,
  labels: 256,
  properties: 1024,
  versionBytes: 1 << 20,
  batchOperations: 100_000,
  batchBytes: 64 << 20,
  nesting: 64,
} as const;

export const INT64_MIN = -(1n << 63n);
export const INT64_MAX = (1n << 63n) - 1n;

function refuse(message: string, where: string, hint = ""): never {
  throw new PalimpsestError("E_INVALID_ARG", `${where}: ${message}`, { details: { path: where }, hint });
}

const ANY_SURROGATE = /[\ud800-\udfff]/;
const LONE_SURROGATE = /\p{Surrogate}/u;

export const isWellFormed = (text: string): boolean => !ANY_SURROGATE.test(text) || !LONE_SURROGATE.test(text);

/** Refuses text that has no UTF-8 form. */
export function checkText(text: string, where: string): string {
  if (!isWellFormed(text))
    refuse("the text has a lone surrogate, which has no UTF-8 form", where, "give well-formed text");
  return text;
}

export function utf8Bytes(text: string): number {
  return Buffer.byteLength(text, "utf8");
}

/** Refuses text of more than `limit` bytes of UTF-8. */
export function checkBytes(text: string, limit: number, where: string): string {
  // A UTF-16 unit takes at most three bytes.
  if (text.length * 3 > limit && utf8Bytes(text) > limit) {
    refuse(`${utf8Bytes(text)} bytes are more than the ${limit} that are allowed here`, where, "give a shorter text");
  }
  return text;
}

/** The stored form of a JavaScript number or bigint: refuses NaN, infinities and what int64 cannot hold. */
export function normaliseNumber(value: number | bigint, where: string): number | bigint {
  if (typeof value === "number") {
    if (!Number.isFinite(value)) refuse(`${value} is not a value`, where);
    return value === 0 ? 0 : value;
  }
  if (value < INT64_MIN || value > INT64_MAX) refuse(`${value} is out of the range of int64`, where);
  const small = Number(value);
  return Number.isSafeInteger(small) ? small : value;
}

/** An object of JSON: a Date or a Map is none. */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Sets an own property whatever its name, `__proto__` included. */
export function setOwn(target: JsonObject, key: string, value: JsonValue): void {
  if (key === "__proto__")
    Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true });
  else target[key] = value;
}

/**
 * The stored form of one value: a copy, checked at every depth.
 * E_SCHEMA for what is no JSON (undefined, functions, class instances), E_INVALID_ARG for values out of range.
 */
export function normaliseValue(value: unknown, where: string, depth = 0): JsonValue {
  if (typeof value === "string") return checkText(value, where);
  if (typeof value === "number" || typeof value === "bigint") return normaliseNumber(value, where);
  if (value === null || typeof value === "boolean") return value;
  if (typeof value !== "object" || !(Array.isArray(value) || isPlainObject(value))) {
    throw new PalimpsestError("E_SCHEMA", `${where}: ${typeof value} is not a JSON value`, {
      details: { path: where },
      hint: "give null, a boolean, a number, a bigint, a string, an array or a plain object",
    });
  }
  if (depth >= LIMITS.nesting) refuse(`the value is nested deeper than ${LIMITS.nesting}`, where);
  if (Array.isArray(value)) {
    // A list with holes, and however long it says it is, ends at its first one.
    const members: JsonValue[] = [];
    for (let i = 0; i < value.length; i += 1) members.push(normaliseValue(value[i], `${where}/${i}`, depth + 1));
    return members;
  }
  const copy: JsonObject = {};
  for (const key of Object.keys(value)) {
    const member = (value as Record<string, unknown>)[key];
    setOwn(copy, checkText(key, where), normaliseValue(member, `${where}/${key}`, depth + 1));
  }
  return copy;
}
