// Replays a log into a core of its own and judges every batch again: what `palimpsest verify` does beyond the chain.
// Nothing of it is kept, and no other handle sees it.
import type { LogCommit } from "../log/reader.js";
import { addon } from "../native/addon.js";
import { judgeRejected, notApplicable, readReceipt, replayCommit } from "./replay.js";

export class LogVerifier {
  private readonly core = addon.openCore(null);
  /** Commits of which an operation finds nothing any more: an erasure to come must have taken it away. */
  private unexplained: LogCommit[] = [];

  constructor() {
    this.core.acquireWriter();
  }

  /** E_LOG_CORRUPT when an applied batch does not apply, or a rejected one would not be rejected. */
  async apply(commit: LogCommit): Promise<void> {
    const missed =
      commit.outcome.kind === "applied"
        ? await replayCommit(this.core, commit)
        : await judgeRejected(this.core, commit);
    if (missed.length > 0) this.unexplained.push(commit);
    for (const item of commit.items) {
      if (item.kind !== "erasure" || item.receipt === "") continue;
      const { firstTx } = readReceipt(item.receipt);
      this.unexplained = this.unexplained.filter(({ tx }) => tx > 0 && tx < firstTx);
    }
  }

  /** E_LOG_CORRUPT when an applied batch would be rejected, and no erasure behind it is the reason. */
  finish(): void {
    const [commit] = this.unexplained;
    if (commit !== undefined) throw notApplicable(commit, "it corrects or retracts what nothing believed");
  }

  close(): void {
    this.core.close();
  }
}
