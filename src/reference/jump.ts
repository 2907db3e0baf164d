// Skipping rounds that only repeat. Going to and fro over long facts under a wait limit, each round brings the same new arrivals
// as some rounds before, a fixed time later; as long as no fact begins or ends nearby, so will the next ones.

import {
  EMPTY,
  equal,
  greatest,
  type Interval,
  type IntervalSet,
  intersect,
  least,
  setOf,
  shift,
  subtract,
} from "./interval-set.js";

export type Frontier = ReadonlyMap<string, IntervalSet>;

/** The newest `rounds` rounds equal those before them, moved by `shift`. */
export interface Pattern {
  readonly rounds: number;
  readonly shift: bigint;
}

interface Move {
  readonly first: bigint;
  readonly last: bigint;
  readonly maxWait: bigint;
}

/** What the skipped rounds add to the arrivals, and what is new in the last of them. */
interface Jump {
  readonly rounds: bigint;
  readonly added: Frontier;
  readonly fresh: Frontier;
}

function isMoved(before: Frontier, after: Frontier, by: bigint): boolean {
  return (
    before.size === after.size && [...before].every(([node, set]) => equal(shift(set, by), after.get(node) ?? EMPTY))
  );
}

/** All that several rounds brought, by node. */
function together(rounds: readonly Frontier[]): Map<string, IntervalSet> {
  const intervals = new Map<string, Interval[]>();
  for (const [node, set] of rounds.flatMap((fresh) => [...fresh])) {
    intervals.set(node, [...(intervals.get(node) ?? []), ...set]);
  }
  return new Map([...intervals].map(([node, all]) => [node, setOf(all)]));
}

/** Whether the newest rounds follow the pattern, and if so as many of its repetitions at once as nothing can disturb. */
function jumpBy(
  arrivals: Frontier,
  history: readonly Frontier[],
  moves: readonly Move[],
  pattern: Pattern,
): Jump | null {
  const { rounds, shift: by } = pattern;
  if (history.length < 2 * rounds) return null;
  const newest = history.slice(-rounds);
  const before = history.slice(-2 * rounds, -rounds);
  if (!newest.every((fresh, i) => isMoved(before[i]!, fresh, by))) return null;
  const brought = together(newest);
  // Copies of a stretch at least as long as the move leave no gap; others would, so those rounds are walked one by one.
  if ([...brought.values()].flat().some(([first, last]) => last - first + 1n < by)) return null;

  // Zones are stretches inside which no move begins or ends. Whatever moves must do so inside one zone.
  const cuts = [...new Set(moves.flatMap((move) => [move.first, move.last + 1n]))].sort((a, b) => (a < b ? -1 : 1));
  const maxWait = greatest(moves.map((move) => move.maxWait));
  const [newestIntervals, beforeIntervals] = [newest, before].map((all) =>
    all.flatMap((fresh) => [...fresh.values()].flat()),
  );
  let repetitions: bigint | null = null;
  for (const [zone, from] of cuts.entries()) {
    const to = cuts[zone + 1];
    const inZone = (intervals: Interval[]) =>
      intervals.filter(([first]) => from <= first && (to === undefined || first < to));
    const [newestHere, beforeHere] = [inZone(newestIntervals!), inZone(beforeIntervals!)];
    if (newestHere.length !== beforeHere.length) return null;
    if (newestHere.length === 0) continue;
    if (to === undefined) return null; // nothing can be crossed after the last cut
    const front = greatest(newestHere.map(([, last]) => last));
    const room = (to - 1n - maxWait - front) / by;
    if (room < 1n) return null;
    // What lies ahead of the rounds must be moved in the same way, up to the end of the zone.
    const rear = least(beforeHere.map(([first]) => first));
    for (const [node, now] of arrivals) {
      const then = subtract(now, brought.get(node) ?? EMPTY);
      const ahead = intersect(now, [[rear + by, to - 1n]]);
      const aheadThen = shift(intersect(then, [[rear, to - 1n - by]]), by);
      if (!equal(ahead, aheadThen)) return null;
    }
    if (repetitions === null || room < repetitions) repetitions = room;
  }
  if (repetitions === null) return null;

  const far = repetitions * by;
  const moved = (set: IntervalSet) => set.map(([first, last]): Interval => [first, last + far]);
  return {
    rounds: BigInt(rounds) * repetitions,
    added: new Map([...brought].map(([node, set]) => [node, setOf(moved(set))])),
    fresh: new Map([...newest.at(-1)!].map(([node, set]) => [node, shift(set, far)])),
  };
}

/** The first pattern that the newest rounds follow. */
export function jumpAhead(
  arrivals: Frontier,
  history: readonly Frontier[],
  moves: readonly Move[],
  patterns: readonly Pattern[],
): Jump | null {
  for (const pattern of patterns) {
    const jump = jumpBy(arrivals, history, moves, pattern);
    if (jump !== null) return jump;
  }
  return null;
}
