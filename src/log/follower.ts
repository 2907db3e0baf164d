// Follows the log of a writer in another process: whole commits up to its durable frame, or to the end when none lives.
// Never writes, repairs or cuts.
import type { FileLayer } from "./file-layer.js";
import { probeWriter } from "./lock.js";
import { type LogCommit, type LogPosition, LogReader, type LogTail } from "./reader.js";

export class LogFollower {
  private readonly reader: LogReader;

  constructor(
    private readonly layer: FileLayer,
    private readonly store: string,
    options: { from?: LogPosition; storeId?: Uint8Array | undefined; erasure?: string | undefined } = {},
  ) {
    this.reader = new LogReader(layer, store, options);
  }

  get position(): LogPosition {
    return this.reader.position;
  }
  /** Why the last poll gave no more. A torn tail may be a write that is under way: the next poll looks again. */
  get tail(): LogTail {
    return this.reader.tail;
  }

  /** See LogReader. */
  get isVouched(): boolean {
    return this.reader.isVouched;
  }

  /** See LogReader. */
  isCurrent(): boolean {
    return this.reader.isCurrent();
  }

  /** New whole commits since the last poll. E_LOG_CORRUPT for damage; the commits before it have been given. */
  async *poll(): AsyncGenerator<LogCommit, void, undefined> {
    const writer = await probeWriter(this.layer, this.store);
    const frameLimit = writer.isAlive ? writer.durableFrame : Number.POSITIVE_INFINITY;
    this.reader.refresh();
    for (;;) {
      const commit = await this.reader.next(frameLimit);
      if (commit === undefined) return;
      yield commit;
    }
  }

  close(): void {
    this.reader.close();
  }
}
