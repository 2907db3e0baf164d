// P6 as the addon answers it (native/node/freshness_glue.cc). Types only, and the way to the function.
import { type Addon, addon, type StopToken } from "./addon.js";
import type { NativeView } from "./store.js";
import type { RowPack } from "./tables.js";

/** Order is that of FactStatus in native/core/kernels/freshness/freshness.h, and that of rows. */
export const STATUSES = ["current", "superseded", "expired", "retracted", "future"] as const;

export interface FreshnessQuestion {
  /** A known uid. */
  readonly src: string;
  readonly types: readonly string[] | null;
  /** Microseconds. */
  readonly at: bigint;
  /** Days; null: never decays. */
  readonly halfLife: number | null;
  readonly halfLives: readonly (readonly [type: string, days: number | null])[];
  readonly functional: readonly string[];
  readonly confirmedProp: string | null;
  readonly hasExactAges: boolean;
  /** Bit i for the i-th of STATUSES. */
  readonly include: number;
}

export type PageEnds = readonly [from: number, to: number] | null;

/**
 * A span has the cells type, dst, key, valid_from, valid_to. Cells of a row: its span, status, whether it begins after
 * `at`, age in days (double: exact, then rounded to nine decimals), basis, whether that is a confirmation, whether it is
 * superseded, then by which span, number of conflicts, group or 0, ended_by, ended_reason, ended_tx. Of a conflict:
 * group, span. Totals are in the order of STATUSES.
 */
export type FreshnessAnswer = readonly [
  rows: RowPack,
  rowCount: number,
  conflicts: RowPack,
  conflictCount: number,
  totals: readonly number[],
];

type FactFreshness = (
  view: NativeView,
  stop: StopToken,
  where: Uint8Array,
  question: FreshnessQuestion,
  rows: PageEnds,
  conflicts: PageEnds,
) => FreshnessAnswer | Promise<FreshnessAnswer>;

export const factFreshness: FactFreshness = (addon as Addon & { readonly factFreshness: FactFreshness }).factFreshness;
