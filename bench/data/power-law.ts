// Family 2 of the benchmark data: a stream of timed edges with hubs, replies, repeats and closed wedges, exact from its seed.
// The draws and the order of the floating-point operations are part of the definition; the tests hold it to SHA-256 vectors.

import { finalise64, GOLDEN_HIGH, GOLDEN_LOW, remainder64 } from "./mix64.js";

const RING = 256;
const FIRST_SECOND = 1_000_000_000;

/** Event i goes from node src[i] to node dst[i] at `second[i]`, strictly increasing; no self-loops. */
export interface PowerLaw {
  readonly count: number;
  readonly src: Uint32Array;
  readonly dst: Uint32Array;
  readonly second: Uint32Array;
}

/** The lists of the benchmark by number of events. */
export const POWER_LAW_LISTS = new Map<number, { readonly nodes: number; readonly seed: number }>([
  [1_000_000, { nodes: 20_000, seed: 101 }],
  [10_000_000, { nodes: 200_000, seed: 102 }],
]);

/** The nodes and the seed of a list; another size takes those of the smallest list that contains it. */
export function powerLawShape(count: number): { readonly nodes: number; readonly seed: number } {
  const known = POWER_LAW_LISTS.get(count);
  if (known !== undefined) return known;
  return { nodes: Math.max(200, Math.floor(count / 50)), seed: count < 1_000_000 ? 101 : 102 };
}

/** SplitMix64 over two halves; `word` is [low, high] of the latest draw. */
class Draws {
  readonly word = new Uint32Array(2);
  readonly #state = new Uint32Array(2);

  constructor(seed: number) {
    this.#state[0] = seed;
  }

  next(): void {
    const state = this.#state;
    const sum = (state[0] as number) + GOLDEN_LOW;
    state[0] = sum;
    state[1] = (state[1] as number) + GOLDEN_HIGH + (sum > 0xffff_ffff ? 1 : 0);
    finalise64(state[1] as number, state[0] as number, this.word);
  }

  below(bound: number): number {
    this.next();
    return remainder64(this.word[1] as number, this.word[0] as number, bound);
  }

  /** A slot of the ring. */
  slot(): number {
    this.next();
    return (this.word[0] as number) % RING;
  }

  /** A node by the law u^2.5: multiplied from the left, and a square root, which IEEE 754 rounds correctly everywhere. */
  node(nodes: number): number {
    this.next();
    const upper53 = (this.word[1] as number) * 0x20_0000 + ((this.word[0] as number) >>> 11);
    const u = upper53 / 0x20_0000_0000_0000;
    return Math.floor(nodes * u * u * Math.sqrt(u));
  }
}

/** The list of `count` events over `nodes` nodes. About two seconds for ten million. */
export function powerLaw(count: number, nodes: number, seed: number): PowerLaw {
  const src = new Uint32Array(count);
  const dst = new Uint32Array(count);
  const second = new Uint32Array(count);
  const ringFrom = new Uint32Array(RING);
  const ringTo = new Uint32Array(RING).fill(1);
  const draws = new Draws(seed);
  let now = FIRST_SECOND;

  for (let i = 0; i < count; i++) {
    now += 1 + draws.below(39);
    const kind = draws.below(100);
    const remembers = i > RING;
    let from: number;
    let to: number;
    if (remembers && kind < 15) {
      const answered = draws.slot();
      from = ringTo[answered] as number;
      to = ringFrom[answered] as number;
    } else if (remembers && kind < 22) {
      const repeated = draws.slot();
      from = ringFrom[repeated] as number;
      to = ringTo[repeated] as number;
    } else if (remembers && kind < 32) {
      from = ringFrom[draws.slot()] as number;
      to = ringTo[draws.slot()] as number;
    } else if (remembers && kind < 45) {
      from = ringFrom[draws.slot()] as number;
      to = draws.node(nodes);
    } else {
      from = draws.node(nodes);
      to = draws.node(nodes);
    }
    while (from === to) to = draws.node(nodes);
    ringFrom[i % RING] = from;
    ringTo[i % RING] = to;
    src[i] = from;
    dst[i] = to;
    second[i] = now;
  }
  return { count, src, dst, second };
}
