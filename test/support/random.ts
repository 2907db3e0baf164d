// A seeded source of small random choices: the same seed gives the same test everywhere.
// Mulberry32; good enough for test data, not for anything else.

export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** An integer in [0, below). */
  below(below: number): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = this.state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000) * below);
  }

  /** True `part` times out of `whole`. */
  chance(part: number, whole: number): boolean {
    return this.below(whole) < part;
  }

  pick<T>(values: readonly T[]): T {
    return values[this.below(values.length)]!;
  }

  /** A subset in the given order. */
  some<T>(values: readonly T[]): T[] {
    return values.filter(() => this.chance(1, 2));
  }

  list<T>(most: number, make: () => T): T[] {
    return Array.from({ length: this.below(most + 1) }, make);
  }
}
