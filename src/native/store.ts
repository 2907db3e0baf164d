// The core store as the addon shows it (native/node/store_glue.cc, view_handle.cc). Types only.
// Errors carry `code` (E_…) and, where there is one, `position`.

/** Texts end to end with the end of each; rows point into them by code, or stand one by one without codes. */
export interface NativeTextColumn {
  readonly bytes: Uint8Array;
  readonly ends: Uint32Array;
  readonly codes?: Uint32Array | undefined;
  /** 0 where the row has none. */
  readonly present?: Uint8Array | undefined;
}

/** Stored in files: never renumber. */
export const PROP_KINDS = { int64: 0, double: 1, bool: 2, string: 3, json: 4 } as const;
export type PropKindName = keyof typeof PROP_KINDS;

export interface NativeProperty {
  readonly name: string;
  readonly kind: number;
  readonly values: BigInt64Array | Float64Array | Uint8Array | NativeTextColumn;
  readonly present?: Uint8Array | undefined;
}

/** Columns of one length. Instants in microseconds; 2^62 in `validTo` is an open end. */
export interface NativeEventColumns {
  readonly rowCount: number;
  readonly src: NativeTextColumn;
  readonly dst: NativeTextColumn;
  readonly type: NativeTextColumn;
  readonly key: NativeTextColumn | null;
  readonly time: BigInt64Array;
  readonly validTo: BigInt64Array | null;
  readonly props: readonly NativeProperty[];
}

export interface NativeEventsHeader {
  readonly nodeLabels: readonly string[];
  readonly source: string | null;
  readonly provenanceRef: string | null;
  readonly reason: string | null;
}

/** One commit; counts are of its operations, the first six of the state after it. */
export interface NativeCommit {
  readonly txTime: bigint | null;
  readonly nodes: number;
  readonly edges: number;
  readonly believedNodes: number;
  readonly believedEdges: number;
  readonly nodeRows: number;
  readonly edgeRows: number;
  readonly operations: number;
  readonly asserted: number;
  readonly retracted: number;
  readonly corrected: number;
  readonly ingested: number;
  /** Of the commit's last frame; 32 bytes. */
  readonly chain: Uint8Array;
}

/** A view read as of commit `tx`; holds memory until released. */
export interface NativeView {
  readonly tx: number;
  headTx(): number;
  /** Another handle on the same view, read as of another commit up to `headTx()`. */
  at(tx: number): NativeView;
  commit(tx: number): NativeCommit;
  /** Of each erasure its commit and the commit that first wrote something it removed, end to end. */
  erasures(): readonly number[];
  /** The greatest commit of the view that is not later; 0 when there is none. */
  txAt(us: bigint): number;
  release(): void;
}

export interface NativeCore {
  close(): void;
  /** True when this handle may stage from now on: a writer for its life, a follower while it applies the log. */
  acquireWriter(): boolean;
  announceWriter(): void;
  releaseWriter(): void;
  stageOps(buffer: Uint8Array, firstOperation: number): undefined | Promise<undefined>;
  /** On replay nothing is judged: gives the positions of operations that found nothing to correct or retract. */
  replayOps(buffer: Uint8Array, firstOperation: number): readonly number[] | Promise<readonly number[]>;
  checkEvents(columns: NativeEventColumns): undefined | Promise<undefined>;
  stageEvents(header: NativeEventsHeader, columns: NativeEventColumns): NativeBlocks | Promise<NativeBlocks>;
  stageBlocks(header: NativeEventsHeader, blocks: readonly Uint8Array[]): undefined | Promise<undefined>;
  /** Numbers that an erased operation used up; null for a uid that is gone. */
  stageErased(edgeNumbers: number, nodeUids: readonly (string | null)[]): void;
  /** The operation that erased an identity, on replay. */
  stageErasure(firstTx: number, spentKeys: readonly number[]): void;
  /** What is staged from now on is looked through for an identity: a uid, or src, type, dst and key. */
  filterOut(names: readonly string[]): void;
  /** Takes the numbers that an assertion of that identity used up; a null uid is the identity's own. */
  numberErased(names: readonly string[]): { readonly edgeNumbers: number; readonly uids: readonly (string | null)[] };
  /** Something that stays names this uid. */
  nameUid(uid: string): void;
  isNamedUid(uid: string): boolean;
  /** A bulk operation of the log without the rows of the identity; what became of each block. */
  stageFiltered(
    header: NativeEventsHeader,
    blocks: readonly Uint8Array[],
  ): readonly FilteredBlock[] | Promise<readonly FilteredBlock[]>;
  /** A block without the new uids that nothing names; null when it has none of those. */
  withoutUnnamed(block: Uint8Array, firstNode: number): Uint8Array | null;
  /** The n of chosen keys `#n` that the identity used up and that later events would be given again. */
  spentKeys(): readonly number[];
  /** Goes on with what another core of the store holds, which is as far and may then be closed. */
  adopt(core: NativeCore): void;
  seal(txTimeUs: bigint): number | Promise<number>;
  abort(): void;
  /** Makes the oldest sealed commit visible. */
  publish(chain: Uint8Array): void;
  raiseClockFloor(us: bigint): void;
  /** Settles the time of the commit that is sealed next; false when it is not above the clock's floor. */
  announceCommit(us: bigint): boolean;
  poison(): void;
  maintain(): Promise<undefined>;
  view(tx: number | null): NativeView;
  /** A view of the newest sealed commit, published or not: for reading in the turn in which the next batch is staged. */
  stagedView(tx: number | null): NativeView;
  subscribe(listener: ((tx: number) => void) | null): void;
  /** A writer handle of this process feeds the core. */
  readonly hasWriterHandle: boolean;
  readonly needsMaintenance: boolean;
  readonly stagedTx: number;
  readonly publishedTx: number;
  /** Later commits take times later than this. */
  readonly clockFloor: bigint;
  /** The newest commit whose time is settled, sealed or not, and that time. */
  readonly announcedTx: number;
  readonly announcedTime: bigint;
  readonly bytes: number;
  readonly isPoisoned: boolean;
}

/** A block from which rows may have been taken; it keeps their numbers. */
export interface FilteredBlock {
  /** Encoded anew; null when nothing of the identity was in it. */
  readonly bytes: Uint8Array | null;
  readonly rowsLeft: number;
  /** That its holes use up. */
  readonly edgeNumbers: number;
  readonly firstNode: number;
  /** Where the block has holes; null for those that are gone. */
  readonly newUids: readonly (string | null)[] | null;
}

/** Blocks of bulk events, end to end, as items of the log. */
export interface NativeBlocks {
  readonly bytes: Uint8Array;
  readonly ends: Float64Array;
}
