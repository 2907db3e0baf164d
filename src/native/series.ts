// O8, O9 and the extent of events as the addon answers them (native/node/series_glue.cc).
// Types only, and the ways to the functions.
import { type Addon, addon, type StopToken } from "./addon.js";
import type { NativeView } from "./store.js";

/** Order is that of NodeRole in native/core/kernels/series/population.h. */
export const NODE_ROLES = ["src", "dst", "either"] as const;

/** A uid, known or not, and a position in NODE_ROLES; null is anywhere. */
export type NativeNode = readonly [uid: string, role: number] | null;

export interface BurstRules {
  /** Against the median, not by z-scores. */
  readonly isRatio: boolean;
  readonly up: boolean;
  readonly down: boolean;
  readonly history: number;
  readonly minHistory: number;
  /** `z` or `r`. */
  readonly threshold: number;
  readonly minChange: bigint;
  readonly isFirstPartial: boolean;
  readonly isLastPartial: boolean;
}

/** Numbers per row: bucket, value, baseline, spread, score, 1 for up, history; NaN is null. */
export const BURST_CELLS = 7;

interface NativeSeries {
  /** A value per bucket and metric, buckets first; NaN is null. Boundaries ascend; one more than buckets. */
  metricSeries(
    view: NativeView,
    stop: StopToken,
    where: Uint8Array,
    node: NativeNode,
    boundaries: BigInt64Array,
    metrics: Uint8Array,
  ): Float64Array | Promise<Float64Array>;
  burstSeries(
    view: NativeView,
    stop: StopToken,
    where: Uint8Array,
    node: NativeNode,
    boundaries: BigInt64Array,
    rules: BurstRules,
    ordinal: number,
    limit: number,
  ): BurstSeries | Promise<BurstSeries>;
  /** First and last `at`; null where there are no events. */
  eventExtent(view: NativeView, stop: StopToken, where: Uint8Array, node: NativeNode): Extent | Promise<Extent>;
}

export type BurstSeries = readonly [rows: Float64Array, total: number, judged: number];
type Extent = readonly [firstUs: bigint, lastUs: bigint] | null;

export const { metricSeries, burstSeries, eventExtent } = addon as Addon & NativeSeries;
