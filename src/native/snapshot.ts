// O2 as the addon answers it (native/node/snapshot_glue.cc). Types only, and the way to the function.
import { type Addon, addon, type StopToken } from "./addon.js";
import type { NativeView } from "./store.js";

/** Ordinals [from, to) of a list. */
export type NativePage = readonly [from: number, to: number];

/** How a search crosses edges; Orientation of native/core/kernels/corners/khop.h. */
export const ORIENTATIONS = { both: 0, out: 1, in: 2 } as const;

/** In `nodeRows`: the node has no version. */
export const NO_ROW = 0xffff_ffff;

export interface NativeSnapshot {
  /** Edge rows by (src, type, dst, key); empty, with a total of 0, when no page of them was asked for. */
  readonly edges: Uint32Array;
  readonly edgesTotal: number;
  /** Node numbers by (hop, uid), their hops, and the rows of their versions. */
  readonly nodes: Uint32Array;
  readonly hops: Uint32Array;
  readonly nodeRows: Uint32Array;
  readonly nodesTotal: number;
}

type SnapshotSubgraph = (
  view: NativeView,
  stop: StopToken,
  where: Uint8Array,
  seeds: readonly string[],
  atUs: bigint,
  hops: number,
  orientation: number,
  nodesMustExist: boolean,
  edgePage: NativePage | null,
  nodePage: NativePage | null,
) => NativeSnapshot | Promise<NativeSnapshot>;

export const snapshotSubgraph: SnapshotSubgraph = (addon as Addon & { readonly snapshotSubgraph: SnapshotSubgraph })
  .snapshotSubgraph;
