// The one writer of a store: judges a batch against the staged head, stages it in the core, hands it to the log, and
// publishes it when the log says that it counts. Batches are staged one at a time, first in, first out.
import { PalimpsestError } from "../contract/errors.js";
import { formatInstant } from "../contract/instant.js";
import { parseInstant } from "../contract/parse-instant.js";
import { exclusively } from "../derived/folder-lock.js";
import { forget } from "../derived/forget.js";
import { chainText } from "../log/chain.js";
import { dropErasedFiles, placeErasedFiles } from "../log/erased-files.js";
import type { FileLayer } from "../log/file-layer.js";
import { CommitItems } from "../log/items.js";
import type { Erasing, Ref } from "../log/operations/types.js";
import type { LogWriter } from "../log/writer.js";
import { fromNative } from "../native/errors.js";
import type { NativeCore } from "../native/store.js";
import type { BatchPart, PreparedBatch } from "./batch.js";
import type { CommitClock } from "./commit-clock.js";
import { derivedFacts } from "./derived-facts.js";
import { type ErasingStore, notErased, type PreparedErasure, prepareErasure, touchedByErasing } from "./erasure.js";
import { checkMemory } from "./memory-limit.js";
import { Pace, TaskQueue } from "./turns.js";
import type { CommitHead, EraseReceipt, EraseTouched, WriteOptions } from "./types.js";

// The log's frames and salts beside the operations' own text, per item and per batch.
const ITEM_OVERHEAD_BYTES = 64;
const BATCH_OVERHEAD_BYTES = 1024;

/** A batch on its way to the disk: what its writer will be told. All take the same turns, so that they come in order. */
interface Staged {
  readonly outcome: Promise<CommitHead>;
}

/** The caller found it in the same turn, so that only an erasure before it can have taken it away. */
function nullIfTakenAlong(error: unknown): null {
  if (error instanceof PalimpsestError && error.code === "E_NOT_FOUND") return null;
  throw error;
}

export class StoreWriter {
  private readonly queue = new TaskQueue();
  private isBroken = false;

  constructor(
    private readonly layer: FileLayer,
    private readonly path: string,
    private readonly core: NativeCore,
    private readonly log: LogWriter,
    private readonly clock: CommitClock,
    /** First results by idempotency key, of every commit in the log. */
    private readonly keys: Map<string, Promise<CommitHead>>,
    private readonly memoryLimitBytes: number,
  ) {}

  /**
   * One atomic batch; resolves when it counts. The first failure is the answer, and then nothing has changed. Its place
   * in the queue is that of this call, however long its preparation takes.
   */
  async write(prepared: Promise<PreparedBatch>, options: WriteOptions): Promise<CommitHead> {
    // It may fail long before its turn comes; the turn reports it.
    prepared.catch(() => undefined);
    const staged = await this.queue.run(async () => this.stage(await prepared, options));
    return staged.outcome;
  }

  /**
   * Batches that are made when their turn comes, by `make`, which may read the staged head; each is a commit of its own,
   * and no other batch comes between them. Resolves with their results, in order, when they count; null for an erasure of
   * what an erasure before it took along.
   */
  async writeInTurn(make: () => Promise<readonly PreparedBatch[]>): Promise<(CommitHead | null)[]> {
    const staged = await this.queue.run(async () => {
      const batches: (Staged | null)[] = [];
      try {
        for (const batch of await make()) {
          const isLater = batch.erasing !== undefined && batches.length > 0;
          const stage = this.stage(batch, {});
          batches.push(await (isLater ? stage.catch(nullIfTakenAlong) : stage));
        }
      } catch (error) {
        // What was staged before counts; whoever hears of this failure looks at the head.
        for (const batch of batches) batch?.outcome.catch(() => undefined);
        throw error;
      }
      return batches;
    });
    return Promise.all(staged.map((batch) => batch?.outcome ?? null));
  }

  /** The commit of an idempotency key, once it counts; null where there is none. */
  async committed(key: string): Promise<CommitHead | null> {
    return (await this.keys.get(key)) ?? null;
  }

  /** The idempotency keys with this beginning, of commits that count. Looks at all keys of the log. */
  async keysUnder(prefix: string): Promise<readonly string[]> {
    const outcomes: Promise<string[]>[] = [];
    for (const [key, outcome] of this.keys) {
      if (!key.startsWith(prefix)) continue;
      outcomes.push(
        outcome.then(
          () => [key],
          () => [],
        ),
      );
    }
    return (await Promise.all(outcomes)).flat();
  }

  /** Everything staged so far is durable when this resolves. */
  async flush(): Promise<void> {
    await this.queue.drain();
    await this.log.flush();
  }

  async close(): Promise<void> {
    await this.queue.drain();
    try {
      await this.log.close();
    } finally {
      this.core.releaseWriter();
    }
  }

  private async stage(batch: PreparedBatch, options: WriteOptions): Promise<Staged> {
    const { idempotencyKey } = options;
    if (idempotencyKey !== undefined) {
      const first = this.keys.get(idempotencyKey);
      if (first !== undefined) return { outcome: first };
    }
    if (options.ifTx !== undefined && options.ifTx !== this.core.stagedTx) {
      throw new PalimpsestError("E_STATE", `the head is tx:${this.core.stagedTx}, not tx:${options.ifTx}`, {
        details: { head: this.core.stagedTx, if_tx: options.ifTx },
        hint: "read again at the head and decide anew",
      });
    }
    if (this.isBroken) throw this.brokenError();
    if (batch.erasing !== undefined) return this.erase(batch.erasing, options);
    checkMemory(this.core.bytes, batch.memoryBytes, this.memoryLimitBytes);
    this.log.reserve(batch.logBytes + batch.itemCount * ITEM_OVERHEAD_BYTES + BATCH_OVERHEAD_BYTES);
    if (this.core.needsMaintenance) await this.core.maintain();
    return this.stageInCore(batch, options);
  }

  /** What erasing an identity would remove. Writers wait for it as for a batch. */
  touchedByErasing(ref: Ref): Promise<EraseTouched> {
    return this.queue.run(async () => {
      if (this.isBroken) throw this.brokenError();
      await this.log.flush();
      return touchedByErasing(this.erasingStore(), ref).catch((error: unknown) => {
        throw notErased(error);
      });
    });
  }

  private erasingStore(): ErasingStore {
    const { layer, path, core, log, memoryLimitBytes } = this;
    return { layer, path, core, log, memoryLimitBytes };
  }

  /**
   * Everything before it is durable, and nothing is staged beside it: then the core is exchanged as a whole. What was derived
   * from the identity goes first, and until the erasure counts nobody can derive anything.
   */
  private async erase(erasing: Erasing, options: WriteOptions): Promise<Staged> {
    await this.log.flush();
    const { layer, path, core } = this;
    const erasure = await prepareErasure(this.erasingStore(), erasing).catch((error: unknown) => {
      throw notErased(error);
    });
    let isReady = false;
    try {
      return await exclusively(layer, path, async () => {
        const facts = derivedFacts(core);
        const { firstTx } = erasure;
        await forget(layer, path, { ...facts, erasures: [...facts.erasures, { tx: facts.headTx + 1, firstTx }] });
        const items = this.receiptItems(erasure, options);
        const txTimeUs = this.takeTime(options, { isCommit: true });
        isReady = true;
        return this.stageErasure(erasure, items, txTimeUs, options);
      });
    } catch (error) {
      if (isReady) throw error;
      erasure.core.close();
      await dropErasedFiles(layer, path, erasure.token).catch(() => undefined);
      throw notErased(error);
    }
  }

  private receiptItems({ receipt }: PreparedErasure, { idempotencyKey }: WriteOptions): CommitItems {
    const items = new CommitItems(this.layer.crc32c);
    if (idempotencyKey !== undefined) items.addIdempotencyKey(idempotencyKey);
    for (const item of receipt) items.addReceipt(item);
    this.log.reserveFor(items);
    return items;
  }

  private async stageErasure(
    erasure: PreparedErasure,
    items: CommitItems,
    txTimeUs: bigint,
    options: WriteOptions,
  ): Promise<Staged> {
    const { layer, path, core, log } = this;
    try {
      erasure.core.stageErasure(erasure.firstTx, erasure.spentKeys);
      const tx = await erasure.core.seal(txTimeUs);
      let chain = new Uint8Array(0);
      const staged = log.stage({
        tx,
        txTimeUs,
        items,
        settle: () => placeErasedFiles(layer, path, erasure.token),
        publish: () => {
          erasure.core.publish(chain);
          core.adopt(erasure.core);
        },
      });
      chain = new Uint8Array(staged.chain);
      const receipt: EraseReceipt = {
        tx,
        txTime: formatInstant(txTimeUs),
        chain: chainText(chain),
        ...erasure.touched,
      };
      staged.done.catch(() => this.breakHandle()).finally(() => erasure.core.close());
      const outcome = staged.done.then(() => receipt);
      this.remember(options.idempotencyKey, outcome);
      // The next batch is staged in the core that is adopted then.
      await staged.done.catch(() => undefined);
      return { outcome };
    } catch (error) {
      erasure.core.close();
      this.breakHandle();
      throw fromNative(error);
    }
  }

  private async stageInCore(batch: PreparedBatch, options: WriteOptions): Promise<Staged> {
    const items = new CommitItems(this.layer.crc32c);
    if (options.idempotencyKey !== undefined) items.addIdempotencyKey(options.idempotencyKey);
    let rejection: PalimpsestError | undefined;
    let applied = 0;
    try {
      for (const part of batch.parts) {
        await this.apply(part, items);
        applied += 1;
      }
    } catch (error) {
      this.core.abort();
      rejection = fromNative(error, "operation");
      if (rejection.code !== "E_NOT_FOUND") throw rejection;
      rejection = notFound(rejection);
    }
    if (rejection !== undefined) {
      for (const part of batch.parts.slice(applied)) await addTexts(part, items);
      const spentUs = this.takeTime(options, { isCommit: false });
      return this.logRejection(rejection, items, spentUs);
    }
    this.orAbort(() => this.log.reserveFor(items));
    return this.seal(items, options, this.takeTime(options, { isCommit: true }));
  }

  /** Stages one part of a batch and collects what the log will hold of it. */
  private async apply(part: BatchPart, items: CommitItems): Promise<void> {
    if (part.kind === "operations") {
      const staged = this.core.stageOps(part.buffer, part.first);
      if (staged instanceof Promise) await staged;
      return addTexts(part, items);
    }
    const blocks = await this.core.stageEvents(part.header, part.columns);
    await addTexts(part, items);
    const pace = new Pace();
    let from = 0;
    for (const to of blocks.ends) {
      items.addBlock(blocks.bytes.subarray(from, to));
      from = to;
      if (pace.isDue) await pace.rest();
    }
  }

  private takeTime({ txTime }: WriteOptions, { isCommit }: { isCommit: boolean }): bigint {
    return this.orAbort(() => {
      if (txTime === undefined) return isCommit ? this.clock.next() : this.clock.nextOfRejected();
      const us = parseInstant(txTime, "txTime");
      return isCommit ? this.clock.take(us) : this.clock.takeOfRejected(us);
    });
  }

  /** What still can fail once a batch is staged in the core: the batch then leaves it again. */
  private orAbort<T>(step: () => T): T {
    try {
      return step();
    } catch (error) {
      this.core.abort();
      throw error;
    }
  }

  private async seal(items: CommitItems, options: WriteOptions, txTimeUs: bigint): Promise<Staged> {
    // From here on the batch cannot fail but with the whole handle: numbers are given and beliefs are closed.
    try {
      const tx = await this.core.seal(txTimeUs);
      let chain = new Uint8Array(0);
      const staged = this.log.stage({ tx, txTimeUs, items, publish: () => this.core.publish(chain) });
      chain = new Uint8Array(staged.chain);
      const result = { tx, txTime: formatInstant(txTimeUs), chain: chainText(chain) };
      staged.done.catch(() => this.breakHandle());
      const outcome = staged.done.then(() => result);
      this.remember(options.idempotencyKey, outcome);
      return { outcome };
    } catch (error) {
      this.breakHandle();
      throw fromNative(error);
    }
  }

  private logRejection(rejection: PalimpsestError, items: CommitItems, txTimeUs: bigint): Staged {
    const operation = rejection.details.operation as number;
    const staged = this.log.stage({ tx: 0, txTimeUs, outcome: { kind: "not_found", operation }, items });
    staged.done.catch(() => this.breakHandle());
    // Reported once its frame is durable, like a result.
    const outcome = staged.done.then((): CommitHead => {
      throw rejection;
    });
    return { outcome };
  }

  private remember(key: string | undefined, outcome: Promise<CommitHead>): void {
    if (key === undefined) return;
    outcome.catch(() => this.keys.delete(key));
    this.keys.set(key, outcome);
  }

  private breakHandle(): void {
    this.isBroken = true;
    this.core.poison();
  }

  private brokenError(): PalimpsestError {
    return new PalimpsestError("E_IO", "a write failed before: this handle takes no more writes", {
      details: { outcome: "not_applied" },
      hint: "close the store and open it again, which finds out what is on disk",
    });
  }
}

/** What the log holds of a part but the blocks of bulk events, which are there once they are staged. */
async function addTexts(part: BatchPart, items: CommitItems): Promise<void> {
  if (part.kind === "events") {
    items.addOperation(part.text);
    return;
  }
  const pace = new Pace();
  for (const text of part.texts) {
    items.addOperationBytes(text);
    if (pace.isDue) await pace.rest();
  }
}

function notFound(error: PalimpsestError): PalimpsestError {
  const operation = error.details.operation as number;
  return new PalimpsestError("E_NOT_FOUND", `${error.message} (operation ${operation})`, {
    details: { operation },
    hint: "a correction or retraction needs an overlap with what is believed now; look with entity_history",
  });
}
