// `palimpsest replay`: the log of a store into a new store, and the digest that an engine makes of it.
// The new store gets the frames as they are; opening it replays them. The reference engine replays them a second time,
// DuckDB into a file of its own.
import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import { PalimpsestError } from "../contract/errors.js";
import { pendingPath } from "../log/erased-files.js";
import { ioError } from "../log/file-layer.js";
import { logFilePath, logFolder } from "../log/layout.js";
import { makeFolder } from "../log/make-folder.js";
import { fileError } from "../log/native-file-layer.js";
import type { LogPosition } from "../log/reader.js";
import { type LogWalk, storeOfLog, walkLog } from "./log-walk.js";
import { note, plural, print } from "./output.js";
import { writeStore } from "./with-store.js";

export interface ReplayFlags {
  readonly engine: "native" | "reference" | "duckdb";
}

/** Copies the log up to a position: what comes after it was not whole when it was read. */
async function copyLog(from: string, to: string, end: LogPosition, erasure: string | undefined): Promise<void> {
  makeFolder(logFolder(to));
  for (let fileNo = 1; fileNo <= end.fileNo; fileNo += 1) {
    const rewritten = erasure === undefined ? "" : pendingPath(from, fileNo, erasure);
    const source = existsSync(rewritten) ? rewritten : logFilePath(from, fileNo);
    if (!existsSync(source)) return;
    const range = fileNo === end.fileNo ? { end: end.offset - 1 } : {};
    if (range.end !== undefined && range.end < 0) return;
    await pipeline(createReadStream(source, range), createWriteStream(logFilePath(to, fileNo), { mode: 0o600 }));
  }
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
  if (existsSync(store)) {
    throw new PalimpsestError("E_STATE", `${store} is there already`, {
      details: { path: store },
      hint: "replay makes a new store: name a folder that is not there",
    });
  }
  const reference = flags.engine === "reference" ? new (await import("../reference/index.js")).ReferenceReplay() : null;
  const walk = await walkLog(source, (commit) => reference?.apply(commit));
  try {
    await copyLog(source, store, walk.position, walk.erasure);
  } catch (error) {
    throw ioError(fileError(error, store));
  }
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
