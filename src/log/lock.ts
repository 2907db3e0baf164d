// Who writes: the exclusive lock on LOCK, and the header in which the writer says what is durable.
// Readers ask here whether a writer lives. Knows nothing of frames but their numbers.
import { basename, dirname, resolve } from "node:path";
import { PalimpsestError } from "../contract/errors.js";
import { FileError, type FileLayer, ioError, type LockMap, type OpenFile } from "./file-layer.js";
import {
  decodeLock,
  encodeLock,
  isPartialFolder,
  LOCK_BYTES,
  type LockFields,
  lockPath,
  logFolder,
  sameBytes,
  unfinishedFolder,
} from "./layout.js";

async function readFields(file: OpenFile): Promise<LockFields | undefined> {
  const bytes = new Uint8Array(LOCK_BYTES);
  const got = await file.read(bytes, 0);
  return decodeLock(bytes.subarray(0, got), file.path);
}

/** The writer's hold on a store. Free by itself when the process dies. */
export class WriterLock {
  private map: LockMap | undefined;

  private constructor(
    private readonly layer: FileLayer,
    private readonly file: OpenFile,
    /** What the writer before this one left. */
    private readonly previous: LockFields | undefined,
  ) {}

  /** Makes the store's folder when it is absent; E_STATE where it holds other things and no store. E_LOCKED when another writer holds it, in this process or another. */
  static async acquire(layer: FileLayer, store: string): Promise<WriterLock> {
    const path = lockPath(store);
    let file: OpenFile | undefined;
    try {
      checkFolder(layer, store);
      layer.makeFolder(store);
      file = layer.open(path, "create");
      const isHeld = file.lock("exclusive");
      const fields = await readFields(file);
      if (!isHeld) throw lockedError(store, fields);
      return new WriterLock(layer, file, fields);
    } catch (error) {
      file?.close();
      throw ioError(error);
    }
  }

  /** The same for every path of one store in this process. */
  identity(): string {
    return this.file.identity();
  }

  /** The frame that the last writer knew durable, where that still means something: same boot, same store. */
  knownDurable(storeId: Uint8Array | undefined): number {
    const { previous } = this;
    if (previous === undefined || storeId === undefined) return 0;
    const isSame = sameBytes(previous.bootId, this.layer.bootId) && sameBytes(previous.storeId, storeId);
    return isSame ? previous.durableFrame : 0;
  }

  /** Writes the header; from then on readers follow `setDurableFrame`. */
  async announce(storeId: Uint8Array, durableFrame: number): Promise<void> {
    const fields = { pid: process.pid, bootId: this.layer.bootId, storeId, durableFrame };
    await this.file.write([encodeLock(fields)], 0, { sync: true });
    this.map = this.file.mapLock({ writable: true });
  }

  setDurableFrame(frame: number): void {
    this.map?.setDurableFrame(frame);
  }

  release(): void {
    this.map?.unmap();
    this.map = undefined;
    this.file.close();
  }
}

const nameIn = (store: string, path: string): string => path.slice(store.length + 1);

/** Whether a folder has the name that a copy has until it is whole, and is there. */
function isPartial(layer: FileLayer, store: string): boolean {
  const path = resolve(store);
  return isPartialFolder(path) && layer.list(dirname(path)).includes(basename(path));
}

/** E_STATE for what a backup left that was killed: without its log it would be an empty store. */
export function checkFinished(layer: FileLayer, store: string): void {
  const names = layer.list(store);
  const isUnfinished = names.includes(nameIn(store, unfinishedFolder(store))) || isPartial(layer, store);
  if (names.includes(nameIn(store, logFolder(store))) || !isUnfinished) return;
  throw new PalimpsestError("E_STATE", `${store} is a backup that was not finished`, {
    details: { store },
    hint: "delete the folder, and make the backup again",
  });
}

/** A store is made in a folder of its own: what else is there would be taken for a part of it, by people at least. */
function checkFolder(layer: FileLayer, store: string): void {
  checkFinished(layer, store);
  const names = layer.list(store);
  const isStore = [lockPath(store), logFolder(store)].some((path) => names.includes(nameIn(store, path)));
  if (names.length === 0 || isStore) return;
  throw new PalimpsestError("E_STATE", `${store} is a folder with other things in it, and no store`, {
    details: { store },
    hint: "name a folder that is empty or not there",
  });
}

function lockedError(store: string, holder: LockFields | undefined): PalimpsestError {
  const who = holder === undefined ? "another writer" : `process ${holder.pid}`;
  return new PalimpsestError("E_LOCKED", `${store} is open for writing in ${who}`, {
    details: { store, ...(holder === undefined ? {} : { pid: holder.pid }) },
    hint: "open it with readOnly: true, or close the other handle",
  });
}

export type WriterState = { readonly isAlive: false } | { readonly isAlive: true; readonly durableFrame: number };

/** Whether a writer lives, in any process, and what it knows durable. */
export async function probeWriter(layer: FileLayer, store: string): Promise<WriterState> {
  let file: OpenFile;
  try {
    file = layer.open(lockPath(store), "read");
  } catch (error) {
    if (error instanceof FileError && error.osCode === "ENOENT") return { isAlive: false };
    throw ioError(error);
  }
  try {
    if (file.lock("shared")) {
      file.unlock();
      return { isAlive: false };
    }
    const fields = await readFields(file);
    // A writer that has not announced itself yet recovers the log: until it has, nothing is promised.
    if (fields === undefined) return { isAlive: true, durableFrame: 0 };
    if (!sameBytes(fields.bootId, layer.bootId)) return { isAlive: false };
    return { isAlive: true, durableFrame: fields.durableFrame };
  } catch (error) {
    throw ioError(error);
  } finally {
    file.close();
  }
}
