// Walks from one source under given rules, and the case among them where time itself must be dealt out to classes.
// rounds.ts does the walking.

import { floorDiv } from "./instants.js";
import { least } from "./interval-set.js";
import { type Move, walkInRounds } from "./rounds.js";
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

/** Longer than any walk, so it stands for no limit. */
const NO_LIMIT = 2n ** 63n;
const ENDLESS = Number.POSITIVE_INFINITY;
/** Repetitions are looked for over up to so many rounds: the lengths of the cycles along which walks go to and fro. */
const LONGEST_PATTERN = 24;
/** Classes of time to try: the lengths of short cycles, then common multiples of several lengths. */
const CLASS_COUNTS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 60, 420, 2520];

/** Every node that a walk from the source reaches, except the source. */
export function walksFrom(source: string, steps: readonly Step[], rules: WalkRules): Map<string, Reached> {
  const { minWait, maxWait, maxHops } = rules;
  const isInstant = steps.every((step) => step.travel === 0n);
  const mayRepeat = isInstant && maxWait !== null && maxWait > 0n && maxHops === null;
  if (mayRepeat && minWait === maxWait) return walksInLockstep(source, steps);

  const moves = steps.map((step) => ({ ...step, minWait, maxWait: maxWait ?? NO_LIMIT }));
  const lengths = mayRepeat ? Array.from({ length: LONGEST_PATTERN }, (_, i) => i + 1) : [];
  const patterns = lengths.map((rounds) => ({ rounds, shift: BigInt(rounds) * (maxWait ?? 0n) }));
  const { arrivals, hops } = walkInRounds(moves, new Set([source]), { maxHops, patterns, patience: ENDLESS })!;
  return new Map([...hops].map(([node, round]) => [node, { arrival: arrivals.get(node)![0]![0], hops: round }]));
}

/**
 * Every stay lasts exactly 1 µs: the arrivals keep gaps for ever, in the rhythm of the cycles along which walks go. How many
 * classes of time that takes is found by trying; with too few the rounds never repeat, and the next count is tried.
 */
function walksInLockstep(source: string, steps: readonly Step[]): Map<string, Reached> {
  const cuts = new Set(steps.flatMap(({ first, last }) => [first, last]));
  for (const classCount of CLASS_COUNTS) {
    // Between two cuts, some rounds until they repeat, and twice the classes to see it.
    const patience = classCount === CLASS_COUNTS.at(-1) ? ENDLESS : cuts.size * (64 + 4 * classCount);
    const reached = walksInClasses(source, steps, BigInt(classCount), patience);
    if (reached !== null) return reached;
  }
  return new Map();
}

/**
 * Time dealt out to classes by its remainder: instant = class + tick x classes. Each node becomes as many, one per class, and a
 * step leads from each class to the next, so that gaps between arrivals become whole classes without arrivals.
 */
function walksInClasses(source: string, steps: readonly Step[], classCount: bigint, patience: number) {
  const moves: Move[] = [];
  const classes = Array.from({ length: Number(classCount) }, (_, i) => BigInt(i));
  const nodeIn = (node: string, ofClass: bigint) => `${ofClass}:${node}`;
  for (const step of steps) {
    for (const ofClass of classes) {
      const [first, last] = [-floorDiv(ofClass - step.first, classCount), floorDiv(step.last - ofClass, classCount)];
      if (first > last) continue;
      const wait = ofClass === 0n ? 1n : 0n; // one tick passes from the last class to the first
      const tail = nodeIn(step.tail, (ofClass + classCount - 1n) % classCount);
      moves.push({ tail, head: nodeIn(step.head, ofClass), first, last, travel: 0n, minWait: wait, maxWait: wait });
    }
  }
  const sources = new Set(classes.map((ofClass) => nodeIn(source, ofClass)));
  const patterns = [{ rounds: Number(classCount), shift: 1n }];
  const walked = walkInRounds(moves, sources, { maxHops: null, patterns, patience });
  if (walked === null) return null;

  const reached = new Map<string, Reached>();
  for (const [nodeOfClass, hops] of walked.hops) {
    const colon = nodeOfClass.indexOf(":");
    const node = nodeOfClass.slice(colon + 1);
    const arrival = BigInt(nodeOfClass.slice(0, colon)) + classCount * walked.arrivals.get(nodeOfClass)![0]![0];
    const before = reached.get(node) ?? { arrival, hops };
    reached.set(node, { arrival: least([arrival, before.arrival]), hops: least([hops, before.hops]) });
  }
  return reached;
}
