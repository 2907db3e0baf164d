// O12 as the addon answers it (native/node/entities_glue.cc). Types only, and the way to the function.
import { type Addon, addon, type StopToken } from "./addon.js";
import type { NativeView } from "./store.js";
import type { RowPack } from "./tables.js";

/** Order is that of Tier in native/core/kernels/entities/resolve.h, and that of rows. */
export const TIERS = ["exact", "prefix", "substring", "fuzzy", "alias"] as const;

/** Order is that of NameKind there. */
export const NAME_KINDS = ["current", "former", "corrected"] as const;

export interface EntitiesQuestion {
  readonly query: string;
  /** Properties that hold names, in order. */
  readonly names: readonly string[];
  readonly labels: readonly string[];
  /** Microseconds. */
  readonly at: bigint | null;
  /** One of TIERS, by position. */
  readonly minTier: number;
  readonly maxDistance: number | null;
}

/**
 * Cells per row: uid, labels, name, tier, position of the property among the names (null: the uid), matched text,
 * distance, kind, and unless that is current: how, valid_from, valid_to. Then rows in all, and rows by tier.
 */
export type EntitiesAnswer = readonly [page: RowPack, total: number, tiers: readonly number[]];

type ResolveEntities = (
  view: NativeView,
  stop: StopToken,
  question: EntitiesQuestion,
  ordinal: number,
  limit: number,
) => EntitiesAnswer | Promise<EntitiesAnswer>;

/** A byte for each text: 1 where some node has it in the tier `exact`, as its uid or under one of the names. */
type KnownNames = (
  view: NativeView,
  stop: StopToken,
  names: readonly string[],
  texts: readonly string[],
) => Uint8Array | Promise<Uint8Array>;

export const { resolveEntities, knownNames } = addon as Addon & {
  readonly resolveEntities: ResolveEntities;
  readonly knownNames: KnownNames;
};
