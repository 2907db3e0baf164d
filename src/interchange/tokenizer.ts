// What the tokenizers share: the byte window over a file, whole lines at a time, and the checks on raw bytes.
// A tokenizer turns bytes into the fields of one record; what a field means is for columns.
import { isUtf8 } from "node:buffer";
import { Fields } from "./fields.js";
import { refusal } from "./refusal.js";

const LF = 10;
const CR = 13;
const QUOTE = 34;
/** The longest record: a version of 1 MiB, twice over for escapes. */
const LONGEST_RECORD_BYTES = 2 << 20;

function startsWith(bytes: Uint8Array, mark: readonly number[]): boolean {
  return mark.every((byte, i) => bytes[i] === byte);
}

/** A character takes 4 bytes at the most: a prefix that ends inside of one is UTF-8 without its last 3. */
const CUT_BYTES = 3;

/** How many bytes at the beginning are UTF-8. Halves what is left to look at: a record may be long. */
function utf8Length(bytes: Uint8Array): number {
  const whole = (end: number): number => {
    for (let cut = 0; cut <= CUT_BYTES && cut <= end; cut += 1)
      if (isUtf8(bytes.subarray(0, end - cut))) return end - cut;
    return -1;
  };
  let good = 0;
  for (let bad = bytes.length + 1; bad - good > 1; ) {
    const middle = (good + bad) >>> 1;
    if (whole(middle) < 0) bad = middle;
    else good = middle;
  }
  return whole(good);
}

export abstract class Tokenizer {
  readonly fields = new Fields();
  /** Bytes from `at` to `limit` are there and belong to whole lines (or to the end of the file). */
  protected at = 0;
  protected limit = 0;
  protected line = 1;
  protected isLast = false;
  /** Set when reading cannot go on, whatever the caller does with refusals. */
  isBroken = false;
  /** Whether the window has a carriage return at all; most files have none. */
  protected hasCarriageReturn = false;
  /** Where the record at hand begins; it ends at `at`. */
  protected recordFrom = 0;
  /** The bytes of the window as they were, where somebody wants to see records: fields are decoded in place. */
  private untouched: Uint8Array | null = null;
  private filled = 0;
  /** Chunks behind the window, none of which ends a line. */
  private waiting: Uint8Array[] = [];
  private waitingBytes = 0;
  private isFirstChunk = true;
  /** Whether the window has a NUL or is no UTF-8: then every record is looked at by itself. */
  private isSuspect = false;

  constructor(
    protected readonly file: string,
    private readonly longestBytes = LONGEST_RECORD_BYTES,
  ) {}

  /** From now on `recordBytes` can be asked for. To be called before the first bytes come. */
  keepRecords(): void {
    this.untouched = this.fields.bytes;
  }

  /** The record at hand, or the refused one, as the file has it, without its line end. */
  recordBytes(): Uint8Array {
    const bytes = this.untouched!;
    let to = this.at;
    if (to > this.recordFrom && bytes[to - 1] === LF) to -= 1;
    if (to > this.recordFrom && bytes[to - 1] === CR) to -= 1;
    return bytes.subarray(this.recordFrom, to);
  }

  /** Adds bytes. With `isLast` the rest of the window counts as a line, ended or not. */
  feed(chunk: Uint8Array, isLast: boolean): void {
    this.waiting.push(chunk);
    this.waitingBytes += chunk.length;
    const length = this.filled - this.at + this.waitingBytes;
    // Copying the beginning of a long line once for each of its chunks would be quadratic.
    if (!isLast && !this.isFirstChunk && !chunk.includes(LF)) {
      if (length > this.longestBytes) this.refuseLength();
      return;
    }
    const bytes = this.withWaiting(this.fields.bytes, length);
    if (this.untouched !== null) this.untouched = this.withWaiting(this.untouched, length);
    this.waiting = [];
    this.waitingBytes = 0;
    this.fields.bytes = bytes;
    this.filled = bytes.length;
    this.isLast = isLast;
    this.at = 0;
    this.recordFrom = 0;
    if (this.isFirstChunk && (bytes.length >= 4 || isLast)) this.skipByteOrderMark(bytes);
    this.limit = isLast ? this.filled : bytes.lastIndexOf(LF) + 1;
    const window = bytes.subarray(this.at, this.limit);
    this.isSuspect = window.includes(0) || !isUtf8(window);
    this.hasCarriageReturn = window.includes(CR);
    if (this.limit === 0 && this.filled > this.longestBytes) this.refuseLength();
  }

  /** What is left of a window, and the chunks behind it. */
  private withWaiting(window: Uint8Array, length: number): Uint8Array {
    const bytes = new Uint8Array(length);
    bytes.set(window.subarray(this.at, this.filled));
    let to = this.filled - this.at;
    for (const chunk of this.waiting) {
      bytes.set(chunk, to);
      to += chunk.length;
    }
    return bytes;
  }

  private skipByteOrderMark(bytes: Uint8Array): void {
    this.isFirstChunk = false;
    if (startsWith(bytes, [0xef, 0xbb, 0xbf])) this.at = 3;
    else if (startsWith(bytes, [0xff, 0xfe]) || startsWith(bytes, [0xfe, 0xff])) {
      this.isBroken = true;
      throw refusal({ file: this.file, line: 1 }, "the file is UTF-16", { hint: "convert it to UTF-8" });
    }
  }

  protected refuseLength(): never {
    this.isBroken = true;
    throw refusal({ file: this.file, line: this.line }, `a record of more than ${this.longestBytes} bytes`, {
      hint: "look for a quote that is never closed, or for another delimiter",
    });
  }

  /** Refuses a record with a NUL or with bytes that are no UTF-8. Cheap where the whole window is fine. */
  protected checkBytes(from: number, to: number): void {
    if (!this.isSuspect) return;
    const record = this.fields.bytes.subarray(from, to);
    const nul = record.indexOf(0);
    if (nul >= 0) {
      throw refusal({ file: this.file, line: this.fields.line }, `byte ${nul + 1} of the line is NUL`, {
        hint: "the file may be binary, or UTF-16: it must be UTF-8 text",
      });
    }
    if (!isUtf8(record)) {
      const good = utf8Length(record);
      throw refusal({ file: this.file, line: this.fields.line }, `byte ${good + 1} of the line is not UTF-8`, {
        hint: "convert the file to UTF-8",
      });
    }
  }

  /** Passes one line without looking at it: what is left of a record that was refused. */
  protected endOfLine(from: number): number {
    const found = this.fields.bytes.indexOf(LF, from);
    return found < 0 || found >= this.limit ? this.limit : found;
  }

  /**
   * Reads the next record into `fields`; false when more bytes are needed, or at the end of the file.
   * A refused record is passed: the next call goes on after it.
   */
  abstract next(): boolean;
}

export { CR, LF, LONGEST_RECORD_BYTES, QUOTE };
