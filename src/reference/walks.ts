// All walks from a source, one more step per round: for every node the whole set of its arrival instants, and after how many
// rounds the first of them came. Exact also over endless facts under a wait limit, where repeating rounds are skipped (jump.ts).

import { floorDiv } from "./instants.js";
import { EMPTY, greatest, type IntervalSet, least, setOf, shift, subtract, union } from "./interval-set.js";
import { type Frontier, jumpAhead, type Pattern } from "./jump.js";
import type { Step } from "./walk-steps.js";

export interface WalkRules {
  /** The least stay between arriving and leaving: 1 µs if ties are strict, else 0. */
  readonly minWait: bigint;
  /** The longest stay, inclusive; null is none. */
  readonly maxWait: bigint | null;
  readonly maxHops: number | null;
}

/** What is known of a node: its least arrival and the least number of steps of any walk to it. */
export interface Reached {
  readonly arrival: bigint;
  readonly hops: bigint;
}

/** A step between two nodes of the rounds, with the stay allowed before it. */
interface Move extends Step {
  readonly minWait: bigint;
  readonly maxWait: bigint;
}

/** Longer than any walk, so it stands for no limit. */
const NO_LIMIT = 2n ** 63n;
/** Repetitions are looked for over up to so many rounds: the lengths of the cycles along which walks go to and fro. */
const LONGEST_PATTERN = 24;
/** 1 µs of stay exactly leaves gaps in the arrivals for ever, in the rhythm of such cycles; 60 covers lengths up to 6. */
const CLASSES = 60n;

/** Departures from the arrivals `from` that the step allows, as arrivals at its head. */
function arrivalsBy(move: Move, from: IntervalSet): IntervalSet {
  const departures = from.map(([first, last]) => {
    const earliest = greatest([first + move.minWait, move.first]);
    return [earliest, least([last + move.maxWait, move.last])] as const;
  });
  return shift(setOf(departures), move.travel);
}

/** Arrival instants per node and the round of the first; `sources` may be left at any instant and are never reported. */
function walkInRounds(
  moves: readonly Move[],
  sources: ReadonlySet<string>,
  maxHops: number | null,
  patterns: readonly Pattern[],
) {
  const onward = moves.filter((move) => !sources.has(move.head)); // leaving a source anew allows all that returning does
  const hops = new Map<string, bigint>();
  const history: { arrivals: Frontier; fresh: Frontier }[] = [];
  let arrivals: Frontier = new Map();
  let fresh: Frontier = new Map();
  let round = 0n;
  do {
    round++;
    const found = new Map<string, IntervalSet>();
    for (const move of onward) {
      const isFirst = sources.has(move.tail) && round === 1n;
      const reached = isFirst
        ? shift([[move.first, move.last]], move.travel)
        : arrivalsBy(move, fresh.get(move.tail) ?? EMPTY);
      if (reached.length > 0) found.set(move.head, union(found.get(move.head) ?? EMPTY, reached));
    }
    const before = arrivals;
    const after = new Map(before);
    const added = new Map<string, IntervalSet>();
    for (const [node, reached] of found) {
      const news = subtract(reached, before.get(node) ?? EMPTY);
      if (news.length === 0) continue;
      added.set(node, news);
      after.set(node, union(before.get(node) ?? EMPTY, news));
      if (!hops.has(node)) hops.set(node, round);
    }
    [arrivals, fresh] = [after, added];
    history.push({ arrivals, fresh });
    const jump = fresh.size === 0 ? null : jumpAhead(history, onward, patterns);
    if (jump !== null) {
      ({ arrivals, fresh } = jump);
      round += jump.rounds;
      history.length = 0;
    }
  } while (fresh.size > 0 && (maxHops === null || round < BigInt(maxHops)));
  return { arrivals, hops };
}

/** Every node that a walk from the source reaches, except the source. */
export function walksFrom(source: string, steps: readonly Step[], rules: WalkRules): Map<string, Reached> {
  const { minWait, maxWait, maxHops } = rules;
  const isInstant = steps.every((step) => step.travel === 0n);
  const mayRepeat = isInstant && maxWait !== null && maxWait > 0n && maxHops === null;
  if (mayRepeat && minWait === maxWait) return walksInLockstep(source, steps);

  const moves = steps.map((step) => ({ ...step, minWait, maxWait: maxWait ?? NO_LIMIT }));
  const lengths = mayRepeat ? Array.from({ length: LONGEST_PATTERN }, (_, i) => i + 1) : [];
  const patterns = lengths.map((rounds) => ({ rounds, shift: BigInt(rounds) * (maxWait ?? 0n) }));
  const { arrivals, hops } = walkInRounds(moves, new Set([source]), maxHops, patterns);
  return new Map([...hops].map(([node, round]) => [node, { arrival: arrivals.get(node)![0]![0], hops: round }]));
}

/**
 * The case where every stay lasts exactly 1 µs. Time is dealt out to classes by its remainder: instant = class + 60 x tick, and
 * each node becomes 60, one per class. A step leads from each class to the next, so gaps between arrivals become whole classes.
 */
function walksInLockstep(source: string, steps: readonly Step[]): Map<string, Reached> {
  const moves: Move[] = [];
  const classes = Array.from({ length: Number(CLASSES) }, (_, i) => BigInt(i));
  const nodeIn = (node: string, ofClass: bigint) => `${ofClass}:${node}`;
  for (const step of steps) {
    for (const ofClass of classes) {
      const [first, last] = [-floorDiv(ofClass - step.first, CLASSES), floorDiv(step.last - ofClass, CLASSES)];
      if (first > last) continue;
      const wait = ofClass === 0n ? 1n : 0n; // one tick passes from the last class to the first
      const tail = nodeIn(step.tail, (ofClass + CLASSES - 1n) % CLASSES);
      moves.push({ tail, head: nodeIn(step.head, ofClass), first, last, travel: 0n, minWait: wait, maxWait: wait });
    }
  }
  const sources = new Set(classes.map((ofClass) => nodeIn(source, ofClass)));
  const patterns = [{ rounds: Number(CLASSES), shift: 1n }];
  const { arrivals, hops } = walkInRounds(moves, sources, null, patterns);

  const reached = new Map<string, Reached>();
  for (const [nodeOfClass, round] of hops) {
    const colon = nodeOfClass.indexOf(":");
    const node = nodeOfClass.slice(colon + 1);
    const arrival = BigInt(nodeOfClass.slice(0, colon)) + CLASSES * arrivals.get(nodeOfClass)![0]![0];
    const before = reached.get(node) ?? { arrival, hops: round };
    reached.set(node, {
      arrival: least([arrival, before.arrival]),
      hops: least([round, before.hops]),
    });
  }
  return reached;
}
