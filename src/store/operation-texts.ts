// The texts of a batch's operations as UTF-8, end to end in a few buffers: a hundred thousand strings that wait for their
// turn would be copied by every collection, bytes are not; and no buffer grows so large that copying it takes long.
const FIRST_BYTES = 512;
const MOST_BYTES = 1 << 20;

interface Part {
  readonly bytes: Buffer;
  /** Where each text ends; the last is where the next one begins. */
  readonly ends: number[];
}

const newPart = (byteCount: number): Part => ({ bytes: Buffer.allocUnsafeSlow(byteCount), ends: [] });

export class OperationTexts {
  private readonly parts: Part[] = [newPart(FIRST_BYTES)];
  private textCount = 0;

  get count(): number {
    return this.textCount;
  }

  /** Gives the bytes that the text took. */
  add(text: string): number {
    const mostBytes = text.length * 3;
    let part = this.parts.at(-1)!;
    let from = part.ends.at(-1) ?? 0;
    if (from + mostBytes > part.bytes.length) {
      part = newPart(Math.max(mostBytes, Math.min(MOST_BYTES, part.bytes.length * 4)));
      this.parts.push(part);
      from = 0;
    }
    const length = part.bytes.write(text, from, "utf8");
    part.ends.push(from + length);
    this.textCount += 1;
    return length;
  }

  *[Symbol.iterator](): Generator<Uint8Array> {
    for (const { bytes, ends } of this.parts) {
      let from = 0;
      for (const to of ends) {
        yield bytes.subarray(from, to);
        from = to;
      }
    }
  }
}
