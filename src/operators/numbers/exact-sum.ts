// Sums of numbers that lose nothing, whatever their order and size: a whole number times a power of two.
// One sum serves one figure; rounding is in fractions.ts.
import { type Fraction, mantissaOf } from "./fractions.js";

/** The exact sum of numbers, and of their squares where asked for. */
export class ExactSum {
  count = 0;
  /** Whether every number was an int64. */
  areInts = true;
  /** Of safe integers, while it is one itself. */
  private small = 0;
  /** All else, in units of 2^scale; scale is at most 0. */
  private total = 0n;
  private scale = 0;
  private readonly squares: ExactSum | undefined;

  constructor(withSquares = false) {
    this.squares = withSquares ? new ExactSum() : undefined;
  }

  add(value: number | bigint): void {
    this.count += 1;
    if (typeof value === "bigint") {
      this.addScaled(value, 0);
      this.squares?.addScaled(value * value, 0);
    } else if (Number.isSafeInteger(value)) {
      const next = this.small + value;
      if (Number.isSafeInteger(next)) this.small = next;
      else this.addScaled(BigInt(value), 0);
      this.squares?.addSquare(value);
    } else {
      this.areInts = false;
      const { mantissa, exponent } = mantissaOf(value);
      this.addScaled(mantissa, exponent);
      this.squares?.addScaled(mantissa * mantissa, 2 * exponent);
    }
  }

  private addSquare(value: number): void {
    const square = value * value;
    const next = this.small + square;
    if (Number.isSafeInteger(next)) this.small = next;
    else this.addScaled(BigInt(value) * BigInt(value), 0);
  }

  private addScaled(digits: bigint, exponent: number): void {
    if (exponent < this.scale) {
      this.total <<= BigInt(this.scale - exponent);
      this.scale = exponent;
    }
    this.total += exponent === this.scale ? digits : digits << BigInt(exponent - this.scale);
  }

  sum(): Fraction {
    return { num: this.total + (BigInt(this.small) << BigInt(-this.scale)), den: 1n << BigInt(-this.scale) };
  }

  /** The population's variance: the mean of the squares less the square of the mean. */
  variance(): Fraction {
    const n = BigInt(this.count);
    const { num, den } = this.sum();
    const squares = this.squares!.sum();
    const scaled = n * squares.num * den * den - num * num * squares.den;
    return { num: scaled, den: n * n * den * den * squares.den };
  }
}
