// The entries of a zip file by name, read through its central directory. Stored and deflated entries, no more.
import { inflateRawSync } from "node:zlib";

const END = 0x06054b50;
const END_BYTES = 22;
const ENTRY_BYTES = 46;
const LOCAL_BYTES = 30;

export function zipEntries(zip: Buffer): Map<string, Buffer> {
  let end = zip.length - END_BYTES;
  while (end >= 0 && zip.readUInt32LE(end) !== END) end -= 1;
  if (end < 0) throw new Error("this is no zip file");
  const entries = new Map<string, Buffer>();
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    const method = zip.readUInt16LE(at + 10);
    const packedBytes = zip.readUInt32LE(at + 20);
    const nameBytes = zip.readUInt16LE(at + 28);
    const local = zip.readUInt32LE(at + 42);
    const name = zip.toString("utf8", at + ENTRY_BYTES, at + ENTRY_BYTES + nameBytes);
    const from = local + LOCAL_BYTES + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const packed = zip.subarray(from, from + packedBytes);
    if (method !== 0 && method !== 8) throw new Error(`${name} is packed in a way that is not read here`);
    entries.set(name, method === 0 ? packed : inflateRawSync(packed));
    at += ENTRY_BYTES + nameBytes + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return entries;
}
