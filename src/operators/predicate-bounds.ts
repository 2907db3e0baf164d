// How many predicates one list may hold and how deep they may nest.
// Counted over what a caller gave, before anything else looks at it.

export const MAX_PREDICATES = 64;
export const MAX_NESTING = 8;

/** Predicates of a tree, an empty `any` counted as one; Infinity when it is nested too deep. */
function countPredicates(given: unknown, nesting: number): number {
  if (nesting > MAX_NESTING) return Number.POSITIVE_INFINITY;
  if (typeof given !== "object" || given === null) return 1;
  const { any, not } = given as { any?: unknown; not?: unknown };
  if (not !== undefined) return countPredicates(not, nesting + 1);
  if (!Array.isArray(any)) return 1;
  return Math.max(1, sumOf(any, nesting + 1));
}

function sumOf(list: readonly unknown[], nesting: number): number {
  let sum = 0;
  for (const member of list) {
    sum += countPredicates(member, nesting);
    if (sum > MAX_PREDICATES) return sum;
  }
  return sum;
}

/** Whether a list of predicates keeps to both bounds. */
export function isWithinPredicateBounds(list: unknown): boolean {
  return !Array.isArray(list) || sumOf(list, 0) <= MAX_PREDICATES;
}
