// A copy of a log at a commit, taken while its writer goes on: read and checked, copied up to there, and read again.
// The copy gets its name when it is whole and on disk; before that it is a folder beside it that is no store.
import { existsSync, lstatSync, realpathSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";
import { setTimeout } from "node:timers/promises";
import { PalimpsestError } from "../contract/errors.js";
import { CHAIN_START, chainText } from "./chain.js";
import { pendingErasure, pendingPath } from "./erased-files.js";
import { type FileLayer, ioError, type OpenFile, openIfThere } from "./file-layer.js";
import { lockPath, logFileName, logFilePath, logFolder, partialFolder, sameBytes, unfinishedFolder } from "./layout.js";
import { probeWriter } from "./lock.js";
import { fileError } from "./native-file-layer.js";
import { type LogPosition, LogReader, notVouched } from "./reader.js";

const COPY_BYTES = 1 << 20;
const ERASING_WAIT_MS = 10_000;
const RETRY_MS = 20;

/** The commit that a copy ends with: of an empty store tx 0, without a time. */
export interface CopiedHead {
  readonly tx: number;
  readonly txTimeUs: bigint | null;
  readonly chain: string;
}

interface ReadTo {
  readonly position: LogPosition;
  readonly head: CopiedHead;
  readonly isVouched: boolean;
}

/** Reads and checks a log from its first frame. */
async function readTo(layer: FileLayer, store: string, frameLimit: number, erasure?: string): Promise<ReadTo> {
  const reader = new LogReader(layer, store, { erasure });
  let head: CopiedHead = { tx: 0, txTimeUs: null, chain: chainText(CHAIN_START) };
  try {
    for (;;) {
      const commit = await reader.next(frameLimit);
      if (commit === undefined) break;
      const { tx, txTimeUs } = commit;
      if (tx > 0) head = { tx, txTimeUs, chain: chainText(commit.chain) };
    }
    return { position: reader.position, head, isVouched: reader.isVouched };
  } finally {
    reader.close();
  }
}

async function copyFile(from: OpenFile, to: OpenFile, byteCount: number): Promise<void> {
  for (let at = 0; at < byteCount; at += COPY_BYTES) {
    const bytes = new Uint8Array(Math.min(COPY_BYTES, byteCount - at));
    const got = await from.read(bytes, at);
    await to.write([bytes.subarray(0, got)], at, { sync: false });
  }
  await to.sync();
}

export interface BackupPlaces {
  readonly layer: FileLayer;
  readonly store: string;
  /** Where the copy goes: the real file system but in tests. */
  readonly target: FileLayer;
}

/** Copies the log's files up to a position, and gives the folder that holds them the name of a log once all is there. */
async function copyLog(places: BackupPlaces, folder: string, end: LogPosition, erasure?: string): Promise<void> {
  const { layer, store, target } = places;
  const unfinished = unfinishedFolder(folder);
  target.makeFolder(unfinished);
  // Where nothing of the last file was read, nothing of it belongs to the copy.
  const lastFile = end.offset === 0 ? end.fileNo - 1 : end.fileNo;
  for (let fileNo = 1; fileNo <= lastFile; fileNo += 1) {
    const rewritten = erasure === undefined ? undefined : openIfThere(layer, pendingPath(store, fileNo, erasure));
    const from = rewritten ?? openIfThere(layer, logFilePath(store, fileNo));
    // Renamed meanwhile: what the copy lacks is found when it is read.
    if (from === undefined) break;
    try {
      const to = target.open(`${unfinished}/${logFileName(fileNo)}`, "create");
      try {
        await copyFile(from, to, fileNo === end.fileNo ? end.offset : from.length());
      } finally {
        to.close();
      }
    } finally {
      from.close();
    }
  }
  await target.syncFolder(unfinished);
  // Readers look for LOCK; the next writer fills it. Last before the log gets its name: without one it would be an empty store.
  target.open(lockPath(folder), "create").close();
  target.rename(unfinished, logFolder(folder));
  await target.syncFolder(folder);
}

/** Whether the copy is what was read; it is not when an erasure has put files in the place of others meanwhile. */
async function isSame(target: FileLayer, folder: string, end: LogPosition): Promise<boolean> {
  try {
    const { position, isVouched } = await readTo(target, folder, Number.POSITIVE_INFINITY);
    return position.frameNo === end.frameNo && sameBytes(position.chain, end.chain) && isVouched;
  } catch (error) {
    if (error instanceof PalimpsestError && error.code === "E_LOG_CORRUPT") return false;
    throw error;
  }
}

/** One try: the head that was copied into `folder`, or undefined when an erasure came between reading and copying. */
async function tryCopy(places: BackupPlaces, folder: string): Promise<CopiedHead | undefined> {
  const { layer, store, target } = places;
  const writer = await probeWriter(layer, store);
  const frameLimit = writer.isAlive ? writer.durableFrame : Number.POSITIVE_INFINITY;
  const erasure = await pendingErasure(layer, store, frameLimit);
  const { position, head, isVouched } = await readTo(layer, store, frameLimit, erasure);
  if (!isVouched && !writer.isAlive) throw notVouched(store);
  if (!isVouched) return undefined;
  await copyLog(places, folder, position, erasure);
  return (await isSame(target, folder, position)) ? head : undefined;
}

/** Whether something has this name, a link that leads nowhere among them. */
function isTaken(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    throw ioError(fileError(error, path));
  }
}

/** The path without links on its way, also where its end is not there yet. */
function withoutLinks(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path === dirname(path) ? path : join(withoutLinks(dirname(path)), basename(path));
  }
}

/** E_STATE when something has the name of the copy, E_INVALID_ARG when it would lie in what is copied. */
export function checkCopyPlace(store: string, given: string): void {
  const dest = resolve(given);
  const place = join(withoutLinks(dirname(dest)), basename(dest));
  if (place.startsWith(`${withoutLinks(resolve(store))}${sep}`)) {
    throw new PalimpsestError("E_INVALID_ARG", `${dest} lies inside the store`, {
      details: { path: dest },
      hint: "a copy inside what it copies is lost with it: name a folder elsewhere",
    });
  }
  if (!isTaken(dest)) return;
  throw new PalimpsestError("E_STATE", `${dest} is there already`, {
    details: { path: dest },
    hint: "a copy is a new store: name a folder that is not there",
  });
}

/** Takes away what is not to be a store: first its log loses that name, so that nobody ever meets a part of it. */
function takeBack(folder: string): void {
  try {
    if (existsSync(logFolder(folder))) renameSync(logFolder(folder), unfinishedFolder(folder));
  } catch {
    // It goes all the same: only a kill in the next moments could leave a part of it.
  }
  rmSync(folder, { recursive: true, force: true });
}

/**
 * Has a copy made in a folder beside `dest`, which gets that name when `make` says that all is there. Else, and after an
 * error, nothing is left: E_IO for what a file refuses.
 */
async function placed<T>(
  { store, target }: BackupPlaces,
  dest: string,
  make: (folder: string) => Promise<T | undefined>,
): Promise<T | undefined> {
  const folder = partialFolder(dest);
  try {
    const made = await make(folder);
    if (made === undefined) return undefined;
    checkCopyPlace(store, dest);
    target.rename(folder, dest);
    await target.syncFolder(dirname(dest));
    return made;
  } catch (error) {
    throw ioError(error);
  } finally {
    takeBack(folder);
  }
}

/**
 * Copies the log of a store, up to its newest durable commit, into a new store at `dest`. Reads and checks all of it
 * twice. E_STATE when `dest` is there; E_IO, and nothing at `dest`, when the copy cannot be written.
 */
export async function backUpLog(places: BackupPlaces, given: string): Promise<CopiedHead> {
  const dest = resolve(given);
  checkCopyPlace(places.store, dest);
  const deadline = performance.now() + ERASING_WAIT_MS;
  for (;;) {
    const head = await placed(places, dest, (folder) => tryCopy(places, folder));
    if (head !== undefined) return head;
    if (performance.now() > deadline) throw erasing(places.store);
    await setTimeout(RETRY_MS);
  }
}

/**
 * The same for a log that was read up to `end` by now, with the files of an `erasure` that wait for their names. E_STATE
 * also when an erasure has put other files in their places since.
 */
export async function copyReadLog(
  places: BackupPlaces,
  given: string,
  { end, erasure }: { readonly end: LogPosition; readonly erasure: string | undefined },
): Promise<void> {
  const made = await placed(places, resolve(given), async (folder) => {
    await copyLog(places, folder, end, erasure);
    return (await isSame(places.target, folder, end)) ? true : undefined;
  });
  if (made === undefined) throw erasing(places.store);
}

function erasing(store: string): PalimpsestError {
  return new PalimpsestError("E_STATE", `an identity is being erased from ${store}`, {
    details: { path: store },
    hint: "try again when the erasure has ended",
  });
}
