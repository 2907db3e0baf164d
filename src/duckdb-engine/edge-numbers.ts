// The numbers of edge identities, in the order in which the log first names them, and the keys that follow from them.
// Nothing of it is in SQL: a number depends on every row before it.
export interface EdgeIdentity {
  readonly src: string;
  readonly type: string;
  readonly dst: string;
  readonly key: string;
}

export const edgeText = ({ src, type, dst, key }: EdgeIdentity): string => JSON.stringify([src, type, dst, key]);

export class EdgeNumbers {
  private readonly numbers = new Map<string, number>();
  /** The n of keys `#n` that erased identities had. */
  private readonly spent = new Set<number>();
  private last = 0;

  /** Numbers of identities that were erased stay taken. */
  skip(count: number): void {
    this.last += count;
  }

  spend(keys: readonly number[]): void {
    for (const key of keys) this.spent.add(key);
  }

  numberOf(edge: EdgeIdentity): number {
    const text = edgeText(edge);
    const known = this.numbers.get(text);
    if (known !== undefined) return known;
    this.last += 1;
    this.numbers.set(text, this.last);
    return this.last;
  }

  /** The identity of an event without key: `#n` with the least n from the next number on that is free. */
  choose(src: string, type: string, dst: string): EdgeIdentity {
    for (let n = this.last + 1; ; n += 1) {
      const edge = { src, type, dst, key: `#${n}` };
      if (!this.numbers.has(edgeText(edge)) && !this.spent.has(n)) return edge;
    }
  }
}
