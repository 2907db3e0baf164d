// O5 as the addon answers it (native/node/paths_glue.cc). Types only, and the way to the function.
import { type Addon, addon, type StopToken } from "./addon.js";
import type { NativeView } from "./store.js";
import type { RowPack } from "./tables.js";

/** Order is that of Criterion in native/core/kernels/paths/question.h. */
export const CRITERIA = { foremost: 0, fastest: 1, shortest: 2, latest_departure: 3 } as const;

export interface PathsQuestion {
  /** Two different uids, both known. */
  readonly src: string;
  readonly dst: string;
  /** Filters of the form of `where`, whose `node` judges the end; null: none. */
  readonly srcFilter: Uint8Array | null;
  readonly dstFilter: Uint8Array | null;
  /** One of CRITERIA. */
  readonly criterion: number;
  readonly k: number;
  readonly minHops: number;
  readonly maxHops: number;
  /** Microseconds; null is unbounded. */
  readonly from: bigint | null;
  readonly to: bigint | null;
  /** One of ORIENTATIONS in snapshot.ts. */
  readonly orientation: number;
  /** Whether an edge is crossed from its beginning to its end, not at an instant. */
  readonly isRide: boolean;
  readonly isStrict: boolean;
  readonly maxWait: bigint | null;
}

/**
 * Cells per path: departure, arrival, duration, number of steps; then per step the span's beginning and end, departure,
 * arrival, tail, head, and the columns of the version valid at the departure.
 */
export type PathsAnswer = readonly [page: RowPack, total: number, hasMore: boolean];

type TemporalPaths = (
  view: NativeView,
  stop: StopToken,
  where: Uint8Array,
  question: PathsQuestion,
  columns: Uint8Array,
  ordinal: number,
  limit: number,
) => PathsAnswer | Promise<PathsAnswer>;

export const temporalPaths: TemporalPaths = (addon as Addon & { readonly temporalPaths: TemporalPaths }).temporalPaths;
