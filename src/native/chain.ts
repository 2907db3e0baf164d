// P5 as the addon answers it (native/node/chain_glue.cc). Types only, and the way to the function.
import { type Addon, addon, type StopToken } from "./addon.js";
import type { NativeView } from "./store.js";

export interface ChainQuestion {
  /** Microseconds; null is unbounded, for these and the durations. */
  readonly from: bigint | null;
  readonly to: bigint | null;
  readonly isStrict: boolean;
  readonly maxWait: bigint | null;
  readonly within: bigint | null;
  /** Known uids, or null: any. */
  readonly start: string | null;
  readonly end: string | null;
}

/** Edge rows of the page's events; then of the whole chain. The instants mean nothing where it is empty. */
export type ChainAnswer = readonly [
  rows: Uint32Array,
  length: number,
  distinctNodes: number,
  departure: bigint,
  arrival: bigint,
];

type LongestChain = (
  view: NativeView,
  stop: StopToken,
  where: Uint8Array,
  question: ChainQuestion,
  ordinal: number,
  limit: number,
) => ChainAnswer | Promise<ChainAnswer>;

export const longestChain: LongestChain = (addon as Addon & { readonly longestChain: LongestChain }).longestChain;
