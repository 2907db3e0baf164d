// A column of int64 written by halves, so that a safe integer makes no bigint on its way.
// Used for instants and for integer properties.

const TWO_POW_32 = 4_294_967_296;

export class Int64Column {
  private values: BigInt64Array;
  private halves: Int32Array;

  constructor(private readonly capacity: number) {
    this.values = new BigInt64Array(capacity);
    this.halves = new Int32Array(this.values.buffer);
  }

  /** Writes value `row`; a number must be a safe integer. */
  write(row: number, value: number | bigint): void {
    if (typeof value === "bigint") {
      this.values[row] = value;
      return;
    }
    const high = Math.floor(value / TWO_POW_32);
    // Little-endian: the only byte order that is supported.
    this.halves[2 * row] = value - high * TWO_POW_32;
    this.halves[2 * row + 1] = high;
  }

  /** Gives the first `rows` values away and starts anew. */
  take(rows: number): BigInt64Array {
    const taken = this.values.subarray(0, rows);
    this.values = new BigInt64Array(this.capacity);
    this.halves = new Int32Array(this.values.buffer);
    return taken;
  }
}
