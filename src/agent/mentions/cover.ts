// Which characters of a question are spoken for, so that nothing is found inside something else.

export interface Span {
  readonly from: number;
  /** The end, excluded. */
  readonly to: number;
}

export class Cover {
  private readonly taken: Uint8Array;

  constructor(length: number) {
    this.taken = new Uint8Array(length);
  }

  isFree({ from, to }: Span): boolean {
    return !this.taken.subarray(from, to).includes(1);
  }
  take({ from, to }: Span): void {
    this.taken.fill(1, from, to);
  }
}
