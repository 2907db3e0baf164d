// O11 as the addon answers it (native/node/co_active_glue.cc). Types only, and the way to the function.
import { type Addon, addon, type StopToken } from "./addon.js";
import type { NativeView } from "./store.js";
import type { RowPack } from "./tables.js";

/** Order is that of KeyKind in native/core/kernels/co_active/groups.h. */
export const KEY_KINDS = ["none", "ends", "unordered_pair", "any_node"] as const;

export interface CoActiveSelection {
  /** Known uids; null: any. */
  readonly src: string | null;
  readonly dst: string | null;
  readonly where: Uint8Array;
}

export interface CoActiveQuestion {
  /** Whether both selections are the same. */
  readonly isOneSelection: boolean;
  readonly relations: number;
  readonly keyKind: number;
  /** For ends: which ends of b the src of a must equal: bit 0 its src, bit 1 its dst. */
  readonly srcEquals: number;
  readonly dstEquals: number;
  /** Microseconds; null where there is no bound. */
  readonly minGap: bigint | null;
  readonly maxGap: bigint | null;
  readonly from: bigint | null;
  readonly to: bigint | null;
  readonly isUnordered: boolean;
}

/** Cells per row: src, type, dst, key, valid_from, valid_to of a, the same of b, relation, gap. Then rows in all. */
export type CoActiveAnswer = readonly [page: RowPack, total: number];

type CoActive = (
  view: NativeView,
  stop: StopToken,
  a: CoActiveSelection,
  b: CoActiveSelection,
  question: CoActiveQuestion,
  ordinal: number,
  limit: number,
) => CoActiveAnswer | Promise<CoActiveAnswer>;

export const coActive: CoActive = (addon as Addon & { readonly coActive: CoActive }).coActive;
