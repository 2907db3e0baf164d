// A handle that only reads: it follows the writer. Beside a writer of the same process it sees each commit as it is
// published; otherwise it applies what the log has gained, one follower of a process at a time.
import { PalimpsestError } from "../contract/errors.js";
import { pendingErasure } from "../log/erased-files.js";
import { FileError, type FileLayer, ioError, type OpenFile } from "../log/file-layer.js";
import { LogFollower } from "../log/follower.js";
import { lockPath } from "../log/layout.js";
import { checkFinished } from "../log/lock.js";
import { addon } from "../native/addon.js";
import type { NativeCore } from "../native/store.js";
import { rereadLog } from "./log-core.js";
import { acquireApplying } from "./open-writer.js";
import { isErasure, replayCommit } from "./replay.js";
import { Pace, TaskQueue } from "./turns.js";
import type { OpenReport } from "./types.js";

const POLL_MS = 25;
const RETRIED: ReadonlySet<string> = new Set(["E_IO", "E_LOCKED"]);

function openLock(layer: FileLayer, path: string): OpenFile {
  try {
    checkFinished(layer, path);
    return layer.open(lockPath(path), "read");
  } catch (error) {
    if (!(error instanceof FileError) || error.osCode !== "ENOENT") throw ioError(error);
    throw new PalimpsestError("E_IO", `there is no store at ${path}`, {
      details: { file: lockPath(path), os_code: error.osCode },
      hint: "check the path; opening for writing makes a store",
      cause: error,
    });
  }
}

export class Follower {
  private readonly queue = new TaskQueue();
  private log: LogFollower;
  private timer: NodeJS.Timeout | undefined;
  private isClosed = false;
  /** Called when the handle goes on with another core, before the old one is let go. */
  onMove: ((core: NativeCore) => void) | undefined;

  private constructor(
    private readonly layer: FileLayer,
    private readonly path: string,
    /** Held open: device and inode are the key of the core, and must not become another store's meanwhile. */
    private readonly lock: OpenFile,
    private currentCore: NativeCore,
    log: LogFollower,
  ) {
    this.log = log;
  }

  static async open(layer: FileLayer, path: string): Promise<Follower> {
    const lock = openLock(layer, path);
    let follower: Follower | undefined;
    try {
      const log = await followLog(layer, path);
      follower = new Follower(layer, path, lock, addon.openCore(lock.identity()), log);
      await follower.refresh();
      return follower;
    } catch (error) {
      await follower?.close();
      follower?.core.close();
      lock.close();
      throw error;
    }
  }

  get core(): NativeCore {
    return this.currentCore;
  }

  /** Where the last reading of the log stopped before its end; null where it read everything. */
  get unread(): OpenReport["unread"] {
    const { tail } = this.log;
    return tail.kind === "torn" ? { frameNo: tail.frameNo, fileNo: tail.fileNo, offset: tail.offset } : null;
  }

  /** True while a writer handle of this process feeds the core. */
  get hasWriterHere(): boolean {
    return this.core.hasWriterHandle;
  }

  /** True when the core is poisoned and its writer has gone: nothing comes to it any more. */
  get isLeftBehind(): boolean {
    return this.core.isPoisoned && !this.hasWriterHere;
  }

  /** Takes in what the log has gained. */
  refresh(): Promise<void> {
    return this.queue.run(async () => {
      if (this.isClosed) return;
      if (!this.isLeftBehind) this.log = await this.apply(this.core, this.log);
      while (this.isLeftBehind) await this.move();
    });
  }

  /**
   * Refreshes by itself until stopped. What the operating system refuses is tried again; any other error would come again
   * for ever: `onError` is told, and following ends.
   */
  follow(onError: (error: unknown) => void): void {
    if (this.timer !== undefined) return;
    let isReading = false;
    this.timer = setInterval(() => {
      // A reading that takes long must not gather others behind it.
      if (isReading) return;
      isReading = true;
      this.refresh()
        .catch((error: unknown) => {
          if (this.timer === undefined || (error instanceof PalimpsestError && RETRIED.has(error.code))) return;
          this.unfollow();
          onError(error);
        })
        .finally(() => {
          isReading = false;
        });
    }, POLL_MS);
    this.timer.unref();
  }

  unfollow(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.unfollow();
    await this.queue.drain();
    this.log.close();
    this.lock.close();
  }

  /** Gives the reader to go on with: that of a log which was read anew, where an erasure has rewritten it. */
  private async apply(core: NativeCore, log: LogFollower): Promise<LogFollower> {
    if (!(await acquireApplying(core, { unlessWriter: true }))) return log;
    try {
      if (core.isPoisoned || (await this.takeIn(core, log))) return log;
      const end = await rereadLog(this.layer, this.path, core);
      log.close();
      return new LogFollower(this.layer, this.path, end);
    } finally {
      core.releaseWriter();
    }
  }

  /** Applies what is new in the log. False when what the core holds of it is not what the log has now. */
  private async takeIn(core: NativeCore, log: LogFollower): Promise<boolean> {
    const isFirst = log.position.frameNo === 1;
    const isAlone = isFirst && core.stagedTx === 0;
    const knownTx = core.stagedTx;
    const pace = new Pace();
    try {
      if (!log.isCurrent()) return false;
      for await (const commit of log.poll()) {
        // Another follower of this process may have applied it.
        if (commit.tx > core.stagedTx) {
          if (knownTx > 0 && isErasure(commit)) return false;
          await replayCommit(core, commit);
        }
        if (pace.isDue) await pace.rest();
      }
    } catch (error) {
      // Places in a file that was rewritten mean nothing.
      if (isFirst || !(error instanceof PalimpsestError) || error.code !== "E_LOG_CORRUPT") throw error;
      return false;
    }
    return !isAlone || log.isVouched;
  }

  /** Goes on with the core that the store has now. It is as far as the old one: what that published is in the log. */
  private async move(): Promise<void> {
    const core = addon.openCore(this.lock.identity());
    let log: LogFollower | undefined;
    try {
      log = await followLog(this.layer, this.path);
      log = await this.apply(core, log);
    } catch (error) {
      log?.close();
      core.close();
      throw error;
    }
    const old = { core: this.core, log: this.log };
    this.currentCore = core;
    this.log = log;
    this.onMove?.(core);
    old.log.close();
    old.core.close();
  }
}

/** A reader of the log from its beginning; an erasure that was cut short behind its receipt counts. */
async function followLog(layer: FileLayer, path: string): Promise<LogFollower> {
  return new LogFollower(layer, path, { erasure: await pendingErasure(layer, path) });
}
