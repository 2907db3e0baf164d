// Family 1 of the benchmark data: interval edges in communities, one burst, and 261 corrections, exact from the scale alone; then
// a fifth of all edges corrected, for the variant. One tick is one microsecond. Knows nothing of a store, only event numbers.

import { finalise64, GOLDEN_HIGH, GOLDEN_LOW, multiply64, remainder64 } from "./mix64.js";

/** Events per commit of the bulk load. */
export const EVENTS_PER_COMMIT = 50_000;
export const TYPE_NAMES = ["R", "S"] as const;
export const NODE_LABEL = "Node";
const COMMUNITY = 50;

/** Event i is one edge of its own, n{src[i]} to n{dst[i]}, of type TYPE_NAMES[type[i]], valid [validFrom[i], validTo[i]). */
export interface Events {
  readonly count: number;
  readonly src: Uint32Array;
  readonly dst: Uint32Array;
  readonly type: Uint32Array;
  readonly validFrom: BigInt64Array;
  readonly validTo: BigInt64Array;
}

export interface EdgeCorrection {
  readonly kind: "correct_edge";
  readonly event: number;
  readonly weight: number;
  readonly from: number;
  readonly to: number;
}

/** A write after the bulk load; every one is a commit of its own. `event` names the edge, `node` the node. Ticks are numbers. */
export type Operation =
  | EdgeCorrection
  | {
      readonly kind: "assert_node";
      readonly node: number;
      readonly name: string;
      readonly from: number;
      readonly to: number;
    }
  | {
      readonly kind: "correct_node";
      readonly node: number;
      readonly name: string;
      readonly from: number;
      readonly to: number;
    }
  | { readonly kind: "retract_edge"; readonly event: number; readonly from: number };

export function nodeCount(scale: number): number {
  return Math.max(200, Math.floor(scale / 100));
}

/** How long every edge holds, in ticks. */
export function life(scale: number): number {
  return Math.max(40, Math.floor(scale / 20));
}

export function commitsOfBulkLoad(scale: number): number {
  return Math.ceil(scale / EVENTS_PER_COMMIT);
}

/** The commit of the assertion of n1: the bulk load is in, no correction is. */
export function commitBeforeCorrections(scale: number): number {
  return commitsOfBulkLoad(scale) + 1;
}

export function nodeName(node: number): string {
  return `n${node}`;
}

/** All events of a scale, in order of time. About a second and 280 MB for ten million. */
export function events(scale: number): Events {
  const nodes = nodeCount(scale);
  const src = new Uint32Array(scale);
  const dst = new Uint32Array(scale);
  const type = new Uint32Array(scale);
  const validFrom = new BigInt64Array(scale);
  const validTo = new BigInt64Array(scale);
  // Ticks are below 2^32 here: writing the low halves alone avoids twenty million BigInts.
  const fromHalves = new Uint32Array(validFrom.buffer);
  const toHalves = new Uint32Array(validTo.buffer);
  const mid = Math.floor(scale / 2);
  const burstEnd = mid + Math.max(1, Math.floor(scale / 20));
  const holds = life(scale);
  const word = new Uint32Array(2);

  for (let i = 0; i < scale; i++) {
    mixCounter(2 * i, word);
    const from = remainder64(word[1] as number, word[0] as number, nodes);
    mixCounter(2 * i + 1, word);
    const low = word[0] as number;
    const high = word[1] as number;
    const upperHigh = high >>> 8;
    const upperLow = ((high << 24) | (low >>> 8)) >>> 0;
    const community = from - (from % COMMUNITY);
    const inside = remainder64(high, low, 100) < 70;
    src[i] = from;
    dst[i] = inside
      ? community + remainder64(upperHigh, upperLow, Math.min(COMMUNITY, nodes - community))
      : remainder64(upperHigh, upperLow, nodes);
    type[i] = i % 3 === 0 ? 1 : 0;
    const tick = i >= mid && i < burstEnd ? mid + Math.floor((i - mid) / 10) : i;
    fromHalves[2 * i] = tick;
    toHalves[2 * i] = tick + holds;
  }
  return { count: scale, src, dst, type, validFrom, validTo };
}

/** The finaliser over counter * golden ratio modulo 2^64; the counter is below 2^32. */
function mixCounter(counter: number, out: Uint32Array): void {
  multiply64(0, counter >>> 0, GOLDEN_HIGH, GOLDEN_LOW, out);
  finalise64(out[1] as number, out[0] as number, out);
}

/** One assertion of node 1, then 200 reweighted edges, one renaming, 10 edges reweighted in their second half, 50 cut short. */
export function operations(scale: number, data: Events): Operation[] {
  const holds = life(scale);
  const half = Math.floor(holds / 2);
  const mid = Math.floor(scale / 2);
  const step = Math.max(1, Math.floor(scale / 200));
  const begins = (event: number) => Number(data.validFrom[event]);
  const ends = (event: number) => Number(data.validTo[event]);

  const writes: Operation[] = [{ kind: "assert_node", node: 1, name: "alpha", from: 0, to: scale }];
  for (let event = 0; event < scale; event += step) {
    writes.push({ kind: "correct_edge", event, weight: 2, from: begins(event), to: ends(event) });
  }
  writes.push({ kind: "correct_node", node: 1, name: "alpha-corrected", from: 0, to: scale });
  for (let event = mid - half; event < mid; event += Math.max(1, Math.floor(holds / 20))) {
    writes.push({ kind: "correct_edge", event, weight: 3, from: begins(event) + half, to: ends(event) });
  }
  for (let event = 0; event < scale; event += step * 4) {
    writes.push({ kind: "retract_edge", event, from: begins(event) + half });
  }
  return writes;
}

/** The correction of an event's edge in the variant, or null: every tenth over its whole interval, every tenth in its second half. */
export function variantCorrection(scale: number, data: Events, event: number): EdgeCorrection | null {
  const place = event % 10;
  if (place !== 3 && place !== 8) return null;
  const begin = Number(data.validFrom[event]);
  const half = Math.floor(life(scale) / 2);
  const to = Number(data.validTo[event]);
  return place === 3
    ? { kind: "correct_edge", event, weight: 4, from: begin, to }
    : { kind: "correct_edge", event, weight: 5, from: begin + half, to };
}
