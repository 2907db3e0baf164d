// Random small tables for the oracle: few values, many ties, NULLs in every column that may have them.
// Seeded; a failing test prints its seed.
import type { TestTable, Value } from "./tables.js";

export type Random = (below: number) => number;

/** mulberry32 */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

export interface Row {
  readonly k: string | null;
  readonly n: number | null;
  readonly x: number | null;
  readonly at: bigint;
  readonly seq: number;
  readonly ok: boolean | null;
}

export const HOUR_US = 3_600_000_000n;
const TEXTS = ["a", "b", "B", "ä", "😀", "～"];

export function randomRows(random: Random, most = 12): Row[] {
  const orNull = <T>(value: T): T | null => (random(5) === 0 ? null : value);
  const numbers = [3, 1, 2, 5, 4, 8, 7, 6, 9, 12, 11, 10];
  return Array.from({ length: random(most + 1) }, (_, i) => ({
    k: orNull(TEXTS[random(TEXTS.length)]!),
    n: orNull(random(5) - 2),
    // Sums of quarters are exact, whatever their order.
    x: orNull((random(17) - 8) / 4),
    at: 1_735_689_600_000_000n + BigInt(random(6)) * HOUR_US,
    seq: numbers[i]!,
    ok: orNull(random(2) === 1),
  }));
}

const TYPES = { k: "string", n: "int", x: "double", at: "instant", seq: "int", ok: "bool" } as const;

export const tableOf = (rows: readonly Row[]): TestTable => ({
  types: TYPES,
  rows: rows.map(({ k, n, x, at, seq, ok }): readonly Value[] => [k, n, x, at, seq, ok]),
  identity: ["seq"],
});

/** Order of code points, which is not that of UTF-16 units. */
export function compareTexts(a: string, b: string): number {
  const [x, y] = [[...a], [...b]].map((each) => each.map((letter) => letter.codePointAt(0)!)) as [number[], number[]];
  for (let i = 0; i < Math.min(x.length, y.length); i += 1) if (x[i] !== y[i]) return x[i]! - y[i]!;
  return x.length - y.length;
}

export type Cell = string | number | bigint | boolean | null | readonly Cell[];

/** NULL first, FALSE before TRUE, texts by code point, lists item by item. */
export function compareCells(a: Cell, b: Cell): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? -1 : 1;
  if (typeof a === "string") return compareTexts(a, b as string);
  if (Array.isArray(a)) {
    const other = b as readonly Cell[];
    for (let i = 0; i < Math.min(a.length, other.length); i += 1) {
      const order = compareCells(a[i]!, other[i]!);
      if (order !== 0) return order;
    }
    return a.length - other.length;
  }
  return a < b ? -1 : a > b ? 1 : 0;
}

export const compareRows = (a: readonly Cell[], b: readonly Cell[]): number => {
  for (const [i, cell] of a.entries()) {
    const order = compareCells(cell, b[i]!);
    if (order !== 0) return order;
  }
  return 0;
};

/** NULL last, as in a written ORDER BY. */
export const nullsLast = (a: Cell, b: Cell, isDescending = false): number => {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  return isDescending ? -compareCells(a, b) : compareCells(a, b);
};
