// Short looks at the published state: each takes a view, reads, and lets it go.
import { formatInstant } from "../contract/instant.js";
import { chainText } from "../log/chain.js";
import type { NativeCommit, NativeCore, NativeView } from "../native/store.js";
import type { CommitHead, StoreHead } from "./types.js";

/** Calls `read` with a view that is released afterwards; null is the newest commit. */
export function withView<T>(core: NativeCore, tx: number | null, read: (view: NativeView) => T): T {
  const view = core.view(tx);
  try {
    return read(view);
  } finally {
    view.release();
  }
}

/** The same for work that takes its time. */
export async function withViewAsync<T>(
  core: NativeCore,
  tx: number | null,
  read: (view: NativeView) => Promise<T>,
): Promise<T> {
  const view = core.view(tx);
  try {
    return await read(view);
  } finally {
    view.release();
  }
}

function headOf(tx: number, commit: NativeCommit): StoreHead {
  const txTime = commit.txTime === null ? null : formatInstant(commit.txTime);
  return { tx, txTime, chain: chainText(commit.chain) };
}

export function readHead(core: NativeCore): StoreHead {
  return withView(core, null, (view) => headOf(view.tx, view.commit(view.tx)));
}

/** The commits in (from, to], oldest first. */
export function readCommits(core: NativeCore, from: number, to: number): CommitHead[] {
  return withView(core, null, (view) => {
    const heads: CommitHead[] = [];
    for (let tx = from + 1; tx <= to; tx += 1) heads.push(headOf(tx, view.commit(tx)) as CommitHead);
    return heads;
  });
}
