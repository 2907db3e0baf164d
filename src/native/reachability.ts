// O4 as the addon answers it (native/node/reachability_glue.cc). Types only, and the way to the function.
import { type Addon, addon, type StopToken } from "./addon.js";
import type { NativeView } from "./store.js";
import type { RowPack } from "./tables.js";

export interface ReachabilityQuestion {
  /** Known uids; the answer keeps their order. */
  readonly subjects: readonly string[];
  /** The only uids to report; null: all. */
  readonly targets: readonly string[] | null;
  /** Microseconds; null is unbounded. */
  readonly from: bigint | null;
  readonly to: bigint | null;
  readonly isBackward: boolean;
  /** One of ORIENTATIONS in snapshot.ts. */
  readonly orientation: number;
  /** Whether an edge is crossed from its beginning to its end, not at an instant. */
  readonly isRide: boolean;
  readonly isStrict: boolean;
  readonly maxWait: bigint | null;
  /** 0: no limit. */
  readonly maxHops: number;
  readonly countsHops: boolean;
}

/** Cells per row: position of the subject, uid, instant, hops as digits or null. Then the rows that each subject has. */
export type ReachabilityAnswer = readonly [page: RowPack, reached: readonly number[]];

type TemporalReachability = (
  view: NativeView,
  stop: StopToken,
  where: Uint8Array,
  question: ReachabilityQuestion,
  ordinal: number,
  limit: number,
) => ReachabilityAnswer | Promise<ReachabilityAnswer>;

export const temporalReachability: TemporalReachability = (
  addon as Addon & { readonly temporalReachability: TemporalReachability }
).temporalReachability;
