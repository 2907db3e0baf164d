// JSON values as the database sees them: int64 and double told apart, canonical text, orders, SHA-256.
// The reference engine's own reading of docs/contract.md "Values"; shares no code with the product.

import { createHash } from "node:crypto";
import { PalimpsestError } from "../contract/errors.js";

/** An int64 is a safe integer or, beyond that, a bigint; any other number is a double. */
export type Value = null | boolean | string | number | bigint | Value[] | { [key: string]: Value };
export type Props = { [key: string]: Value };

const MIN_INT64 = -(2n ** 63n);
const MAX_INT64 = 2n ** 63n - 1n;

/** One form per value: small bigints become numbers, -0 becomes 0. */
export function normalise(input: unknown): Value {
  if (input === null || typeof input === "boolean" || typeof input === "string") return input;
  if (typeof input === "bigint") {
    if (input < MIN_INT64 || input > MAX_INT64) throw new PalimpsestError("E_INVALID_ARG", `${input} is out of int64`);
    const small = Number(input);
    return Number.isSafeInteger(small) ? small : input;
  }
  if (typeof input === "number") {
    if (!Number.isFinite(input)) throw new PalimpsestError("E_INVALID_ARG", `${input} is not a JSON number`);
    return input === 0 ? 0 : input;
  }
  if (Array.isArray(input)) return input.map(normalise);
  if (typeof input === "object") {
    const object: Props = Object.create(null);
    for (const [key, member] of Object.entries(input)) object[key] = normalise(member);
    return object;
  }
  throw new PalimpsestError("E_INVALID_ARG", `a ${typeof input} is not a JSON value`);
}

/** Property maps hold no nulls: null is absence. */
export function normaliseProps(input: unknown): Props {
  const props: Props = Object.create(null);
  for (const [key, value] of Object.entries((normalise(input ?? {}) as Props) ?? {})) {
    if (value !== null) props[key] = value;
  }
  return props;
}

/** RFC 8785 with all digits of an int64, and exponent form for doubles of 2^53 and more. Undefined members are left out. */
export function canonicalText(value: unknown): string {
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "bigint") return value.toString();
  if (typeof value === "number") {
    if (value === 0) return "0";
    return Math.abs(value) >= 2 ** 53 ? value.toExponential() : String(value);
  }
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(",")}]`;
  const object = value as Record<string, unknown>;
  const members = Object.keys(object)
    .filter((key) => object[key] !== undefined)
    .sort() // by UTF-16 unit, as RFC 8785 says
    .map((key) => `${JSON.stringify(key)}:${canonicalText(object[key])}`);
  return `{${members.join(",")}}`;
}

export function sha256Hex(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex");
}

/** Code point order: a surrogate stands for something above the whole basic plane, also above U+E000 to U+FFFF. */
export function compareText(left: string, right: string): number {
  const isSurrogate = (unit: number) => unit >= 0xd800 && unit <= 0xdfff;
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const [a, b] = [left.charCodeAt(i), right.charCodeAt(i)];
    if (a === b) continue;
    if (isSurrogate(a) !== isSurrogate(b)) return isSurrogate(a) ? 1 : -1;
    return a - b;
  }
  return left.length - right.length;
}

/** The first difference decides. */
export function compareTexts(left: readonly string[], right: readonly string[]): number {
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const order = compareText(left[i]!, right[i]!);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

export function compareInstants(left: bigint, right: bigint): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** A set of strings as it is written: no duplicates, by code point. */
export function textSet(texts: Iterable<string>): string[] {
  return [...new Set(texts)].sort(compareText);
}
