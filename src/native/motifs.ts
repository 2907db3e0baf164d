// O6 and O7 as the addon answers them (native/node/motifs_glue.cc). Types only, and the way to the functions.
import { type Addon, addon, type StopToken } from "./addon.js";
import type { NativeView } from "./store.js";

export interface MotifQuestion {
  /** Tail and head of each pattern edge, letters numbered by first appearance; empty: the 36 of the grid. */
  readonly letters: Uint8Array;
  /** What each pattern edge asks of its event, one filter each; null: nothing. */
  readonly filters: readonly Uint8Array[] | null;
  /** Microseconds. */
  readonly delta: bigint;
  /** Null is unbounded. */
  readonly from: bigint | null;
  readonly to: bigint | null;
  /** One of TIES. */
  readonly ties: number;
}

/** Ties of native/core/kernels/motifs/motif_question.h. */
export const TIES: Readonly<Record<string, number>> = { by_seq: 0, strict: 1, allow: 2 };

/** By cell of the grid, M11 first, or one count. */
export type MotifCounts = readonly [counts: BigUint64Array, total: bigint, events: number];
/** Edge rows of the events, instance by instance in pattern order; the cell and the span in µs of each instance. */
export type MotifInstances = readonly [rows: Uint32Array, cells: Uint32Array, spans: BigInt64Array, total: bigint];

interface Motifs {
  countMotifs(
    view: NativeView,
    stop: StopToken,
    where: Uint8Array,
    question: MotifQuestion,
  ): MotifCounts | Promise<MotifCounts>;
  findMotifs(
    view: NativeView,
    stop: StopToken,
    where: Uint8Array,
    question: MotifQuestion,
    ordinal: number,
    limit: number,
  ): MotifInstances | Promise<MotifInstances>;
}

export const { countMotifs, findMotifs }: Motifs = addon as Addon & Motifs;
