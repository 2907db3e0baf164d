// Rounding of a double to few decimals, half to even on its exact binary value.

/** `digits` from 0 to 20; the value's magnitude below 2^21. */
export function roundedTo(value: number, digits: number): number {
  const scaled = value * 2 ** (digits + 1);
  const longer = value.toFixed(digits + 1);
  // Only a multiple of 2^-(digits + 1) can lie half way, and of it toFixed shows every digit. It rounds such away from 0.
  if (!Number.isInteger(scaled) || !longer.endsWith("5")) return Number(value.toFixed(digits));
  const below = longer.slice(0, -1);
  return "02468".includes(below.at(-1)!) ? Number(below) : Number(value.toFixed(digits));
}
