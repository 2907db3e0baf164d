// Exact arithmetic over fractions of whole numbers, and the one rounding at its end.
// The reading of docs/contract.md A11: sums, quotients and roots are exact first, then correctly rounded to a double.

import { PalimpsestError } from "../contract/errors.js";

/** num / den, den above zero, not reduced. */
export interface Fraction {
  readonly num: bigint;
  readonly den: bigint;
}

/** Bits that a quotient keeps before its last rounding: more than the 53 of a double and two to round by. */
const KEPT_BITS = 70;

function bitLength(value: bigint): number {
  return value.toString(2).length;
}

/** The exact value of a double or of an integer. */
export function fractionOf(value: number | bigint): Fraction {
  if (typeof value === "bigint") return { num: value, den: 1n };
  let [whole, den] = [value, 1n];
  while (!Number.isInteger(whole)) {
    whole *= 2;
    den *= 2n;
  }
  return { num: BigInt(whole), den };
}

export function add(a: Fraction, b: Fraction): Fraction {
  return { num: a.num * b.den + b.num * a.den, den: a.den * b.den };
}

export function compareFractions(a: Fraction, b: Fraction): number {
  const [left, right] = [a.num * b.den, b.num * a.den];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The whole number nearest to a fraction, half to even. */
export function nearestWhole({ num, den }: Fraction): bigint {
  let floor = num / den;
  if (floor * den > num) floor -= 1n;
  const twice = 2n * (num - floor * den);
  if (twice === den) return floor % 2n === 0n ? floor : floor + 1n;
  return twice > den ? floor + 1n : floor;
}

/** The double nearest to a fraction, half to even. */
export function toDouble({ num, den }: Fraction): number {
  if (num < 0n) return -toDouble({ num: -num, den });
  if (num === 0n) return 0;
  const shift = KEPT_BITS - bitLength(num) + bitLength(den);
  const [scaledNum, scaledDen] = shift > 0 ? [num << BigInt(shift), den] : [num, den << BigInt(-shift)];
  const whole = scaledNum / scaledDen;
  // A last bit for the rest, so that only an exact half is taken for a half; Number() itself rounds half to even.
  const sticky = whole * 2n + (whole * scaledDen === scaledNum ? 0n : 1n);
  const [half, rest] = [Math.trunc((shift + 1) / 2), shift + 1 - Math.trunc((shift + 1) / 2)];
  const value = Number(sticky) * 2 ** -half * 2 ** -rest;
  if (!Number.isFinite(value)) throw new PalimpsestError("E_LIMIT", "a result is out of the range of a double");
  return value;
}

/** A derived double as it is shown: rounded half to even on its exact binary value. */
export function rounded(value: number, digits = 9): number {
  const scale = 10n ** BigInt(digits);
  const { num, den } = fractionOf(value);
  return toDouble({ num: nearestWhole({ num: num * scale, den }), den: scale });
}

function wholeRoot(value: bigint): bigint {
  if (value < 2n) return value;
  let root = 1n << BigInt(Math.ceil(bitLength(value) / 2));
  for (let next = (root + value / root) / 2n; next < root; next = (root + value / root) / 2n) root = next;
  return root;
}

/** The double nearest to the square root of a fraction. */
export function rootOf({ num, den }: Fraction): number {
  if (num === 0n) return 0;
  const shift = BigInt(Math.max(0, KEPT_BITS - Math.floor((bitLength(num) - bitLength(den)) / 2)));
  const scaled = num << (2n * shift);
  const whole = scaled / den;
  const root = wholeRoot(whole);
  const isExact = root * root === whole && whole * den === scaled;
  return toDouble({ num: root * 2n + (isExact ? 0n : 1n), den: 1n << (shift + 1n) });
}
