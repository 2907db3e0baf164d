// What a store takes and gives: options, results, heads. Shapes only.
import type { Durability } from "../log/writer.js";

export interface StoreOptions {
  /** Follows a store that another handle or process writes; makes nothing. */
  readonly readOnly?: boolean;
  /** "full" (default): durable before it is seen. "interval": flushed every 100 ms. "none": at close. */
  readonly durability?: Durability;
  /** Bytes that the store may hold in memory, a quarter of it for one call; by default half of what there is. */
  readonly memoryLimitBytes?: number;
}

/** A commit as its writer and its followers see it. `chain` is the hash over the log up to it, in hex. */
export interface CommitHead {
  readonly tx: number;
  readonly txTime: string;
  readonly chain: string;
}

/** The newest commit; an empty store has tx 0 and no time. */
export interface StoreHead {
  readonly tx: number;
  readonly txTime: string | null;
  readonly chain: string;
}

export interface WriteOptions {
  /** The commit's time, for imports: later than the last, not after the wall clock. */
  readonly txTime?: unknown;
  /** Commit only if this is the head. */
  readonly ifTx?: number;
  /** A key that is already committed gives the first commit's result and writes nothing. */
  readonly idempotencyKey?: string;
}

/** What an erasure removes, or would: version rows, commits with an item that is replaced, and the bytes of those items. */
export interface EraseTouched {
  readonly versions: number;
  readonly commits: number;
  readonly bytes: number;
}

/** The commit of an erasure, with what it removed. */
export interface EraseReceipt extends CommitHead, EraseTouched {}

export interface EventOptions extends WriteOptions {
  /** The type of all events, where the columns have none. */
  readonly type?: string;
  /** Labels of node versions that ends without any get. */
  readonly nodeLabels?: readonly string[];
  readonly source?: string | null;
  readonly provenanceRef?: string | null;
  readonly reason?: string | null;
}

/** Of an iterable, `txTime`, `ifTx` and `idempotencyKey` go only with a `rowsPerCommit` of Infinity. */
export interface IngestOptions extends EventOptions {
  /** Of an iterable: events per commit, 1,000,000 by default; Infinity makes it one commit. */
  readonly rowsPerCommit?: number;
}

/** The last commit, and the events written over all commits. */
export interface IngestResult extends CommitHead {
  readonly rows: number;
}

/** What `open` met at the end of the log. */
export interface OpenReport {
  /** A writer moved a torn tail to `path` (undefined where it was all zeros). */
  readonly cut: { readonly path: string | undefined; readonly frameNo: number; readonly byteCount: number } | null;
  /** A reader stopped before the place of this frame: a write that is under way, or bad bytes that nothing vouches for. */
  readonly unread: { readonly frameNo: number; readonly fileNo: number; readonly offset: number } | null;
}
