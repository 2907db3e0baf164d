// The codes inside an event block of the log: varints, packed integers, texts, doubles (FORMAT.md "Event block").
// A second reader, apart from the native codec: one code at a time, bit by bit, every length checked.

import { PalimpsestError } from "../contract/errors.js";
import { floorDiv } from "./instants.js";

const LANES = 16;
const ROWS_OF_LANES = 1024;

export class BlockReader {
  private at = 0;

  constructor(private readonly bytes: Uint8Array) {}

  refuse(what: string): never {
    throw new PalimpsestError("E_LOG_CORRUPT", `event block: ${what}`, { details: { offset: this.at } });
  }

  get isAtEnd(): boolean {
    return this.at === this.bytes.length;
  }

  take(count: number): Uint8Array {
    if (count > this.bytes.length - this.at) this.refuse("it ends too early");
    this.at += count;
    return this.bytes.subarray(this.at - count, this.at);
  }

  byte(): number {
    return this.take(1)[0]!;
  }

  varint(): bigint {
    let value = 0n;
    for (let i = 0n; i < 10n; i++) {
      const byte = BigInt(this.byte());
      value |= (byte & 127n) << (7n * i);
      if (byte < 128n) return value < 2n ** 64n ? value : this.refuse("a varint of more than 64 bits");
    }
    return this.refuse("a varint of more than 10 bytes");
  }

  /** A varint that counts something, within bounds. */
  count(least: number, most: number): number {
    const value = this.varint();
    if (value < BigInt(least) || value > BigInt(most)) this.refuse(`${value} is not in ${least}..${most}`);
    return Number(value);
  }

  private zigzag(): bigint {
    const value = this.varint();
    return (value & 1n) === 0n ? value >> 1n : -(value >> 1n) - 1n;
  }

  ints(count: number): bigint[] {
    if (count === 0) return [];
    const head = this.byte();
    const [width, hasSlope] = [head & 127, head >= 128];
    if (width > 64) this.refuse(`codes of ${width} bits`);
    const base = this.zigzag();
    const divisor = width > 0 || hasSlope ? this.varint() : 1n;
    const slope = hasSlope ? this.zigzag() : 0n;
    if (slope < -(2n ** 52n) || slope > 2n ** 52n) this.refuse(`a slope of ${slope}`);
    const codes = count === ROWS_OF_LANES ? this.interleaved(width) : this.stream(count, width);
    return codes.map((code, i) => BigInt.asIntN(64, base + divisor * (floorDiv(slope * BigInt(i), 1024n) + code)));
  }

  /** Integers in 0..most, as numbers. */
  smallInts(count: number, most: number): number[] {
    return this.ints(count).map((value) =>
      value >= 0n && value <= BigInt(most) ? Number(value) : this.refuse(`${value} is not in 0..${most}`),
    );
  }

  private stream(count: number, width: number): bigint[] {
    const bytes = this.take(Math.ceil((count * width) / 8));
    const isSet = (bit: number) => (bytes[bit >> 3]! >> (bit & 7)) & 1;
    for (let bit = count * width; bit < bytes.length * 8; bit++)
      if (isSet(bit)) this.refuse("bits left over are not zero");
    return Array.from({ length: count }, (_, i) => codeOf(width, (bit) => isSet(i * width + bit)));
  }

  private interleaved(width: number): bigint[] {
    const bytes = this.take(128 * width);
    return Array.from({ length: ROWS_OF_LANES }, (_, i) => {
      const [lane, place] = [i % LANES, Math.floor(i / LANES)];
      return codeOf(width, (bit) => {
        const bitOfLane = place * width + bit;
        const [word, rest] = [Math.floor(bitOfLane / 64), bitOfLane % 64];
        return (bytes[8 * (LANES * word + lane) + (rest >> 3)]! >> (rest & 7)) & 1;
      });
    });
  }

  text(length: number): string {
    try {
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(this.take(length));
    } catch (cause) {
      if (cause instanceof PalimpsestError) throw cause;
      return this.refuse("a text that is not UTF-8");
    }
  }

  texts(count: number): string[] {
    if (count === 0) return [];
    const form = this.byte();
    if (form === 0) return this.plainTexts(count);
    if (form === 1) {
      const distinct = this.plainTexts(this.count(1, count));
      return this.smallInts(count, distinct.length - 1).map((position) => distinct[position]!);
    }
    if (form !== 2) this.refuse(`texts of form ${form}`);
    const prefix = this.text(this.byte());
    return this.ints(count).map((number) =>
      number >= 0n ? `${prefix}${number}` : this.refuse("a negative number in a text"),
    );
  }

  private plainTexts(count: number): string[] {
    return this.smallInts(count, this.bytes.length).map((length) => this.text(length));
  }

  doubles(count: number): number[] {
    if (count === 0) return [];
    const form = this.byte();
    if (form === 0) {
      return Array.from({ length: count }, () => {
        const eight = this.take(8);
        return new DataView(eight.buffer, eight.byteOffset, 8).getFloat64(0, true);
      });
    }
    if (form !== 1) this.refuse(`doubles of form ${form}`);
    const exponent = this.byte();
    if (exponent < 1 || exponent > 22) this.refuse(`an exponent of ${exponent}`);
    // 10^22 and every integer up to 2^53 are doubles exactly, so one division rounds once.
    return this.ints(count).map((integer) =>
      integer <= 2n ** 53n && -integer <= 2n ** 53n
        ? Number(integer) / Number(10n ** BigInt(exponent))
        : this.refuse("an integer beyond 2^53"),
    );
  }
}

function codeOf(width: number, isSet: (bit: number) => number): bigint {
  let code = 0n;
  for (let bit = 0; bit < width; bit++) if (isSet(bit)) code |= 1n << BigInt(bit);
  return code;
}
