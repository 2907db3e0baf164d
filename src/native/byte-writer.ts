// A growing little-endian buffer for the compact forms in which TypeScript hands operations and questions to native code.
// Writes what it is told; the forms are described beside the native readers.
const FIRST_BYTES = 256;
const SHORT_TEXT = 24;
const NULL_LENGTH = 0xffff_ffff;

export class ByteWriter {
  private bytes = Buffer.allocUnsafe(FIRST_BYTES);
  private length = 0;

  private room(count: number): void {
    if (this.length + count <= this.bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.bytes.length * 2, this.length + count));
    this.bytes.copy(larger, 0, 0, this.length);
    this.bytes = larger;
  }

  u8(value: number): void {
    this.room(1);
    this.length = this.bytes.writeUInt8(value, this.length);
  }

  u32(value: number): void {
    this.room(4);
    this.length = this.bytes.writeUInt32LE(value, this.length);
  }

  i64(value: bigint): void {
    this.room(8);
    this.length = this.bytes.writeBigInt64LE(value, this.length);
  }

  i64s(values: BigInt64Array): void {
    this.room(values.byteLength);
    // The machine is little-endian, as the form is.
    this.bytes.set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), this.length);
    this.length += values.byteLength;
  }

  f64(value: number): void {
    this.room(8);
    this.length = this.bytes.writeDoubleLE(value, this.length);
  }

  text(value: string | null | undefined): void {
    if (value === null || value === undefined) {
      this.u32(NULL_LENGTH);
      return;
    }
    this.room(4 + value.length * 3);
    const written = this.putText(value, this.length + 4);
    this.bytes.writeUInt32LE(written, this.length);
    this.length += 4 + written;
  }

  /** Writes UTF-8 and gives its length. Short ASCII, which most names are, costs less in a loop than in a call. */
  private putText(value: string, at: number): number {
    const { bytes } = this;
    const { length } = value;
    if (length > SHORT_TEXT) return bytes.write(value, at, "utf8");
    for (let i = 0; i < length; i += 1) {
      const unit = value.charCodeAt(i);
      if (unit > 0x7f) return bytes.write(value, at, "utf8");
      bytes[at + i] = unit;
    }
    return length;
  }

  /** A list of texts; null (no restriction) is told from an empty one. */
  texts(values: readonly string[] | null): void {
    if (values === null) {
      this.u32(NULL_LENGTH);
      return;
    }
    this.u32(values.length);
    for (const value of values) this.text(value);
  }

  /** The bytes so far, as a view that later writes may change. */
  finish(): Uint8Array {
    return this.bytes.subarray(0, this.length);
  }
}
