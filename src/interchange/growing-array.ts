// A typed array that grows as rows are written: a file may have thousands of columns, and most of them few values.

const FIRST_ROWS = 64;

type Numbers = BigInt64Array | Float64Array | Uint8Array;

export class GrowingArray<T extends Numbers> {
  /** Zero where nothing was written. */
  array: T;
  private expectedRows = FIRST_ROWS;

  constructor(private readonly make: (length: number) => T) {
    this.array = make(0);
  }

  /** Makes room for `row`; true when `array` is another one than before. */
  reserve(row: number): boolean {
    const { length } = this.array;
    if (row < length) return false;
    const larger = this.make(Math.max(row + 1, 2 * length, this.expectedRows));
    larger.set(this.array as never);
    this.array = larger;
    return true;
  }

  /** Gives the first `rows` values away and starts anew. */
  take(rows: number): T {
    if (rows > 0) this.reserve(rows - 1);
    const taken = this.array.subarray(0, rows) as T;
    this.array = this.make(0);
    this.expectedRows = Math.max(FIRST_ROWS, rows);
    return taken;
  }
}
