// One open store: writes, bulk loads, heads, pins and followers. Operators and languages stand above it.
import { PalimpsestError } from "../contract/errors.js";
import { readGiven } from "../contract/given.js";
import { formatInstant } from "../contract/instant.js";
import { DerivedFiles } from "../derived/derived-files.js";
import { backUpLog } from "../log/backup.js";
import type { FileLayer } from "../log/file-layer.js";
import { memoryFileLayer } from "../log/memory-file-layer.js";
import { nativeFileLayer } from "../log/native-file-layer.js";
import { reference } from "../log/operations/fields.js";
import { type LogCommit, LogReader } from "../log/reader.js";
import { addon } from "../native/addon.js";
import { fromNative } from "../native/errors.js";
import type { NativeCore } from "../native/store.js";
import { type PreparedBatch, prepareBatch, prepareRows } from "./batch.js";
import { wallClockUs } from "./commit-clock.js";
import { derivedFacts } from "./derived-facts.js";
import type { EventInput } from "./event-input.js";
import { Follower } from "./follower.js";
import { readInfo, type StoreInfo } from "./info.js";
import { type EventPieces, ingestInto } from "./ingest.js";
import { openForWriting, type WriterOptions } from "./open-writer.js";
import { checkIngestOptions, checkWriteOptions } from "./option-checks.js";
import type { StoreWriter } from "./store-writer.js";
import { Subscribers } from "./subscribers.js";
import { nextTurn } from "./turns.js";
import type {
  CommitHead,
  EraseReceipt,
  EraseTouched,
  IngestOptions,
  IngestResult,
  OpenReport,
  StoreHead,
  StoreOptions,
  WriteOptions,
} from "./types.js";
import { readHead, withView } from "./views.js";

export const MEMORY_PATH = ":memory:";
const MEMORY_FOLDER = "/memory";

/** Who asked for an erasure, and why: what its receipt keeps. */
export interface EraseNotes {
  readonly source?: string | null;
  readonly provenance_ref?: string | null;
  readonly reason?: string | null;
}

/** What an instant means as a pin: the commit, and what the asker should know. */
export interface ResolvedInstant {
  readonly tx: number;
  readonly notices: readonly string[];
}

export class Store {
  /** What was derived from the store and lies beside its log; null where nothing is on disk. */
  readonly derived: DerivedFiles | null;
  private readonly subscribers: Subscribers;
  private closing: Promise<void> | undefined;
  private isShut = false;
  private running = 0;
  private idle: (() => void) | undefined;

  private constructor(
    readonly path: string,
    private readonly source: { readonly core: NativeCore },
    private readonly writer: StoreWriter | undefined,
    private readonly follower: Follower | undefined,
    readonly report: OpenReport,
    private readonly log: { readonly layer: FileLayer; readonly path: string },
  ) {
    this.subscribers = new Subscribers(source.core);
    const derivedSource = { facts: () => derivedFacts(this.core), refresh: () => this.refresh() };
    this.derived = path === MEMORY_PATH ? null : new DerivedFiles(log.layer, log.path, derivedSource);
    if (follower !== undefined) follower.onMove = (core) => this.subscribers.moveTo(core);
  }

  /** The engine that this handle reads; a follower may go on with another one. */
  get core(): NativeCore {
    return this.source.core;
  }

  /** Opens the store at `path`, making it when it is absent; ":memory:" keeps nothing. */
  static async open(path: string, options: StoreOptions): Promise<Store> {
    if (path === MEMORY_PATH) {
      if (options.readOnly === true) {
        throw new PalimpsestError("E_INVALID_ARG", "a store in memory cannot be opened read-only", {
          hint: "nobody else could write it",
        });
      }
      const log = { layer: memoryFileLayer(), path: MEMORY_FOLDER };
      const { core, writer, report } = await openForWriting(log.layer, log.path, options, false);
      return new Store(path, { core }, writer, undefined, report, log);
    }
    return Store.openOn(nativeFileLayer(addon.files), path, options);
  }

  /** The store at `path` of a file layer, which tests can make fail. */
  static async openOn(layer: FileLayer, path: string, options: WriterOptions): Promise<Store> {
    if (options.readOnly === true) {
      const follower = await Follower.open(layer, path);
      return new Store(path, follower, undefined, follower, { cut: null, unread: follower.unread }, { layer, path });
    }
    const { core, writer, report } = await openForWriting(layer, path, options, true);
    return new Store(path, { core }, writer, undefined, report, { layer, path });
  }

  get isReadOnly(): boolean {
    return this.writer === undefined;
  }

  /** One atomic batch (docs/contract.md "Writes"). Its operations must not be changed before the promise settles. */
  write(ops: unknown, options: WriteOptions = {}): Promise<CommitHead> {
    return this.during(async () => {
      const writer = this.writable();
      readGiven("options", "the options", () => checkWriteOptions(options));
      return writer.write(prepareBatch(ops), options);
    });
  }

  /**
   * Erases one identity for good, as a batch of its own: the same as writing `{op: "erase", ref, …notes}`, with a receipt.
   * `ref` is `{uid}` or `{src, type, dst, key}`; E_NOT_FOUND when nothing in the store's history names it.
   */
  erase(ref: unknown, notes: EraseNotes = {}, options: WriteOptions = {}): Promise<EraseReceipt> {
    return this.write([{ op: "erase", ref, ...notes }], options) as Promise<EraseReceipt>;
  }

  /** What `erase` would remove of an identity; writes nothing. Judged like `erase`, against the staged head. */
  touchedByErase(ref: unknown): Promise<EraseTouched> {
    return this.during(async () => {
      const writer = this.writable();
      return writer.touchedByErasing(readGiven("ref", "the reference", () => reference(ref, "ref")));
    });
  }

  /**
   * Batches whose operations `make` finds when their turn comes: it reads the staged head, through the core that it is
   * given, and no other write comes between its look and the last of its batches. None: nothing is written. The result is
   * null for an erasure of what an erasure before it took along.
   */
  writeInTurn(make: (core: NativeCore) => Promise<readonly (readonly unknown[])[]>): Promise<(CommitHead | null)[]> {
    return this.during(async () => {
      const { core } = this;
      return this.writable().writeInTurn(async () => Promise.all((await make(core)).map(prepareBatch)));
    });
  }

  /** What `write` gives for an idempotency key that was committed; null where it was not. */
  committed(key: string): Promise<CommitHead | null> {
    return this.during(() => this.writable().committed(key));
  }

  /** The idempotency keys with this beginning, of commits that count. */
  keysUnder(prefix: string): Promise<readonly string[]> {
    return this.during(() => this.writable().keysUnder(prefix));
  }

  /** As `write`, for operations that are made one by one and may be more than a JSON batch holds: what an export wrote. */
  writeRows(operations: Iterable<unknown>, options: WriteOptions): Promise<CommitHead> {
    return this.during(() => this.writable().write(prepareRows(operations), options));
  }

  /** Bulk events from typed columns. One object is one commit; pieces are committed every `rowsPerCommit` events. */
  ingest(input: EventInput | EventPieces, options: IngestOptions = {}): Promise<IngestResult> {
    return this.during(async () => {
      this.writable();
      readGiven("options", "the options", () => checkIngestOptions(options));
      const target = {
        core: this.core,
        write: (batch: Promise<PreparedBatch>) => this.writable().write(batch, options),
      };
      return ingestInto(target, input, options);
    });
  }

  head(): StoreHead {
    this.assertOpen();
    return readHead(this.core);
  }

  info(): StoreInfo {
    this.assertOpen();
    return readInfo(this.path, this.core);
  }

  /** Everything written so far is on disk when this resolves. */
  checkpoint(): Promise<void> {
    return this.during(async () => {
      await this.writable().flush();
    });
  }

  /**
   * Copies the store, as of its newest commit, into a new one at `dest`, while writing goes on. Gives that commit: every
   * one that had been resolved before is in the copy.
   */
  backup(dest: unknown): Promise<StoreHead> {
    return this.during(async () => {
      if (typeof dest !== "string" || dest === "" || dest.includes("\0")) {
        throw new PalimpsestError("E_INVALID_ARG", "the place of a backup is a path without NUL", {
          hint: "name a folder that is not there",
        });
      }
      await this.writer?.flush();
      const { layer, path } = this.log;
      const { tx, txTimeUs, chain } = await backUpLog(
        { layer, store: path, target: nativeFileLayer(addon.files) },
        dest,
      );
      return { tx, txTime: txTimeUs === null ? null : formatInstant(txTimeUs), chain };
    });
  }

  /** A follower takes in what the log has gained; a writer is always up to date. */
  refresh(): Promise<void> {
    return this.during(async () => {
      await this.follower?.refresh();
    });
  }

  /** The commits of the log up to `tx`, oldest first, rejected batches among them: for an engine that replays them. */
  async *commits(tx: number): AsyncGenerator<LogCommit, void, undefined> {
    const reader = new LogReader(this.log.layer, this.log.path);
    try {
      while (reader.position.tx < tx) {
        const commit = await reader.next(Number.POSITIVE_INFINITY);
        if (commit === undefined) return;
        yield commit;
      }
    } finally {
      reader.close();
    }
  }

  /**
   * Calls `listener` with every commit from now on, once, in order. Gives the function that ends it. `onError` hears why a
   * handle that only reads cannot follow any longer; without it that is an uncaught exception.
   */
  subscribe(listener: (commit: CommitHead) => void, onError?: (error: PalimpsestError) => void): () => void {
    this.assertOpen();
    const stop = this.subscribers.add(listener, onError);
    this.follower?.follow((error) => this.subscribers.fail(fromNative(error)));
    return () => {
      if (this.isShut) return;
      stop();
      if (this.subscribers.isEmpty) this.follower?.unfollow();
    };
  }

  /**
   * The newest commit not later than an instant. Here, or beside a writer of this process, the commit clock is held above
   * it first, so that no later commit falls before it; elsewhere a pin beyond the newest commit carries a notice.
   * An instant that neither the wall clock nor the commit clock has reached means the commit that is newest when it is asked.
   */
  async resolveInstant(us: bigint, signal?: AbortSignal): Promise<ResolvedInstant> {
    this.assertOpen();
    const isHere = this.writer !== undefined || this.follower?.hasWriterHere === true;
    const { core } = this;
    if (isHere && (us <= wallClockUs() || us <= core.announcedTime)) {
      core.raiseClockFloor(us);
      const awaited = core.announcedTx;
      while (core.publishedTx < awaited && !core.isPoisoned && signal?.aborted !== true) await nextTurn();
    }
    return withView(core, null, (view) => {
      const newest = view.commit(view.tx).txTime;
      const isBeyond = newest === null || us > newest;
      return { tx: view.txAt(us), notices: !isHere && isBeyond ? ["W_PIN_AFTER_LATEST"] : [] };
    });
  }

  /** Runs work that `close` waits for. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.assertOpen();
    this.running += 1;
    try {
      if (this.follower?.isLeftBehind === true) await this.follower.refresh();
      return await work();
    } finally {
      this.running -= 1;
      if (this.running === 0) this.idle?.();
    }
  }

  /** Waits for running calls, makes everything durable and lets the store go. Closing twice is fine. */
  close(): Promise<void> {
    this.closing ??= this.shutDown();
    return this.closing;
  }

  private async shutDown(): Promise<void> {
    if (this.running > 0) await new Promise<void>((resolve) => (this.idle = resolve));
    try {
      await this.follower?.close();
      await this.writer?.close();
    } finally {
      this.subscribers.finish();
      this.isShut = true;
      this.core.close();
    }
  }

  /** E_CLOSED once the handle is closed. */
  assertOpen(): void {
    if (this.closing === undefined) return;
    throw new PalimpsestError("E_CLOSED", "the store was closed", { hint: "open it again" });
  }

  /** E_READONLY where this handle cannot write. */
  assertWritable(): void {
    this.writable();
  }

  private writable(): StoreWriter {
    if (this.writer !== undefined) return this.writer;
    throw new PalimpsestError("E_READONLY", "this handle only reads", { hint: "open the store without readOnly" });
  }
}
