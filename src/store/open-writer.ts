// Opening a store for writing: the lock, the core of this process, what the log holds beyond it, then the writer.
import { PalimpsestError } from "../contract/errors.js";
import type { FileLayer } from "../log/file-layer.js";
import { WriterLock } from "../log/lock.js";
import { openLogWriter } from "../log/open-log.js";
import { LogReader } from "../log/reader.js";
import { addon } from "../native/addon.js";
import type { NativeCore } from "../native/store.js";
import { CommitClock } from "./commit-clock.js";
import { defaultMemoryLimitBytes } from "./memory-limit.js";
import { headOfCommit, keyOf, replayCommit } from "./replay.js";
import { StoreWriter } from "./store-writer.js";
import { nextTurn, Pace } from "./turns.js";
import type { CommitHead, OpenReport, StoreOptions } from "./types.js";

const TOKEN_WAIT_MS = 10_000;

/** Waits until no follower of this process is applying commits. */
export async function acquireApplying(core: NativeCore): Promise<void> {
  const deadline = performance.now() + TOKEN_WAIT_MS;
  while (!core.acquireWriter()) {
    if (performance.now() > deadline) {
      throw new PalimpsestError("E_LOCKED", "another handle of this process is reading the log", {
        hint: "try again when it has finished",
      });
    }
    await nextTurn();
  }
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
  options: StoreOptions,
  isShared: boolean,
): Promise<OpenedStore> {
  const lock = await WriterLock.acquire(layer, path);
  let core: NativeCore | undefined;
  try {
    core = addon.openCore(isShared ? lock.identity() : null);
    await acquireApplying(core);
    const reader = new LogReader(layer, path, { knownDurable: (storeId) => lock.knownDurable(storeId) });
    const keys = new Map<string, Promise<CommitHead>>();
    const pace = new Pace();
    for (let commit = await reader.next(); commit !== undefined; commit = await reader.next()) {
      const key = keyOf(commit);
      if (key !== undefined && commit.tx > 0) keys.set(key, Promise.resolve(headOfCommit(commit)));
      // A core that readers kept alive has the commits already.
      if (commit.tx > core.stagedTx) await replayCommit(core, commit);
      if (pace.isDue) await pace.rest();
    }
    const lastUs = reader.position.txTimeUs;
    const isMemory = !isShared;
    const { writer: log, cut } = await openLogWriter(layer, path, lock, reader, {
      durability: options.durability ?? "full",
      ...(isMemory ? { reserveStepBytes: 4096 } : {}),
    });
    core.announceWriter();
    const held = core;
    const clock = new CommitClock(lastUs, () => held.clockFloor);
    const limit = options.memoryLimitBytes ?? defaultMemoryLimitBytes();
    const writer = new StoreWriter(layer, core, log, clock, keys, limit);
    return { core, writer, clock, report: { cut: cut ?? null } };
  } catch (error) {
    core?.close();
    lock.release();
    throw error;
  }
}
