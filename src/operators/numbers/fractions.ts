// Exact fractions of whole numbers, and the one rounding at the end of a figure (docs/contract.md A11).
// Pure arithmetic; knows nothing of columns, rows or types.
import { roundedTo } from "../../contract/decimals.js";
import { PalimpsestError } from "../../contract/errors.js";

/** num / den, not reduced; `den` is above zero. */
export interface Fraction {
  readonly num: bigint;
  readonly den: bigint;
}

const LEAST_EXPONENT = -1074;
const MANTISSA_BITS = 52n;
const MANTISSA_MASK = (1n << MANTISSA_BITS) - 1n;

const double = new Float64Array(1);
const bits = new BigUint64Array(double.buffer);

/** A finite double as mantissa times a power of two. */
export function mantissaOf(value: number): { mantissa: bigint; exponent: number } {
  double[0] = value;
  const raw = bits[0]!;
  const biased = Number((raw >> MANTISSA_BITS) & 0x7ffn);
  const digits = biased === 0 ? raw & MANTISSA_MASK : (raw & MANTISSA_MASK) | (1n << MANTISSA_BITS);
  return { mantissa: value < 0 ? -digits : digits, exponent: Math.max(biased, 1) - 1 + LEAST_EXPONENT };
}

/** The exact value of a number. */
export function fractionOf(value: number | bigint): Fraction {
  if (typeof value === "bigint") return { num: value, den: 1n };
  if (Number.isSafeInteger(value)) return { num: BigInt(value), den: 1n };
  const { mantissa, exponent } = mantissaOf(value);
  return exponent >= 0
    ? { num: mantissa << BigInt(exponent), den: 1n }
    : { num: mantissa, den: 1n << BigInt(-exponent) };
}

export const sumOfFractions = (a: Fraction, b: Fraction): Fraction => ({
  num: a.num * b.den + b.num * a.den,
  den: a.den * b.den,
});

/** num / den with any sign of `den`, which is not zero. */
export const quotient = (num: bigint, den: bigint): Fraction => (den < 0n ? { num: -num, den: -den } : { num, den });

/** The greatest whole number that is not above the fraction. */
export function floorOf({ num, den }: Fraction): bigint {
  const whole = num / den;
  return whole * den > num ? whole - 1n : whole;
}

/** The whole number nearest to the fraction, half to even. */
export function nearestWhole(fraction: Fraction): bigint {
  const floor = floorOf(fraction);
  const twice = 2n * (fraction.num - floor * fraction.den);
  if (twice === fraction.den) return (floor & 1n) === 0n ? floor : floor + 1n;
  return twice > fraction.den ? floor + 1n : floor;
}

const bitLength = (value: bigint): number => value.toString(2).length;

function outOfDouble(): never {
  throw new PalimpsestError("E_LIMIT", "a number is out of the range of a double", {
    hint: "work with smaller numbers",
  });
}

/** Refuses infinity, the overflow of a double, as E_LIMIT; -0 becomes 0. */
export function finite(value: number): number {
  if (!Number.isFinite(value)) outOfDouble();
  return value === 0 ? 0 : value;
}

// More bits than a double's 53 and the two that it is rounded by.
const KEPT_BITS = 66;

/** The double nearest to the fraction, half to even; E_LIMIT beyond the largest. */
export function toDouble({ num, den }: Fraction): number {
  if (num === 0n) return 0;
  if (num < 0n) return -toDouble({ num: -num, den });
  const magnitude = bitLength(num) - bitLength(den);
  // Subnormal doubles, and what may round to one, are whole multiples of the least.
  if (magnitude < -1020) {
    return Number(nearestWhole({ num: num << BigInt(-LEAST_EXPONENT), den })) * Number.MIN_VALUE;
  }
  const shift = KEPT_BITS - magnitude;
  const [scaledNum, scaledDen] = shift >= 0 ? [num << BigInt(shift), den] : [num, den << BigInt(-shift)];
  const whole = scaledNum / scaledDen;
  // One bit more for the rest, so that only an exact half counts as a half.
  const sticky = (whole << 1n) | (whole * scaledDen === scaledNum ? 0n : 1n);
  const half = Math.trunc((shift + 1) / 2);
  return finite(Number(sticky) * 2 ** -half * 2 ** -(shift + 1 - half));
}

function wholeRoot(value: bigint): bigint {
  if (value < 2n) return value;
  let root = 1n << BigInt(Math.ceil(bitLength(value) / 2));
  for (;;) {
    const next = (root + value / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}

/** The double nearest to the square root of a fraction that is not negative. */
export function rootOf({ num, den }: Fraction): number {
  if (num === 0n) return 0;
  const shift = BigInt(Math.max(0, KEPT_BITS - Math.floor((bitLength(num) - bitLength(den)) / 2)));
  const scaled = num << (2n * shift);
  const whole = scaled / den;
  const root = wholeRoot(whole);
  const isExact = root * root === whole && whole * den === scaled;
  return toDouble({ num: (root << 1n) | (isExact ? 0n : 1n), den: 1n << (shift + 1n) });
}

// From here on neighbouring doubles are further apart than two billionths, so each is its own rounding.
const COARSE = 2 ** 23;

/** A derived double as it is compared and shown: 9 decimals, half to even on its exact binary value. */
export function derived(value: number): number {
  if (Number.isInteger(value) || value >= COARSE || value <= -COARSE) return value === 0 ? 0 : value;
  const rounded = roundedTo(value, 9);
  return rounded === 0 ? 0 : rounded;
}

/** A percentage read as the decimal that its text is, as a fraction of 1. */
export function percentFraction(percent: number): Fraction {
  const [digits = "0", exponent = "0"] = String(percent).split("e");
  const [whole = "0", decimals = ""] = digits.split(".");
  const places = decimals.length - Number(exponent);
  const num = BigInt(whole + decimals);
  return places >= 0 ? { num, den: 100n * 10n ** BigInt(places) } : { num: num * 10n ** BigInt(-places), den: 100n };
}

/** ceil(count · fraction). */
export const ceilOf = (count: number, { num, den }: Fraction): number => Number((BigInt(count) * num + den - 1n) / den);
