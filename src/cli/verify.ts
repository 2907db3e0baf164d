// `palimpsest verify` and `palimpsest repair`.
// Verifying reads everything and changes nothing; repairing opens for writing, which moves a torn tail aside.
import { formatInstant } from "../contract/instant.js";
import { chainText } from "../log/chain.js";
import { hasErasedFiles } from "../log/erased-files.js";
import type { LogCommit } from "../log/reader.js";
import { LogVerifier } from "../store/verifier.js";
import { ChainSearch, fileLayer, storeOfLog, walkLog } from "./log-walk.js";
import { note, printJson } from "./output.js";
import { readStore, writeStore } from "./with-store.js";

export interface VerifyFlags {
  readonly head?: string;
}

export async function verify(path: string, flags: VerifyFlags): Promise<void> {
  const store = storeOfLog(path);
  const search = new ChainSearch(flags.head ?? null);
  let txTime: string | null = null;
  const verifier = new LogVerifier();
  const look = async (commit: LogCommit): Promise<void> => {
    search.look(commit);
    if (commit.tx > 0) txTime = formatInstant(commit.txTimeUs);
    await verifier.apply(commit);
  };
  const walk = await walkLog(store, look)
    .then((walked) => {
      verifier.finish();
      return walked;
    })
    .finally(() => verifier.close());
  const headTx = search.result(store, walk);
  const { position, tail } = walk;
  if (tail.kind === "torn") {
    note(`a torn tail begins at frame ${tail.frameNo}: nothing in it was promised; the next writer moves it aside`);
  }
  if (walk.erasure !== undefined) {
    note("an erasure was cut short behind its receipt: it counts, and the next writer takes the old files away");
  }
  // Opening replays the whole log, so the digest is that of the replay.
  await readStore(store, async (db) => {
    await printJson({
      path,
      frames: walk.frames,
      commits: walk.commits,
      rejected: walk.rejected,
      tx: position.tx,
      tx_time: txTime,
      chain: chainText(position.chain),
      head_tx: headTx,
      torn_tail: tail.kind === "torn" ? { file: tail.fileNo, offset: tail.offset, frame: tail.frameNo } : null,
      digest: await db.digest(),
    });
  });
}

export async function repair(path: string): Promise<void> {
  const store = storeOfLog(path);
  const before = await walkLog(store, () => {});
  const hadErasedFiles = hasErasedFiles(fileLayer(), store);
  await writeStore(store, async (db) => {
    const { tail, erasure } = before;
    if (tail.kind === "torn") note(`moved the torn tail that began at frame ${tail.frameNo} aside`);
    if (erasure !== undefined) note("ended an erasure that was cut short behind its receipt");
    else if (hadErasedFiles) note("took back an erasure that was cut short before its receipt");
    if (tail.kind !== "torn" && !hadErasedFiles)
      note("there was nothing to rebuild: all that a store of this version has on disk is its log, and it is whole");
    const { tx, chain } = await db.head();
    await printJson({ path, tx, chain, digest: await db.digest() });
  });
}
