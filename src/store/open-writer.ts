// Opening a store for writing: the lock, the core of this process, what the log holds beyond it, then the writer.
import { setTimeout } from "node:timers/promises";
import { PalimpsestError } from "../contract/errors.js";
import { forgetErased } from "../derived/forget.js";
import { recoverErasure } from "../log/erased-files.js";
import { type FileLayer, ioError } from "../log/file-layer.js";
import { logFilePath } from "../log/layout.js";
import { WriterLock } from "../log/lock.js";
import { openLogWriter } from "../log/open-log.js";
import { LogReader, notVouched } from "../log/reader.js";
import { addon } from "../native/addon.js";
import type { NativeCore } from "../native/store.js";
import { CommitClock } from "./commit-clock.js";
import { derivedFacts } from "./derived-facts.js";
import { rereadLog } from "./log-core.js";
import { defaultMemoryLimitBytes } from "./memory-limit.js";
import { headOfCommit, isErasure, keyOf, replayCommit } from "./replay.js";
import { StoreWriter } from "./store-writer.js";
import { Pace } from "./turns.js";
import type { CommitHead, OpenReport, StoreOptions } from "./types.js";

const TOKEN_WAIT_MS = 60_000;

/**
 * Waits until no other handle of this process is applying commits, and then is the one that may. False when a writer
 * has come meanwhile and `unlessWriter` is set: it feeds the core from then on.
 */
export async function acquireApplying(core: NativeCore, options: { unlessWriter: boolean }): Promise<boolean> {
  let seenTx = core.stagedTx;
  let deadline = performance.now() + TOKEN_WAIT_MS;
  for (;;) {
    if (options.unlessWriter && core.hasWriterHandle) return false;
    if (core.acquireWriter()) return true;
    if (core.stagedTx > seenTx) {
      seenTx = core.stagedTx;
      deadline = performance.now() + TOKEN_WAIT_MS;
    }
    if (performance.now() > deadline) {
      throw new PalimpsestError("E_LOCKED", "another handle of this process has been reading the log for long", {
        hint: "try again when it has finished",
      });
    }
    await setTimeout(1);
  }
}

/** The core of the store, with the right to write it. */
async function acquireCore(key: string | null): Promise<NativeCore> {
  for (;;) {
    const core = addon.openCore(key);
    try {
      await acquireApplying(core, { unlessWriter: false });
    } catch (error) {
      core.close();
      throw error;
    }
    // Whoever had that right may have ended in the middle of its work while this waited.
    if (!core.isPoisoned) return core;
    core.close();
  }
}

/** The log must hold everything that handles of this process have seen of the store. */
function checkLogIsWhole(core: NativeCore, reader: LogReader, path: string): void {
  if (core.stagedTx === reader.position.tx) return;
  throw new PalimpsestError(
    "E_LOG_CORRUPT",
    `the log of ${path} ends at tx:${reader.position.tx}, and a handle of this process has read up to tx:${core.stagedTx}`,
    {
      details: { file: logFilePath(path, reader.position.fileNo), offset: reader.position.offset },
      hint: "the log was cut; close the handles that read it to open what is left",
    },
  );
}

export interface WriterOptions extends StoreOptions {
  /** A log file that has passed this is followed by a new one; tests want small ones. */
  readonly rotateBytes?: number;
}

export interface OpenedStore {
  readonly core: NativeCore;
  readonly writer: StoreWriter;
  readonly clock: CommitClock;
  readonly report: OpenReport;
}

/** `path` is a folder of the layer; `isShared` when other handles of this process may attach to the same core. */
export async function openForWriting(
  layer: FileLayer,
  path: string,
  options: WriterOptions,
  isShared: boolean,
): Promise<OpenedStore> {
  const lock = await WriterLock.acquire(layer, path);
  const reader = new LogReader(layer, path, { knownDurable: (storeId) => lock.knownDurable(storeId) });
  let core: NativeCore | undefined;
  try {
    await recoverErasure(layer, path).catch((error: unknown) => {
      throw ioError(error);
    });
    core = await acquireCore(isShared ? lock.identity() : null);
    let isStale = false;
    const knownTx = core.stagedTx;
    const keys = new Map<string, Promise<CommitHead>>();
    const pace = new Pace();
    for (let commit = await reader.next(); commit !== undefined; commit = await reader.next()) {
      const key = keyOf(commit);
      if (key !== undefined && commit.tx > 0) keys.set(key, Promise.resolve(headOfCommit(commit)));
      // A core that readers kept alive has the commits already.
      if (commit.tx > core.stagedTx && !isStale) {
        // What it has of the commits before an erasure is what that took away.
        if (knownTx > 0 && isErasure(commit)) isStale = true;
        else await replayCommit(core, commit);
      }
      if (pace.isDue) await pace.rest();
    }
    if (!reader.isVouched) throw notVouched(path);
    if (isStale) await rereadLog(layer, path, core);
    checkLogIsWhole(core, reader, path);
    await forgetErased(layer, path, derivedFacts(core));
    const lastUs = reader.position.txTimeUs;
    const isMemory = !isShared;
    const { writer: log, cut } = await openLogWriter(layer, path, lock, reader, {
      durability: options.durability ?? "full",
      ...(isMemory ? { reserveStepBytes: 4096 } : {}),
      ...(options.rotateBytes === undefined ? {} : { rotateBytes: options.rotateBytes }),
    });
    core.announceWriter();
    const clock = new CommitClock(lastUs, core);
    const limit = options.memoryLimitBytes ?? defaultMemoryLimitBytes();
    const writer = new StoreWriter(layer, path, core, log, clock, keys, limit);
    return { core, writer, clock, report: { cut: cut ?? null, unread: null } };
  } catch (error) {
    reader.close();
    core?.close();
    lock.release();
    throw error;
  }
}
