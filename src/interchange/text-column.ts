// A column of strings as UTF-8 bytes, end to end: uids, keys and text properties on their way to the engine.
// Bytes are copied from the record; no string is made.

/** What `ingest` takes for strings: value i is bytes [ends[i − 1], ends[i]). */
export interface TextValues {
  readonly bytes: Uint8Array;
  readonly ends: Uint32Array;
}

/** Below this a loop beats the call of `set`. */
const SHORT_BYTES = 24;

export class TextColumn {
  private bytes = new Uint8Array(1 << 10);
  private ends = new Uint32Array(1 << 6);
  private used = 0;

  /** Writes value `row`, which must be the one after the last. */
  append(row: number, source: Uint8Array, from: number, to: number): void {
    const length = to - from;
    if (this.used + length > this.bytes.length) this.growBytes(this.used + length);
    if (row >= this.ends.length) this.growEnds();
    const { bytes } = this;
    let at = this.used;
    if (length < SHORT_BYTES) for (let i = from; i < to; i += 1, at += 1) bytes[at] = source[i]!;
    else bytes.set(source.subarray(from, to), at);
    this.used += length;
    this.ends[row] = this.used;
  }

  /** Forgets the values from `row` on. */
  truncate(row: number): void {
    this.used = row === 0 ? 0 : this.ends[row - 1]!;
  }

  /** Gives the first `rows` values away and starts anew. */
  take(rows: number): TextValues {
    this.truncate(rows);
    const taken = { bytes: this.bytes.slice(0, this.used), ends: this.ends.slice(0, rows) };
    this.used = 0;
    return taken;
  }

  private growBytes(needed: number): void {
    const fresh = new Uint8Array(Math.max(needed, this.bytes.length * 2));
    fresh.set(this.bytes.subarray(0, this.used));
    this.bytes = fresh;
  }

  private growEnds(): void {
    const fresh = new Uint32Array(this.ends.length * 2);
    fresh.set(this.ends);
    this.ends = fresh;
  }
}
