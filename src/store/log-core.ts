// A core of its own made of a whole log, and the core of a store exchanged for it: what an erasure asks of those who have
// read the log before it.
import { setTimeout } from "node:timers/promises";
import { pendingErasure } from "../log/erased-files.js";
import type { ReplacedItem } from "../log/erasure-item.js";
import type { FileLayer } from "../log/file-layer.js";
import { probeWriter } from "../log/lock.js";
import { type LogCommit, type LogPosition, LogReader, notVouched } from "../log/reader.js";
import { addon } from "../native/addon.js";
import type { NativeCore } from "../native/store.js";
import { replayCommit } from "./replay.js";
import { Pace } from "./turns.js";

/** Where reading ended, and in which store: what a reader needs to go on there. */
export interface LogEnd {
  readonly from: LogPosition;
  readonly storeId: Uint8Array | undefined;
}

export interface LogCore {
  /** With the right to stage; for the caller to close. */
  readonly core: NativeCore;
  readonly end: LogEnd;
  /** See LogReader. */
  readonly isVouched: boolean;
}

export interface LogCoreOptions {
  readonly frameLimit?: number;
  /** The erasure whose files are read in the place of the old ones, and what its receipt is going to say. */
  readonly erasure?: string | undefined;
  readonly replaced?: readonly ReplacedItem[];
  /** Called before each commit with what the core holds; may refuse to go on. */
  readonly checkMemory?: (heldBytes: number, commit: LogCommit) => void;
}

/** Replays a log from its first commit. */
export async function coreOfLog(layer: FileLayer, store: string, options: LogCoreOptions): Promise<LogCore> {
  const core = addon.openCore(null);
  const reader = new LogReader(layer, store, { erasure: options.erasure });
  try {
    core.acquireWriter();
    const pace = new Pace();
    for (;;) {
      const commit = await reader.next(options.frameLimit);
      if (commit === undefined) break;
      options.checkMemory?.(core.bytes, commit);
      await replayCommit(core, commit);
      if (pace.isDue) await pace.rest();
    }
    // It comes after every receipt that is in the log already.
    reader.expect(options.replaced ?? []);
    return { core, end: { from: reader.position, storeId: reader.storeId }, isVouched: reader.isVouched };
  } catch (error) {
    core.close();
    throw error;
  } finally {
    reader.close();
  }
}

const PLACING_WAIT_MS = 10_000;
const RETRY_MS = 5;

/**
 * Reads the log anew into `core`, which the caller may stage in. While another process is putting the files of an erasure
 * in their places this waits for it: what is shown is the log before the erasure or after it. Gives where reading ended.
 */
export async function rereadLog(layer: FileLayer, store: string, core: NativeCore): Promise<LogEnd> {
  const deadline = performance.now() + PLACING_WAIT_MS;
  for (let attempt = 1; ; attempt += 1) {
    const writer = await probeWriter(layer, store);
    const frameLimit = writer.isAlive ? writer.durableFrame : Number.POSITIVE_INFINITY;
    const erasure = await pendingErasure(layer, store, frameLimit);
    const fresh = await coreOfLog(layer, store, { frameLimit, erasure });
    try {
      if (fresh.isVouched && fresh.core.stagedTx >= core.stagedTx) {
        core.adopt(fresh.core);
        return fresh.end;
      }
    } finally {
      fresh.core.close();
    }
    const mayEnd = writer.isAlive ? performance.now() <= deadline : attempt < 3;
    if (!mayEnd) throw notVouched(store);
    await setTimeout(RETRY_MS);
  }
}
