// O3 as the addon answers it (native/node/diff_glue.cc). Types only, and the way to the function.
import { type Addon, addon, type StopToken } from "./addon.js";
import type { NativePage } from "./snapshot.js";
import type { NativeView } from "./store.js";
import type { RowPack } from "./tables.js";

/** What may differ, in the order of native totals and as bits of `included`: position 3 on are edges. */
export const DIFFERENCES = [
  "nodes_added",
  "nodes_removed",
  "nodes_changed",
  "edges_added",
  "edges_removed",
  "edges_changed",
] as const;

export type NativeCorner = readonly [tx: number, atUs: bigint];
export type NativeScope = readonly [seeds: readonly string[], hops: number, orientation: number];

/** One page; the arrays have one entry per row. */
export interface NativeDiff {
  readonly totals: readonly number[];
  readonly rowsTotal: number;
  /** Positions in DIFFERENCES: nodes stand before edges. */
  readonly changes: Uint32Array;
  /** Node or edge numbers. */
  readonly identities: Uint32Array;
  /** Rows of the versions in the corners, NO_ROW where the identity is absent. */
  readonly leftRows: Uint32Array;
  readonly rightRows: Uint32Array;
  /** The labels cell of each row: the names of what changed. */
  readonly changed: RowPack;
}

type DiffSnapshots = (
  view: NativeView,
  stop: StopToken,
  where: Uint8Array,
  left: NativeCorner,
  right: NativeCorner,
  scope: NativeScope | null,
  comparesInterval: boolean,
  included: number,
  page: NativePage,
) => NativeDiff | Promise<NativeDiff>;

export const diffSnapshots: DiffSnapshots = (addon as Addon & { readonly diffSnapshots: DiffSnapshots }).diffSnapshots;
