// Exact 64-bit arithmetic on pairs of 32-bit halves: the finaliser of SplitMix64, and remainders of its results.
// For the generators only. BigInt would be exact too, but takes minutes where this takes seconds.

/** The golden-ratio increment of SplitMix64, by which a counter is multiplied or advanced. */
export const GOLDEN_HIGH = 0x9e3779b9;
export const GOLDEN_LOW = 0x7f4a7c15;

const FIRST_HIGH = 0xbf58476d;
const FIRST_LOW = 0x1ce4e5b9;
const SECOND_HIGH = 0x94d049bb;
const SECOND_LOW = 0x133111eb;

/** Upper 32 bits of a product of two unsigned 32-bit numbers. Every intermediate stays below 2^49, so doubles are exact. */
function upperProduct(a: number, b: number): number {
  const withLow = a * (b & 0xffff);
  const withHigh = a * (b >>> 16);
  return ((withHigh + Math.floor(withLow / 0x10000)) / 0x10000) >>> 0;
}

/** `out[0]`, `out[1]` = the low and high half of a * b modulo 2^64; halves may come signed, as bit operators leave them. */
export function multiply64(aHigh: number, aLow: number, bHigh: number, bLow: number, out: Uint32Array): void {
  out[0] = Math.imul(aLow, bLow);
  out[1] = upperProduct(aLow >>> 0, bLow >>> 0) + Math.imul(aLow, bHigh) + Math.imul(aHigh, bLow);
}

/** SplitMix64's finaliser of (high, low): three xor-shifts with two multiplications between them. */
export function finalise64(high: number, low: number, out: Uint32Array): void {
  multiply64(high ^ (high >>> 30), low ^ ((low >>> 30) | (high << 2)), FIRST_HIGH, FIRST_LOW, out);
  const onceLow = out[0] as number;
  const onceHigh = out[1] as number;
  multiply64(
    onceHigh ^ (onceHigh >>> 27),
    onceLow ^ ((onceLow >>> 27) | (onceHigh << 5)),
    SECOND_HIGH,
    SECOND_LOW,
    out,
  );
  const twiceLow = out[0] as number;
  const twiceHigh = out[1] as number;
  out[0] = twiceLow ^ ((twiceLow >>> 31) | (twiceHigh << 1));
  out[1] = twiceHigh ^ (twiceHigh >>> 31);
}

/** Remainder of an exact non-negative double below 2^53; several times faster than the % of doubles. */
function remainder53(value: number, divisor: number): number {
  const rest = value - Math.floor(value / divisor) * divisor;
  if (rest < 0) return rest + divisor;
  return rest >= divisor ? rest - divisor : rest;
}

/** The unsigned 64-bit number (high, low), both halves unsigned, modulo a divisor of at most 2^21, so that no intermediate passes 2^53. */
export function remainder64(high: number, low: number, divisor: number): number {
  return remainder53(remainder53(high, divisor) * 0x1_0000_0000 + low, divisor);
}
