// Many texts kept outside of the JavaScript heap, in the order in which they came.
// A store of millions of versions is sorted by commits before the first of them is written.

const BLOCK_BYTES = 1 << 22;
const FIRST_CAPACITY = 1 << 12;

function enlarged(old: Float64Array): Float64Array<ArrayBuffer> {
  const fresh = new Float64Array(old.length * 2);
  fresh.set(old);
  return fresh;
}

export class KeptTexts {
  private readonly blocks: Buffer[] = [];
  private block = Buffer.alloc(0);
  private used = 0;
  /** Where each text lies in its block; none lies in two. */
  private starts = new Float64Array(FIRST_CAPACITY);
  private ends = new Float64Array(FIRST_CAPACITY);
  private blockOf = new Float64Array(FIRST_CAPACITY);
  count = 0;

  /** Keeps a text; gives its number, from 0. */
  add(text: string): number {
    const most = text.length * 3;
    if (this.used + most > this.block.length) this.openBlock(most);
    if (this.count === this.ends.length) {
      this.starts = enlarged(this.starts);
      this.ends = enlarged(this.ends);
      this.blockOf = enlarged(this.blockOf);
    }
    this.starts[this.count] = this.used;
    this.used += this.block.write(text, this.used, "utf8");
    this.ends[this.count] = this.used;
    this.blockOf[this.count] = this.blocks.length - 1;
    this.count += 1;
    return this.count - 1;
  }

  at(number: number): string {
    return this.blocks[this.blockOf[number]!]!.toString("utf8", this.starts[number]!, this.ends[number]!);
  }

  private openBlock(room: number): void {
    this.block = Buffer.allocUnsafeSlow(Math.max(BLOCK_BYTES, room));
    this.blocks.push(this.block);
    this.used = 0;
  }
}
