// O10 as the addon answers it (native/node/neighborhood_glue.cc). Types only, and the way to the function.
import { type Addon, addon, type StopToken } from "./addon.js";
import type { NativeView } from "./store.js";
import type { RowPack } from "./tables.js";

/** Order is that of Change in native/core/kernels/neighborhood/evolution.h. */
export const CHANGES = ["gained", "kept", "lost"] as const;

export interface EvolutionQuestion {
  /** Known. */
  readonly uid: string;
  /** One of ORIENTATIONS in snapshot.ts. */
  readonly orientation: number;
  readonly first: bigint;
  readonly last: bigint;
  /** 0: equal steps. */
  readonly stride: bigint;
  /** From 1 on. */
  readonly lookback: bigint;
  readonly gained: boolean;
  readonly kept: boolean;
  readonly lost: boolean;
}

type Page = readonly [from: number, to: number] | null;

/** Cells of a row: position in CHANGES, uid, edges; of a sample: instant, degree, neighbours. */
export type EvolutionAnswer = readonly [
  rows: RowPack,
  totals: readonly [gained: number, kept: number, lost: number],
  series: RowPack,
  samples: number,
];

type NeighborhoodEvolution = (
  view: NativeView,
  stop: StopToken,
  where: Uint8Array,
  question: EvolutionQuestion,
  rows: Page,
  series: Page,
) => EvolutionAnswer | Promise<EvolutionAnswer>;

export const neighborhoodEvolution: NeighborhoodEvolution = (
  addon as Addon & { readonly neighborhoodEvolution: NeighborhoodEvolution }
).neighborhoodEvolution;
