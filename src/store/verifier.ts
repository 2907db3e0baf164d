// Replays a log into a core of its own and judges every batch again: what `palimpsest verify` does beyond the chain.
// Nothing of it is kept, and no other handle sees it.
import type { LogCommit } from "../log/reader.js";
import { addon } from "../native/addon.js";
import { judgeRejected, replayCommit } from "./replay.js";

export class LogVerifier {
  private readonly core = addon.openCore(null);

  constructor() {
    this.core.acquireWriter();
  }

  /** E_LOG_CORRUPT when an applied batch does not apply, or a rejected one would not be rejected. */
  async apply(commit: LogCommit): Promise<void> {
    if (commit.outcome.kind === "applied") await replayCommit(this.core, commit);
    else await judgeRejected(this.core, commit);
  }

  close(): void {
    this.core.close();
  }
}
