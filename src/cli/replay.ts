// `palimpsest replay`: the log of a store into a new store, and the digest that an engine makes of it.
// The new store gets the frames as they are; opening it replays them. The reference engine replays them a second time,
// DuckDB into a file of its own.
import { PalimpsestError } from "../contract/errors.js";
import { checkCopyPlace, copyReadLog } from "../log/backup.js";
import { fileLayer, type LogWalk, storeOfLog, walkLog } from "./log-walk.js";
import { note, plural, print } from "./output.js";
import { writeStore } from "./with-store.js";

export interface ReplayFlags {
  readonly engine: "native" | "reference" | "duckdb";
}

function saidReplayed({ commits, rejected }: LogWalk): void {
  note(`replayed ${plural(commits, "commit")} and ${plural(rejected, "rejected batch", "rejected batches")}`);
}

/** Into a file of DuckDB, whose tables are the store. */
async function replayIntoDuck(source: string, file: string): Promise<void> {
  const { DuckReplay } = await import("../duckdb-engine/replay.js");
  const duck = await DuckReplay.create(file);
  let digest: string;
  try {
    saidReplayed(await walkLog(source, (commit) => duck.apply(commit)));
    digest = await duck.digest();
  } catch (error) {
    duck.abandon();
    throw error;
  }
  await duck.finish();
  await print(digest);
}

export async function replay(log: string, store: string, flags: ReplayFlags): Promise<void> {
  const source = storeOfLog(log);
  if (flags.engine === "duckdb") return replayIntoDuck(source, store);
  checkCopyPlace(source, store);
  const reference = flags.engine === "reference" ? new (await import("../reference/index.js")).ReferenceReplay() : null;
  const walk = await walkLog(source, (commit) => reference?.apply(commit));
  const layer = fileLayer();
  // What comes after that position was not whole when it was read.
  await copyReadLog({ layer, store: source, target: layer }, store, { end: walk.position, erasure: walk.erasure });
  await writeStore(store, async (db) => {
    const digest = await db.digest();
    const expected = reference?.store.digest() ?? digest;
    if (expected !== digest) {
      throw new PalimpsestError("E_INTERNAL", `the engines differ: reference ${expected}, native ${digest}`);
    }
    saidReplayed(walk);
    await print(digest);
  });
}
