// A column of int64 written by halves, so that a safe integer makes no bigint on its way.
// Used for instants and for integer properties.
import { GrowingArray } from "./growing-array.js";

const TWO_POW_32 = 4_294_967_296;

export class Int64Column {
  private readonly words = new GrowingArray((length) => new BigInt64Array(length));
  private halves = new Int32Array(0);

  /** Writes value `row`; a number must be a safe integer. */
  write(row: number, value: number | bigint): void {
    if (this.words.reserve(row)) this.halves = new Int32Array(this.words.array.buffer);
    if (typeof value === "bigint") {
      this.words.array[row] = value;
      return;
    }
    const high = Math.floor(value / TWO_POW_32);
    // Little-endian: the only byte order that is supported.
    this.halves[2 * row] = value - high * TWO_POW_32;
    this.halves[2 * row + 1] = high;
  }

  /** Gives the first `rows` values away and starts anew. */
  take(rows: number): BigInt64Array {
    return this.words.take(rows);
  }
}
