// Rows of the base tables as the addon gives them (native/node/tables_glue.cc). Types only, and the way to the functions.
// Work that the addon finds large comes as a promise.
import { type Addon, addon, type StopToken } from "./addon.js";
import type { NativeView } from "./store.js";

/** Texts end to end, cells in the order of rows and columns, doubles; see native/core/kernels/rows/row_pack.h. */
export type RowPack = readonly [text: string, cells: Int32Array, doubles: Float64Array | null];
export type MaybePromise<T> = T | Promise<T>;

/** Kind of native/core/base/types.h. */
export const NODE = 0;
export const EDGE = 1;
export type NativeKind = typeof NODE | typeof EDGE;

/** `[uid]` or `[src, type, dst, key]`. */
export type IdentityTexts = readonly [string] | readonly [string, string, string, string];

interface PageRequest {
  readonly ordinal: number;
  readonly limit: number;
  readonly columns: Uint8Array;
  readonly filter: Uint8Array;
  readonly names: Uint8Array;
  /** Microseconds; null is unbounded. */
  readonly from: bigint | null;
  readonly to: bigint | null;
  /** Whether shown intervals are cut to the window. */
  readonly clamp: boolean;
}

export interface HistoryRequest extends PageRequest {
  readonly nodes: boolean;
  readonly edges: boolean;
  readonly ref: IdentityTexts | null;
  /** Written or ended in these commit times; null is unbounded. */
  readonly txFrom: bigint | null;
  readonly txTo: bigint | null;
  readonly current: boolean;
  readonly superseded: boolean;
  /** Bits of EndedBy. */
  readonly endedByMask: number;
}

export interface VersionsRequest extends PageRequest {
  readonly kind: NativeKind;
  /** Belief that holds at this commit. */
  readonly txAt: number | null;
  /** Belief that touches these commit times. */
  readonly txFrom: bigint | null;
  readonly txTo: bigint | null;
}

/** ScanTable of native/core/kernels/scan.h. */
export const SCAN_TABLES = { nodes: 0, edges: 1, events: 2, endpoints: 3 } as const;
/** ClassRows of native/core/kernels/scan.h. */
export const CLASS_ROWS = { believed: 0, allVersions: 1, events: 2 } as const;

export interface TableRequest extends PageRequest {
  readonly table: (typeof SCAN_TABLES)[keyof typeof SCAN_TABLES];
  /** False: a list that is taken whole may come as it is found. */
  readonly ordered: boolean;
}

export type PageAnswer = readonly [pack: RowPack, total: number];
export type LogAnswer = readonly [
  pack: RowPack,
  total: number,
  current: number,
  overwritten: number,
  retracted: number,
  corrected: number,
];

export interface NativeTables {
  fetchRows(view: NativeView, kind: NativeKind, rows: Uint32Array, columns: Uint8Array): RowPack;
  fetchUids(view: NativeView, nodes: Uint32Array): RowPack;
  fetchEdgeIds(view: NativeView, edges: Uint32Array): RowPack;
  formatInstants(instants: BigInt64Array): RowPack;
  entityHistory(
    view: NativeView,
    ref: IdentityTexts,
    from: bigint | null,
    to: bigint | null,
    columns: Uint8Array,
    ordinal: number,
    limit: number,
  ): readonly [pack: RowPack, total: number, spells: number];
  incidentEdges(
    view: NativeView,
    uid: string,
    from: bigint | null,
    to: bigint | null,
    filter: Uint8Array,
    columns: Uint8Array,
    ordinal: number,
    limit: number,
    stop: StopToken | null,
  ): MaybePromise<PageAnswer>;
  versionHistory(view: NativeView, request: HistoryRequest, stop: StopToken | null): MaybePromise<LogAnswer>;
  scanVersions(view: NativeView, request: VersionsRequest, stop: StopToken | null): MaybePromise<LogAnswer>;
  scanTable(view: NativeView, request: TableRequest, stop: StopToken | null): MaybePromise<PageAnswer>;
  /** Bits of PropKind per property. */
  propertyClasses(
    view: NativeView,
    kind: NativeKind,
    rows: (typeof CLASS_ROWS)[keyof typeof CLASS_ROWS],
    names: Uint8Array,
    properties: readonly string[],
    stop: StopToken | null,
  ): MaybePromise<readonly number[]>;
  /** The properties that those rows have, and the bits of PropKind of each. */
  propertiesInUse(
    view: NativeView,
    kind: NativeKind,
    rows: (typeof CLASS_ROWS)[keyof typeof CLASS_ROWS],
    names: Uint8Array,
  ): { readonly names: readonly string[]; readonly classes: readonly number[] };
  /** Gives the next lines of the store digest at each call, null behind the last. */
  digestLines(view: NativeView): () => Promise<Uint8Array | null>;
}

export const tables: NativeTables = (addon as Addon & { readonly tables: NativeTables }).tables;
