// CRC-32C in plain JavaScript, four bytes at a time: for stores in memory, and where there is no addon.
// The native twin is native/core/codec/crc32c.h.

const POLYNOMIAL = 0x82f63b78;

const TABLES = Array.from({ length: 4 }, () => new Uint32Array(256));
for (let byte = 0; byte < 256; byte += 1) {
  let sum = byte;
  for (let bit = 0; bit < 8; bit += 1) sum = sum & 1 ? (sum >>> 1) ^ POLYNOMIAL : sum >>> 1;
  TABLES[0]![byte] = sum;
}
for (let byte = 0; byte < 256; byte += 1) {
  for (let k = 1; k < 4; k += 1) {
    const before = TABLES[k - 1]![byte]!;
    TABLES[k]![byte] = (before >>> 8) ^ TABLES[0]![before & 255]!;
  }
}

/** The sum of `bytes`, going on from `before` (the sum of what came before them; 0 at the start). */
export function crc32c(bytes: Uint8Array, before = 0): number {
  const [t0, t1, t2, t3] = TABLES as [Uint32Array, Uint32Array, Uint32Array, Uint32Array];
  let sum = ~before;
  let i = 0;
  for (const end = bytes.length - 3; i < end; i += 4) {
    sum ^= bytes[i]! | (bytes[i + 1]! << 8) | (bytes[i + 2]! << 16) | (bytes[i + 3]! << 24);
    sum = t3[sum & 255]! ^ t2[(sum >>> 8) & 255]! ^ t1[(sum >>> 16) & 255]! ^ t0[sum >>> 24]!;
  }
  for (; i < bytes.length; i += 1) sum = (sum >>> 8) ^ t0[(sum ^ bytes[i]!) & 255]!;
  return ~sum >>> 0;
}
