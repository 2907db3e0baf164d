// A log, already read and checked, into a reference store: time and outcome are the log's, nothing is judged again.

import { PalimpsestError } from "../contract/errors.js";
import { LogOperations, type ReplayCommit } from "./log-operations.js";
import { ReferenceStore } from "./store.js";

export class ReferenceReplay {
  readonly store = new ReferenceStore();
  private readonly log = new LogOperations();

  /** Rejected batches gave their numbers back and changed nothing. */
  apply(commit: ReplayCommit): void {
    if (commit.tx === 0) return;
    const { operations, erasure } = this.log.batchOf(commit);
    const written =
      erasure === undefined
        ? this.store.replay(operations, commit.txTimeUs)
        : this.store.noteErasure(erasure, commit.txTimeUs);
    if (written.tx !== commit.tx)
      throw new PalimpsestError("E_LOG_CORRUPT", `commit ${commit.tx} stands in the place of ${written.tx}`);
  }
}

/** The store that a whole log makes. */
export function replayCommits(commits: Iterable<ReplayCommit>): ReferenceStore {
  const replay = new ReferenceReplay();
  for (const commit of commits) replay.apply(commit);
  return replay.store;
}
