// int64 arrays read and written as halves: a BigInt per value costs more than all the rest of a row.
// Words lie in memory with the low half first, as on every machine that the engine runs on.

const TWO_32 = 0x1_0000_0000;

export class WordReader {
  private readonly low: Uint32Array;
  private readonly high: Int32Array;

  constructor(private readonly words: BigInt64Array) {
    this.low = new Uint32Array(words.buffer, words.byteOffset, words.length * 2);
    this.high = new Int32Array(words.buffer, words.byteOffset, words.length * 2);
  }

  /** The word where it is a safe integer, else NaN. */
  safe(row: number): number {
    const value = this.high[2 * row + 1]! * TWO_32 + this.low[2 * row]!;
    return Number.isSafeInteger(value) ? value : Number.NaN;
  }

  /** A number where the word is a safe integer, else a bigint. */
  at(row: number): number | bigint {
    const value = this.safe(row);
    return Number.isNaN(value) ? this.words[row]! : value;
  }
}

export class WordWriter {
  private readonly low: Uint32Array;
  private readonly high: Int32Array;

  constructor(private readonly words: BigInt64Array) {
    this.low = new Uint32Array(words.buffer, words.byteOffset, words.length * 2);
    this.high = new Int32Array(words.buffer, words.byteOffset, words.length * 2);
  }

  /** A safe integer, or a bigint that fits int64. */
  set(row: number, value: number | bigint): void {
    if (typeof value === "bigint") {
      this.words[row] = value;
      return;
    }
    const high = Math.floor(value / TWO_32);
    this.high[2 * row + 1] = high;
    this.low[2 * row] = value - high * TWO_32;
  }
}
