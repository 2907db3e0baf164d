// Sets of whole numbers as sorted, disjoint, not adjacent closed intervals.
// Serves walks (sets of arrival instants) and filters (when a node passes); knows nothing of graphs.

/** Math.min and Math.max for bigint. */
export function least(values: readonly bigint[]): bigint {
  return values.reduce((a, b) => {
    if (a < b) return a;
    return b;
  });
}

export function greatest(values: readonly bigint[]): bigint {
  return -least(values.map((value) => -value));
}

/** Both ends belong to it. */
export type Interval = readonly [first: bigint, last: bigint];
export type IntervalSet = readonly Interval[];

export const EMPTY: IntervalSet = [];

/** The set of all numbers that stand in one of the intervals; those that are empty are dropped. */
export function setOf(intervals: Iterable<Interval>): IntervalSet {
  const sorted = [...intervals].filter(([first, last]) => first <= last).sort((a, b) => (a[0] < b[0] ? -1 : 1));
  const merged: [bigint, bigint][] = [];
  for (const [first, last] of sorted) {
    const before = merged.at(-1);
    if (before !== undefined && first <= before[1] + 1n) {
      if (last > before[1]) before[1] = last;
    } else merged.push([first, last]);
  }
  return merged;
}

export function union(a: IntervalSet, b: IntervalSet): IntervalSet {
  return setOf([...a, ...b]);
}

export function intersect(a: IntervalSet, b: IntervalSet): IntervalSet {
  const common: Interval[] = [];
  for (const [aFirst, aLast] of a) {
    for (const [bFirst, bLast] of b) common.push([greatest([aFirst, bFirst]), least([aLast, bLast])]);
  }
  return setOf(common);
}

export function subtract(a: IntervalSet, b: IntervalSet): IntervalSet {
  let rest: Interval[] = [...a];
  for (const [first, last] of b) {
    rest = rest.flatMap(([from, to]): Interval[] =>
      to < first || from > last
        ? [[from, to]]
        : (
            [
              [from, first - 1n],
              [last + 1n, to],
            ] as Interval[]
          ).filter(([x, y]) => x <= y),
    );
  }
  return setOf(rest);
}

export function shift(set: IntervalSet, by: bigint): IntervalSet {
  return set.map(([first, last]): Interval => [first + by, last + by]);
}

export function equal(a: IntervalSet, b: IntervalSet): boolean {
  return a.length === b.length && a.every(([first, last], i) => first === b[i]![0] && last === b[i]![1]);
}
