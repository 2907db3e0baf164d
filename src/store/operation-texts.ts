// The texts of a batch's operations as UTF-8, end to end: a hundred thousand strings that wait for their turn would be
// copied by every collection, bytes are not.
export class OperationTexts {
  private bytes = Buffer.allocUnsafeSlow(512);
  private used = 0;
  private readonly ends: number[] = [];

  get count(): number {
    return this.ends.length;
  }

  /** Gives the bytes that the text took. */
  add(text: string): number {
    const most = this.used + text.length * 3;
    if (most > this.bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(most, this.bytes.length * 2));
      this.bytes.copy(larger, 0, 0, this.used);
      this.bytes = larger;
    }
    const length = this.bytes.write(text, this.used, "utf8");
    this.used += length;
    this.ends.push(this.used);
    return length;
  }

  *[Symbol.iterator](): Generator<Uint8Array> {
    let from = 0;
    for (const to of this.ends) {
      yield this.bytes.subarray(from, to);
      from = to;
    }
  }
}
