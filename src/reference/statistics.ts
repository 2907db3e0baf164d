// Statistics over numbers and over instants or durations: sum, mean, median, deviation, percentile.
// Exact sums, one rounding (docs/contract.md A11); nothing here knows which events the values came from.

import { PalimpsestError } from "../contract/errors.js";
import { add, type Fraction, fractionOf, nearestWhole, rootOf, rounded, toDouble } from "./exact-numbers.js";
import { normalise } from "./values.js";

/** A stored number: int64 as a safe integer or bigint, else a double. */
export type Numeric = number | bigint;

const INT64_END = 2n ** 63n;

function isInt(value: Numeric): boolean {
  return typeof value === "bigint" || Number.isSafeInteger(value);
}

function total(values: readonly Numeric[]): Fraction {
  return values.map(fractionOf).reduce(add, { num: 0n, den: 1n });
}

/** By exact value; JavaScript compares bigint with number exactly. */
export function compareNumeric(a: Numeric, b: Numeric): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** An integer that is shown; beyond int64 it is E_LIMIT. */
function shownInt(value: bigint): Numeric {
  if (value >= INT64_END || value < -INT64_END) throw new PalimpsestError("E_LIMIT", "a sum is out of int64");
  return normalise(value) as Numeric;
}

export function sumOf(values: readonly Numeric[]): Numeric | null {
  if (values.length === 0) return null;
  const sum = total(values);
  return values.every(isInt) ? shownInt(sum.num / sum.den) : rounded(toDouble(sum));
}

export function meanOf(values: readonly Numeric[]): number | null {
  if (values.length === 0) return null;
  const { num, den } = total(values);
  if (values.every(isInt)) return rounded(toDouble({ num, den: den * BigInt(values.length) }));
  return rounded(toDouble({ num, den }) / values.length);
}

/** The population's variance, exactly: the mean of the squares less the square of the mean. */
function varianceOf(values: readonly Numeric[]): Fraction {
  const n = BigInt(values.length);
  const sum = total(values);
  const squares = values
    .map(fractionOf)
    .map(({ num, den }) => ({ num: num * num, den: den * den }))
    .reduce(add);
  const squareOfSum = { num: -sum.num * sum.num, den: sum.den * sum.den };
  const { num, den } = add({ num: n * squares.num, den: squares.den }, squareOfSum);
  return { num, den: den * n * n };
}

export function deviationOf(values: readonly Numeric[]): number | null {
  return values.length === 0 ? null : rounded(rootOf(varianceOf(values)));
}

/** The middle value as stored, or the mean of the middle two. */
export function medianOf(values: readonly Numeric[]): Numeric | null {
  if (values.length === 0) return null;
  const sorted = [...values].sort(compareNumeric);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : meanOf(sorted.slice(middle - 1, middle + 1));
}

/** The ceil(n·p/100)-th value, the first for p = 0; p is read as the decimal it is written as. */
export function percentileOf<T extends Numeric>(values: readonly T[], p: number): T | null {
  if (values.length === 0) return null;
  const sorted = [...values].sort(compareNumeric);
  const [digits, exponent = "0"] = String(p).split("e") as [string, string?];
  const [whole, fraction = ""] = digits.split(".") as [string, string?];
  const decimals = BigInt(fraction.length - Number(exponent));
  const num = BigInt(sorted.length) * BigInt(whole + fraction);
  const den = 100n * 10n ** decimals;
  const rank = Number((num + den - 1n) / den);
  return sorted[Math.max(1, rank) - 1]!;
}

/** Mean of microseconds, half to even. */
export function meanTime(times: readonly bigint[]): bigint | null {
  if (times.length === 0) return null;
  return nearestWhole({ num: times.reduce((a, b) => a + b), den: BigInt(times.length) });
}

export function medianTime(times: readonly bigint[]): bigint | null {
  if (times.length === 0) return null;
  const sorted = [...times].sort(compareNumeric);
  const middle = Math.floor(sorted.length / 2);
  return meanTime(sorted.length % 2 === 1 ? [sorted[middle]!] : sorted.slice(middle - 1, middle + 1));
}

export function deviationTime(times: readonly bigint[]): bigint | null {
  return times.length === 0 ? null : nearestWhole(fractionOf(rootOf(varianceOf(times))));
}
