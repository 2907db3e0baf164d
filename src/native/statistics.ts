// Logical counts and look-ups of one view (native/core/kernels/statistics.h says what each counts). Types only.
import type { NativeView } from "./store.js";

export interface NativeStatistics {
  nodesTouching(view: NativeView, fromUs: bigint, toUs: bigint): number;
  edgesTouching(view: NativeView, fromUs: bigint, toUs: bigint): number;
  edgesBeginning(view: NativeView, fromUs: bigint, toUs: bigint): number;
  validChanges(view: NativeView, fromUs: bigint, toUs: bigint): number;
  txChanges(view: NativeView, fromTx: number, toTx: number): number;
  degree(view: NativeView, uid: string, fromUs: bigint, toUs: bigint): number;
  meanDegree(view: NativeView): number;
  rowsOfNode(view: NativeView, uid: string, fromUs: bigint, toUs: bigint): number;
  rowsOfEdge(
    view: NativeView,
    src: string,
    type: string,
    dst: string,
    key: string,
    fromUs: bigint,
    toUs: bigint,
  ): number;
  /** Known at the pin (docs/contract.md A4). */
  knowsNode(view: NativeView, uid: string): boolean;
  knowsEdge(view: NativeView, src: string, type: string, dst: string, key: string): boolean;
  /** Shares of the edge version rows, the most frequent type first. */
  typeShares(view: NativeView): { readonly types: readonly string[]; readonly shares: readonly number[] };
  /** Of edge versions, or of node and edge versions together; open ends do not count. */
  extent(
    view: NativeView,
    withNodes: boolean,
  ): { readonly leastFrom: bigint | null; readonly greatestFrom: bigint | null; readonly greatestTo: bigint | null };
  nearestUids(view: NativeView, uid: string): string[];
  /** Names in use at the pin, sorted by code point. */
  names(view: NativeView, of: "types" | "labels"): string[];
}
