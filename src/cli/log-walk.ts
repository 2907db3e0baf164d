// Goes over a store's log from its first frame, checking every byte, and says what it found.
// Shared by verify and replay; changes nothing.
import { existsSync } from "node:fs";
import { basename, dirname } from "node:path";
import { PalimpsestError } from "../contract/errors.js";
import { chainText } from "../log/chain.js";
import { pendingErasure } from "../log/erased-files.js";
import type { FileLayer } from "../log/file-layer.js";
import { probeWriter } from "../log/lock.js";
import { nativeFileLayer } from "../log/native-file-layer.js";
import { type LogCommit, type LogPosition, LogReader, type LogTail, notVouched } from "../log/reader.js";
import { addon } from "../native/addon.js";

export interface LogWalk {
  readonly frames: number;
  readonly commits: number;
  readonly rejected: number;
  readonly position: LogPosition;
  readonly tail: LogTail;
  /** The erasure whose rewritten files wait for their names: they were read in the place of the old ones. */
  readonly erasure: string | undefined;
}

export const fileLayer = (): FileLayer => nativeFileLayer(addon.files);

/** The store's folder of what was named as a log: the store itself or its folder `log`. */
export function storeOfLog(path: string): string {
  const isLogFolder = basename(path) === "log" && !existsSync(`${path}/log`);
  const store = isLogFolder ? dirname(path) : path;
  if (existsSync(`${store}/log`)) return store;
  throw new PalimpsestError("E_NOT_FOUND", `there is no log at ${path}`, {
    details: { path },
    hint: "name a store, or its folder log",
  });
}

function erasing(store: string): PalimpsestError {
  return new PalimpsestError("E_STATE", `an identity is being erased from ${store}`, {
    details: { path: store },
    hint: "try again when the erasure has ended",
  });
}

/** Reads to the end, or to the durable frame while a writer lives. `visit` sees each commit in order. */
export async function walkLog(store: string, visit: (commit: LogCommit) => void | Promise<void>): Promise<LogWalk> {
  const layer = fileLayer();
  const writer = await probeWriter(layer, store);
  const limit = writer.isAlive ? writer.durableFrame : Number.POSITIVE_INFINITY;
  const erasure = await pendingErasure(layer, store, limit);
  const reader = new LogReader(layer, store, { erasure });
  let commits = 0;
  let rejected = 0;
  try {
    for (;;) {
      const commit = await reader.next(limit);
      if (commit === undefined) break;
      if (commit.tx === 0) rejected += 1;
      else commits += 1;
      await visit(commit);
    }
    if (!reader.isVouched && writer.isAlive) throw erasing(store);
    if (!reader.isVouched) throw notVouched(store);
    const { position, tail } = reader;
    return { frames: position.frameNo - 1, commits, rejected, position, tail, erasure };
  } finally {
    reader.close();
  }
}

/** Remembers which chains of whole commits a log has. */
export class ChainSearch {
  private foundTx: number | null = null;

  constructor(private readonly wanted: string | null) {
    if (wanted === null || /^[0-9a-f]{64}$/.test(wanted)) return;
    throw new PalimpsestError("E_INVALID_ARG", `${JSON.stringify(wanted)} is no chain`, {
      hint: "give the 64 hex digits that head() and info show",
    });
  }

  look(commit: LogCommit): void {
    if (this.wanted !== null && chainText(commit.chain) === this.wanted) this.foundTx = commit.tx;
  }

  /** The commit that has the wanted chain; E_LOG_CORRUPT when none has. */
  result(store: string, walk: LogWalk): number | null {
    if (this.wanted === null || this.foundTx !== null) return this.foundTx;
    throw new PalimpsestError(
      "E_LOG_CORRUPT",
      `${store}: no commit of the log has the chain ${this.wanted}; the log ends at commit ${walk.position.tx}`,
      {
        details: { file: store, chain: this.wanted, tx: walk.position.tx },
        hint: "the log was cut or replaced after that head was taken: restore it from a copy",
      },
    );
  }
}
