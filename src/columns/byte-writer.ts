// A growing buffer of bytes that texts and digits are written into.
// Short texts byte by byte: a call into the runtime costs more than they do.

const encoder = new TextEncoder();
const ZERO = 0x30;
const MINUS = 0x2d;
const FEW_BYTES = 48;

export class ByteWriter {
  private buffer = new Uint8Array(1 << 12);
  private at = 0;

  get length(): number {
    return this.at;
  }
  clear(): void {
    this.at = 0;
  }
  /** What was written; overwritten after `clear`. */
  written(): Uint8Array {
    return this.buffer.subarray(0, this.at);
  }

  private room(bytes: number): void {
    if (this.at + bytes <= this.buffer.length) return;
    const grown = new Uint8Array(Math.max(this.buffer.length * 2, this.at + bytes));
    grown.set(this.buffer.subarray(0, this.at));
    this.buffer = grown;
  }

  byte(value: number): void {
    this.room(1);
    this.buffer[this.at++] = value;
  }

  bytes(values: Uint8Array): void {
    this.append(values, 0, values.length);
  }

  /** The bytes [from, to) of another writer. */
  copy(source: ByteWriter, from: number, to: number): void {
    this.append(source.buffer, from, to);
  }

  private append(source: Uint8Array, from: number, to: number): void {
    this.room(to - from);
    if (to - from > FEW_BYTES) {
      this.buffer.set(source.subarray(from, to), this.at);
      this.at += to - from;
      return;
    }
    const { buffer } = this;
    let { at } = this;
    for (let i = from; i < to; i += 1) buffer[at++] = source[i]!;
    this.at = at;
  }

  ascii(text: string): void {
    this.room(text.length);
    for (let i = 0; i < text.length; i += 1) this.buffer[this.at++] = text.charCodeAt(i);
  }

  utf8(text: string): void {
    this.room(text.length * 3);
    this.at += encoder.encodeInto(text, this.buffer.subarray(this.at)).written;
  }

  /** A whole number from 0 on, in so many digits. */
  digits(value: number, count: number): void {
    this.room(count);
    let rest = value;
    for (let i = this.at + count - 1; i >= this.at; i -= 1) {
      const tenth = Math.floor(rest / 10);
      this.buffer[i] = ZERO + rest - tenth * 10;
      rest = tenth;
    }
    this.at += count;
  }

  /** A safe integer. */
  integer(value: number): void {
    let magnitude = value;
    if (value < 0) {
      this.byte(MINUS);
      magnitude = -value;
    }
    let count = 1;
    for (let power = 10; power <= magnitude; power *= 10) count += 1;
    this.digits(magnitude, count);
  }
}
