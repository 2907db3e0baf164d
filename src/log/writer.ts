// Appends commits to the log in groups: what is staged in one turn of JavaScript shares one write and one sync.
// Knows frames, files and durability; what a commit means, and how it is undone, is the store's.
import { PalimpsestError } from "../contract/errors.js";
import { APPLIED, nextChain, type Outcome } from "./chain.js";
import { type FileLayer, ioError } from "./file-layer.js";
import { encodeFrameHeader, FRAME_HEADER_BYTES, type FrameFields } from "./frame.js";
import type { CommitItems, Payload } from "./items.js";
import { LOG_HEADER_BYTES, logFilePath } from "./layout.js";
import type { WriterLock } from "./lock.js";
import { createLogFile } from "./recovery.js";
import { LogTip } from "./tip.js";

export type Durability = "full" | "interval" | "none";

export interface LogWriterOptions {
  readonly durability?: Durability;
  /** A file that has passed this is followed by a new one. */
  readonly rotateBytes?: number;
  /** Space is reserved in steps of this; a store in memory wants small ones. */
  readonly reserveStepBytes?: number;
}

const SYNC_INTERVAL_MS = 100;

export interface StageRequest {
  /** The staged head's tx + 1, or 0 for a rejected batch. */
  readonly tx: number;
  /** Later than that of everything staged before. */
  readonly txTimeUs: bigint;
  readonly outcome?: Outcome;
  readonly items: CommitItems;
  /** What has to be done once the commit is on disk, before it counts: an erasure puts its files in their places. */
  readonly settle?: () => Promise<void>;
  /** Called once the commit counts (durable, or written where that is enough), in the order of staging. */
  readonly publish?: () => void;
}

export interface StagedCommit {
  /** h of its last frame: the `chain` that `write` gives. */
  readonly chain: Uint8Array;
  readonly lastFrame: number;
  /** Settles after `publish`; rejects with E_IO {outcome: "unknown"} when the flush failed. */
  readonly done: Promise<void>;
}

export interface LogHead {
  readonly frameNo: number;
  readonly tx: number;
  readonly txTimeUs: bigint;
  readonly chain: Uint8Array;
}

interface Pending {
  readonly frames: { fields: Omit<FrameFields, "durableFrame">; payload: Payload }[];
  readonly byteCount: number;
  readonly chain: Uint8Array;
  readonly settle: (() => Promise<void>) | undefined;
  readonly publish: (() => void) | undefined;
  resolve(): void;
  reject(error: Error): void;
}

const endOfTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export class LogWriter {
  private staged: LogHead;
  private written: LogHead;
  private durable: number;
  private queue: Pending[] = [];
  /** Bytes of everything staged and not yet written. */
  private stagedBytes = 0;
  /** Bytes that the batch which is staged next was promised: batches are staged one at a time. */
  private promisedBytes = 0;
  /** The file that will be next, while it is being made. */
  private nextTip: LogTip | undefined;
  private running: Promise<void> | undefined;
  private syncing: Promise<void> | undefined;
  private syncTimer: NodeJS.Timeout | undefined;
  private poison: PalimpsestError | undefined;
  private isClosed = false;

  /** For open-log.ts: everything up to `head` is durable and ends at `tip`. Takes the lock over. */
  constructor(
    private readonly layer: FileLayer,
    private readonly store: string,
    private readonly storeId: Uint8Array,
    private readonly lock: WriterLock,
    private readonly options: Required<LogWriterOptions>,
    private tip: LogTip,
    head: LogHead,
  ) {
    this.staged = head;
    this.written = head;
    this.durable = head.frameNo;
  }

  /** What the next batch is judged against. */
  get head(): LogHead {
    return this.staged;
  }
  get durableFrame(): number {
    return this.durable;
  }

  /** Space for a batch of about that many bytes. E_IO {outcome: "not_applied"} on a full disk: nothing has changed. */
  reserve(byteCount: number): void {
    this.assertWritable();
    const needed = this.stagedBytes + byteCount;
    try {
      this.tip.reserve(needed);
      this.nextTip?.reserve(needed);
    } catch (error) {
      throw ioError(error, "not_applied");
    }
    this.promisedBytes = byteCount;
  }

  /** Space for exactly these items: staging them then finds it, also in a file that is begun meanwhile. */
  reserveFor(items: CommitItems): void {
    this.reserve(items.byteCount + items.frameCount * FRAME_HEADER_BYTES);
  }

  /** Puts a commit in the queue; its group's flush starts at the end of this turn. Fails like `reserve`. */
  stage(request: StageRequest): StagedCommit {
    const payloads = request.items.payloads();
    const byteCount = payloads.reduce((sum, payload) => sum + payload.bytes.length + FRAME_HEADER_BYTES, 0);
    this.reserve(byteCount);
    const outcome = request.outcome ?? APPLIED;
    this.assertNext(request, outcome, payloads.length);

    let { frameNo, chain } = this.staged;
    const frames = payloads.map((payload, i) => {
      frameNo += 1;
      const fields = {
        storeId: this.storeId,
        frameNo,
        tx: request.tx,
        txTimeUs: request.txTimeUs,
        outcome,
        continues: i + 1 < payloads.length,
      };
      chain = nextChain(chain, { ...fields, itemCount: payload.itemCount, root: payload.root });
      return { fields, payload };
    });
    const tx = request.tx === 0 ? this.staged.tx : request.tx;
    this.staged = { frameNo, tx, txTimeUs: request.txTimeUs, chain };
    this.stagedBytes += byteCount;
    this.promisedBytes = 0;
    const done = new Promise<void>((resolve, reject) => {
      const { settle, publish } = request;
      this.queue.push({ frames, byteCount, chain, settle, publish, resolve, reject });
    });
    this.running ??= this.run();
    return { chain, lastFrame: frameNo, done };
  }

  /** Everything staged so far is durable when this resolves, in every mode. */
  async flush(): Promise<void> {
    await this.running;
    this.assertNotPoisoned();
    await this.syncWritten();
    this.assertNotPoisoned();
  }

  /** Everything written so far stays in closed files: an erasure may rewrite them. E_IO where there is no room. */
  async closeFile(): Promise<void> {
    await this.flush();
    const before = this.tip.fileNo;
    await this.rotate();
    this.assertNotPoisoned();
    if (this.tip.fileNo !== before) return;
    throw new PalimpsestError("E_IO", "there is no room for another file of the log", {
      details: { file: logFilePath(this.store, before + 1), outcome: "not_applied" },
      hint: "make room on the disk and write again",
    });
  }
  /** The file that is being written. */
  get fileNo(): number {
    return this.tip.fileNo;
  }

  /** Finishes what is staged, makes it durable, gives reserved space back and releases the lock. */
  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    try {
      await this.running;
      clearTimeout(this.syncTimer);
      await this.syncWritten();
      if (this.poison === undefined) {
        await this.tip.trim();
        await this.tip.sync();
      }
    } catch (error) {
      throw ioError(error);
    } finally {
      this.tip.close();
      this.lock.release();
    }
  }

  private assertNotPoisoned(): void {
    if (this.poison !== undefined) throw this.poison;
  }

  private assertWritable(): void {
    if (this.isClosed) throw new PalimpsestError("E_CLOSED", "the store was closed");
    if (this.poison === undefined) return;
    throw new PalimpsestError("E_IO", "a flush failed before: this handle takes no more writes", {
      details: { ...this.poison.details, outcome: "not_applied" },
      hint: "close the store and open it again, which finds out what is on disk",
      cause: this.poison,
    });
  }

  private assertNext(request: StageRequest, outcome: Outcome, frameCount: number): void {
    const expected = outcome.kind === "applied" ? this.staged.tx + 1 : 0;
    if (request.tx !== expected || request.txTimeUs <= this.staged.txTimeUs || frameCount === 0) {
      throw new PalimpsestError("E_INTERNAL", `commit ${request.tx} does not follow tx ${this.staged.tx}`);
    }
  }

  private async run(): Promise<void> {
    // Writers that a flush has released stage again before the next turn ends, and so share the next flush.
    await endOfTurn();
    while (this.queue.length > 0 && this.poison === undefined) {
      const group = this.queue;
      this.queue = [];
      await this.flushGroup(group);
      await endOfTurn();
    }
    this.running = undefined;
  }

  private async flushGroup(group: Pending[]): Promise<void> {
    const parts: Uint8Array[] = [];
    for (const { frames } of group) {
      for (const { fields, payload } of frames) {
        const header = encodeFrameHeader({ ...fields, durableFrame: this.durable }, payload, this.layer.crc32c);
        parts.push(header, payload.bytes);
      }
    }
    const byteCount = group.reduce((sum, pending) => sum + pending.byteCount, 0);
    const isSynced = this.options.durability === "full" || group.some((pending) => pending.settle !== undefined);
    try {
      await this.tip.append(parts, byteCount, { sync: isSynced });
      for (const pending of group) await pending.settle?.();
    } catch (error) {
      this.fail(error, group);
      return;
    }
    this.stagedBytes -= byteCount;
    const last = group.at(-1)!;
    const { fields } = last.frames.at(-1)!;
    const tx = fields.tx === 0 ? this.written.tx : fields.tx;
    this.written = { frameNo: fields.frameNo, tx, txTimeUs: fields.txTimeUs, chain: last.chain };
    if (isSynced) this.setDurable(fields.frameNo);
    else if (this.options.durability === "interval") this.armSync();
    this.publish(group);
    if (this.tip.end >= this.options.rotateBytes) await this.rotate();
  }

  private publish(group: Pending[]): void {
    for (const [i, pending] of group.entries()) {
      try {
        pending.publish?.();
      } catch (error) {
        this.fail(error, group.slice(i));
        return;
      }
      pending.resolve();
    }
  }

  /** A flush that failed is never repeated: the pages may be gone. Nothing staged has a known fate any more. */
  private fail(error: unknown, group: Pending[]): void {
    const poison = ioError(error, "unknown");
    this.poison ??= poison;
    const rejected = [...group, ...this.queue];
    this.queue = [];
    for (const pending of rejected) pending.reject(poison);
  }

  private setDurable(frameNo: number): void {
    this.durable = frameNo;
    this.lock.setDurableFrame(frameNo);
  }

  private armSync(): void {
    if (this.syncTimer !== undefined) return;
    this.syncTimer = setTimeout(() => {
      this.syncTimer = undefined;
      void this.syncWritten();
    }, SYNC_INTERVAL_MS);
    this.syncTimer.unref();
  }

  /** Makes durable what is written; a failure poisons the writer. */
  private async syncWritten(): Promise<void> {
    await this.syncing;
    const { frameNo } = this.written;
    if (this.poison !== undefined || frameNo <= this.durable) return;
    this.syncing = this.tip.sync().then(
      () => this.setDurable(frameNo),
      (error: unknown) => this.fail(error, []),
    );
    await this.syncing;
    this.syncing = undefined;
  }

  /**
   * Goes on in a new file. The disk may be too full for one, or the process have no handle left: then this file simply
   * grows, and the next group tries.
   */
  private async rotate(): Promise<void> {
    await this.syncWritten();
    if (this.poison !== undefined) return;
    const fileNo = this.tip.fileNo + 1;
    let next: LogTip | undefined;
    try {
      next = this.reserveNext(fileNo);
      if (next === undefined) return;
      this.nextTip = next;
      const { frameNo, chain } = this.written;
      const header = { storeId: this.storeId, fileNo, firstFrame: frameNo + 1, chainBefore: chain };
      (await createLogFile(this.layer, this.store, header)).close();
      await this.tip.trim();
      this.tip.close();
      this.tip = next;
    } catch (error) {
      next?.close();
      this.fail(error, []);
    } finally {
      this.nextTip = undefined;
    }
  }

  private reserveNext(fileNo: number): LogTip | undefined {
    const path = logFilePath(this.store, fileNo);
    let tip: LogTip | undefined;
    try {
      tip = new LogTip(this.layer.open(path, "create"), fileNo, LOG_HEADER_BYTES, this.options.reserveStepBytes);
      tip.reserve(this.stagedBytes + this.promisedBytes);
      return tip;
    } catch {
      // Nothing names this file yet; the frames go where they went before, and that has reserved its space.
      tip?.close();
      if (tip !== undefined) this.layer.remove(path);
      return undefined;
    }
  }
}
