// A handle that only reads: it follows the writer. Beside a writer of the same process it sees each commit as it is
// published; otherwise it applies what the log has gained, one follower of a process at a time.
import { PalimpsestError } from "../contract/errors.js";
import { FileError, type FileLayer, ioError } from "../log/file-layer.js";
import { LogFollower } from "../log/follower.js";
import { lockPath } from "../log/layout.js";
import { addon } from "../native/addon.js";
import type { NativeCore } from "../native/store.js";
import { acquireApplying } from "./open-writer.js";
import { replayCommit } from "./replay.js";
import { Pace, TaskQueue } from "./turns.js";

const POLL_MS = 25;

/** The key under which a process shares the core of a store: device and inode of its LOCK. */
function storeIdentity(layer: FileLayer, path: string): string {
  try {
    const file = layer.open(lockPath(path), "read");
    try {
      return file.identity();
    } finally {
      file.close();
    }
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
  private readonly log: LogFollower;
  private timer: NodeJS.Timeout | undefined;
  private isClosed = false;

  private constructor(
    layer: FileLayer,
    path: string,
    readonly core: NativeCore,
  ) {
    this.log = new LogFollower(layer, path);
  }

  static async open(layer: FileLayer, path: string): Promise<Follower> {
    const core = addon.openCore(storeIdentity(layer, path));
    const follower = new Follower(layer, path, core);
    try {
      await follower.refresh();
      return follower;
    } catch (error) {
      await follower.close();
      throw error;
    }
  }

  /** True while a writer handle of this process feeds the core. */
  get hasWriterHere(): boolean {
    return this.core.hasWriterHandle;
  }

  /** Takes in what the log has gained. */
  refresh(): Promise<void> {
    return this.queue.run(async () => {
      if (this.isClosed || this.hasWriterHere) return;
      await acquireApplying(this.core);
      try {
        const pace = new Pace();
        for await (const commit of this.log.poll()) {
          // Another follower of this process may have applied it.
          if (commit.tx > this.core.stagedTx) await replayCommit(this.core, commit);
          if (pace.isDue) await pace.rest();
        }
      } finally {
        this.core.releaseWriter();
      }
    });
  }

  /** Refreshes by itself until stopped; a log that cannot be read is looked at again. */
  follow(): void {
    if (this.timer !== undefined) return;
    this.timer = setInterval(() => {
      this.refresh().catch(() => undefined);
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
  }
}
