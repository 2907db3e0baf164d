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
  union,
} from "./interval-set.js";

export type Frontier = ReadonlyMap<string, IntervalSet>;

/** The newest `rounds` rounds equal those before them, moved by `shift`. */
export interface Pattern {
  readonly rounds: number;
  readonly shift: bigint;
}

/** After a round: all arrivals so far, and those that were new in it. */
interface Round {
  readonly arrivals: Frontier;
  readonly fresh: Frontier;
}

interface Move {
  readonly first: bigint;
  readonly last: bigint;
  readonly maxWait: bigint;
}

interface Jump {
  readonly rounds: bigint;
  readonly arrivals: Frontier;
  readonly fresh: Frontier;
}

function isMoved(before: Frontier, after: Frontier, by: bigint): boolean {
  return (
    before.size === after.size && [...before].every(([node, set]) => equal(shift(set, by), after.get(node) ?? EMPTY))
  );
}

/** All intervals of several rounds. */
function intervalsOf(rounds: readonly Round[]): Interval[] {
  return rounds.flatMap(({ fresh }) => [...fresh.values()].flat());
}

/** Whether the newest rounds follow the pattern, and if so as many of its repetitions at once as nothing can disturb. */
function jumpBy(history: readonly Round[], moves: readonly Move[], pattern: Pattern): Jump | null {
  const { rounds, shift: by } = pattern;
  if (history.length < 2 * rounds) return null;
  const newest = history.slice(-rounds);
  const before = history.slice(-2 * rounds, -rounds);
  if (!newest.every(({ fresh }, i) => isMoved(before[i]!.fresh, fresh, by))) return null;

  // Zones are stretches inside which no move begins or ends. Whatever moves must do so inside one zone.
  const cuts = [...new Set(moves.flatMap((move) => [move.first, move.last + 1n]))].sort((a, b) => (a < b ? -1 : 1));
  const maxWait = greatest(moves.map((move) => move.maxWait));
  const [now, then] = [newest.at(-1)!.arrivals, before.at(-1)!.arrivals];
  let repetitions: bigint | null = null;
  for (const [zone, from] of cuts.entries()) {
    const to = cuts[zone + 1];
    const inZone = (intervals: Interval[]) =>
      intervals.filter(([first]) => from <= first && (to === undefined || first < to));
    const [newestHere, beforeHere] = [inZone(intervalsOf(newest)), inZone(intervalsOf(before))];
    if (newestHere.length !== beforeHere.length) return null;
    if (newestHere.length === 0) continue;
    if (to === undefined) return null; // nothing can be crossed after the last cut
    const front = greatest(newestHere.map(([, last]) => last));
    const room = (to - 1n - maxWait - front) / by;
    if (room < 1n) return null;
    // What lies ahead of the rounds must be moved in the same way, up to the end of the zone.
    const rear = least(beforeHere.map(([first]) => first));
    for (const node of now.keys()) {
      const ahead = intersect(now.get(node)!, [[rear + by, to - 1n]]);
      const aheadThen = intersect(shift(intersect(then.get(node) ?? EMPTY, [[rear, to - 1n]]), by), [
        [rear + by, to - 1n],
      ]);
      if (!equal(ahead, aheadThen)) return null;
    }
    if (repetitions === null || room < repetitions) repetitions = room;
  }
  if (repetitions === null) return null;

  const far = repetitions * by;
  const arrivals = new Map(now);
  for (const node of now.keys()) {
    const added = setOf(newest.flatMap(({ fresh }) => fresh.get(node) ?? EMPTY));
    // Copies of a stretch at least as long as the move leave no gap; others would, so those rounds are walked one by one.
    if (added.some(([first, last]) => last - first + 1n < by)) return null;
    arrivals.set(
      node,
      union(
        now.get(node)!,
        added.map(([first, last]): Interval => [first, last + far]),
      ),
    );
  }
  const fresh = new Map([...newest.at(-1)!.fresh].map(([node, set]) => [node, shift(set, far)]));
  return { rounds: BigInt(rounds) * repetitions, arrivals, fresh };
}

/** The first pattern that the newest rounds follow. */
export function jumpAhead(
  history: readonly Round[],
  moves: readonly Move[],
  patterns: readonly Pattern[],
): Jump | null {
  for (const pattern of patterns) {
    const jump = jumpBy(history, moves, pattern);
    if (jump !== null) return jump;
  }
  return null;
}
