// All walks, one more step per round: for every node the whole set of its arrival instants, and the round of the first of them.
// Exact also over endless facts under a wait limit: rounds that only repeat are skipped (jump.ts).

import { EMPTY, greatest, type Interval, type IntervalSet, least, setOf, subtract, union } from "./interval-set.js";
import { type Frontier, jumpAhead, type Pattern } from "./jump.js";
import type { Step } from "./walk-steps.js";

/** A step with the stay that is allowed before it, both ends included. */
export interface Move extends Step {
  readonly minWait: bigint;
  readonly maxWait: bigint;
}

export interface Limits {
  /** The most steps of a walk. */
  readonly maxHops: number | null;
  /** How rounds may repeat. */
  readonly patterns: readonly Pattern[];
  /** Give up after so many rounds that were not skipped. */
  readonly patience: number;
}

/** By node; `hops` is the least number of steps of any walk to it. */
export interface Walked {
  readonly arrivals: Frontier;
  readonly hops: ReadonlyMap<string, bigint>;
}

/** Departures from the arrivals `from` that the step allows, as arrivals at its head. */
function arrivalsBy(move: Move, from: IntervalSet): Interval[] {
  if (move.minWait > move.maxWait) return []; // ties strict, and no stay allowed
  return from.map(([first, last]) => {
    const departures = [greatest([first + move.minWait, move.first]), least([last + move.maxWait, move.last])] as const;
    return [departures[0] + move.travel, departures[1] + move.travel];
  });
}

/** Leaving a source: at any instant of the step. */
function firstArrivals(moves: readonly Move[], sources: ReadonlySet<string>): Map<string, Interval[]> {
  const found = new Map<string, Interval[]>();
  for (const { tail, head, first, last, travel } of moves) {
    if (sources.has(tail)) found.set(head, [...(found.get(head) ?? []), [first + travel, last + travel]]);
  }
  return found;
}

/** One more step from arrivals that were new in the round before. */
function nextArrivals(movesFrom: ReadonlyMap<string, readonly Move[]>, fresh: Frontier): Map<string, Interval[]> {
  const found = new Map<string, Interval[]>();
  for (const [node, arrivals] of fresh) {
    for (const move of movesFrom.get(node) ?? []) {
      const reached = found.get(move.head) ?? [];
      reached.push(...arrivalsBy(move, arrivals));
      found.set(move.head, reached);
    }
  }
  return found;
}

/** All walks from the sources, which may be left at any instant and are never reported; null when patience ends. */
export function walkInRounds(moves: readonly Move[], sources: ReadonlySet<string>, limits: Limits): Walked | null {
  const onward = moves.filter((move) => !sources.has(move.head)); // leaving a source anew allows all that returning does
  const movesFrom = new Map<string, Move[]>();
  for (const move of onward) movesFrom.set(move.tail, [...(movesFrom.get(move.tail) ?? []), move]);
  const hops = new Map<string, bigint>();
  const arrivals = new Map<string, IntervalSet>();
  let history: Frontier[] = [];
  let fresh: Frontier = new Map();
  let round = 0n;
  let walked = 0;
  do {
    if (walked++ === limits.patience) return null;
    round++;
    const found = round === 1n ? firstArrivals(onward, sources) : nextArrivals(movesFrom, fresh);
    const added = new Map<string, IntervalSet>();
    for (const [node, reached] of found) {
      const before = arrivals.get(node) ?? EMPTY;
      const news = subtract(setOf(reached), before);
      if (news.length === 0) continue;
      added.set(node, news);
      arrivals.set(node, union(before, news));
      if (!hops.has(node)) hops.set(node, round);
    }
    fresh = added;
    history.push(fresh);
    const jump = fresh.size === 0 ? null : jumpAhead(arrivals, history, onward, limits.patterns);
    if (jump !== null) {
      for (const [node, reached] of jump.added) arrivals.set(node, union(arrivals.get(node)!, reached));
      fresh = jump.fresh;
      round += jump.rounds;
      history = [];
    }
  } while (fresh.size > 0 && (limits.maxHops === null || round < BigInt(limits.maxHops)));
  return { arrivals, hops };
}
