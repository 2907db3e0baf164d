// Bits of rows, the least significant first: which rows have a value, and booleans as Arrow holds them.
import type { Validity } from "../column.js";

/** 2^62 is no instant but the open end, and its high half is no instant's either. */
const OPEN_END_HIGH = 0x4000_0000;

/** How many bits each byte has. */
const BITS_OF_BYTE = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll("0", "").length);

/** Bits where `isSet` holds; null where it holds in every row. */
export function bitsWhere(rowCount: number, isSet: (row: number) => boolean): Validity {
  const out = new Uint8Array((rowCount + 7) >> 3);
  let count = 0;
  for (let row = 0; row < rowCount; row += 1) {
    if (!isSet(row)) continue;
    out[row >> 3]! |= 1 << (row & 7);
    count += 1;
  }
  return count === rowCount ? null : out;
}

/** Of codes, of which -1 is none. */
export function bitsOfCodes(codes: Int32Array): Validity {
  return codes.includes(-1) ? bitsWhere(codes.length, (row) => codes[row]! >= 0) : null;
}

/** Of ends, among which the open one counts as none. */
export function bitsOfEnds(ends: BigInt64Array, valid: Validity): Validity {
  const halves = new Int32Array(ends.buffer, ends.byteOffset, ends.length * 2);
  const isEnd = (row: number): boolean => halves[2 * row + 1] !== OPEN_END_HIGH;
  if (valid === null) return bitsWhere(ends.length, isEnd);
  return bitsWhere(ends.length, (row) => ((valid[row >> 3]! >> (row & 7)) & 1) === 1 && isEnd(row));
}

/** A byte a row as a bit a row; rows without a value may hold any byte. */
export function packedBools(values: Uint8Array): Uint8Array {
  const out = new Uint8Array((values.length + 7) >> 3);
  for (let row = 0; row < values.length; row += 1) out[row >> 3]! |= (values[row]! & 1) << (row & 7);
  return out;
}

export function countOfNulls(bits: Validity, rowCount: number): number {
  if (bits === null) return 0;
  const bytes = rowCount >> 3;
  let count = rowCount;
  for (let i = 0; i < bytes; i += 1) count -= BITS_OF_BYTE[bits[i]!]!;
  for (let row = bytes * 8; row < rowCount; row += 1) count -= (bits[row >> 3]! >> (row & 7)) & 1;
  return count;
}
