// The type of a text token (docs/contract.md "Values"): int64 without point and exponent, else double, bool, string.
// Works on bytes; makes no string for the common cases.
import { RefusedValue } from "./refusal.js";

const [MINUS, DOT, ZERO, NINE] = [45, 46, 48, 57];
const INT64_MAX = (1n << 63n) - 1n;
const INT64_MIN = -(1n << 63n);
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** So many digits are a safe integer whatever they are. */
const SAFE_DIGITS = 15;

export type Token =
  | { readonly kind: "int64"; readonly value: number | bigint }
  | { readonly kind: "double"; readonly value: number }
  | { readonly kind: "bool"; readonly value: boolean }
  | { readonly kind: "string" };

const STRING: Token = { kind: "string" };
const TRUE: Token = { kind: "bool", value: true };
const FALSE: Token = { kind: "bool", value: false };

function spells(bytes: Uint8Array, from: number, word: string): boolean {
  for (let i = 0; i < word.length; i += 1) if (bytes[from + i] !== word.charCodeAt(i)) return false;
  return true;
}

/** The integer at [from, to) when it is a plain one of at most 15 digits, else NaN. */
export function smallInteger(bytes: Uint8Array, from: number, to: number): number {
  const isNegative = bytes[from] === MINUS;
  const first = isNegative ? from + 1 : from;
  const digits = to - first;
  if (digits < 1 || digits > SAFE_DIGITS || (digits > 1 && bytes[first] === ZERO)) return Number.NaN;
  let value = 0;
  for (let i = first; i < to; i += 1) {
    const byte = bytes[i]!;
    if (byte < ZERO || byte > NINE) return Number.NaN;
    value = value * 10 + (byte - ZERO);
  }
  return isNegative && value !== 0 ? -value : value;
}

function numberToken(text: string): Token {
  if (!NUMBER.test(text)) return STRING;
  if (!/[.eE]/.test(text)) {
    const value = BigInt(text);
    if (value < INT64_MIN || value > INT64_MAX) throw new RefusedValue("is out of the range of int64");
    const small = Number(value);
    return { kind: "int64", value: Number.isSafeInteger(small) ? small : value };
  }
  const value = Number(text);
  if (!Number.isFinite(value)) throw new RefusedValue("is out of the range of a double");
  if (Number.isSafeInteger(value)) return { kind: "int64", value: value === 0 ? 0 : value };
  return { kind: "double", value };
}

/** What the token at [from, to) is. Refuses numbers out of range. */
export function classify(bytes: Uint8Array, from: number, to: number): Token {
  const first = bytes[from]!;
  if ((first >= ZERO && first <= NINE) || first === MINUS) {
    const small = smallInteger(bytes, from, to);
    if (!Number.isNaN(small)) return { kind: "int64", value: small };
    return numberToken(Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString("latin1"));
  }
  const length = to - from;
  if (length === 4 && spells(bytes, from, "true")) return TRUE;
  if (length === 5 && spells(bytes, from, "false")) return FALSE;
  return STRING;
}

export { DOT, MINUS, NINE, ZERO };
