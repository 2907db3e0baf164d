// Who changes what was derived from a store: one at a time, of all processes, and only for moments. Not the writer's lock:
// whoever only reads the store may derive.
import { setTimeout } from "node:timers/promises";
import { PalimpsestError } from "../contract/errors.js";
import { FileError, type FileLayer, type OpenFile } from "../log/file-layer.js";
import { derivedFolder, derivedLockPath } from "./places.js";

const WAIT_MS = 10_000;
const RETRY_MS = 20;

/** By path, the last of this process that wants the lock: a try holds the event loop for moments, so that one tries at a time. */
const lastByPath = new Map<string, Promise<unknown>>();

async function inTurn<T>(path: string, task: () => Promise<T>): Promise<T> {
  const result = (lastByPath.get(path) ?? Promise.resolve()).then(task);
  const settled = result.catch(() => undefined);
  lastByPath.set(path, settled);
  try {
    return await result;
  } finally {
    if (lastByPath.get(path) === settled) lastByPath.delete(path);
  }
}

async function acquire(file: OpenFile, kind: "shared" | "exclusive"): Promise<void> {
  const deadline = performance.now() + WAIT_MS;
  while (!file.lock(kind)) {
    if (performance.now() > deadline) {
      throw new PalimpsestError("E_LOCKED", `another process has held ${file.path} for long`, {
        details: { file: file.path },
        hint: "end the process that builds notes there, and try again",
      });
    }
    await setTimeout(RETRY_MS);
  }
}

async function locked<T>(file: OpenFile, kind: "shared" | "exclusive", work: () => Promise<T>): Promise<T> {
  try {
    await acquire(file, kind);
    return await work();
  } finally {
    file.close();
  }
}

/** Work that nobody else's comes between. Makes the folder. */
export function exclusively<T>(layer: FileLayer, store: string, work: () => Promise<T>): Promise<T> {
  const path = derivedLockPath(store);
  return inTurn(path, async () => {
    layer.makeFolder(derivedFolder(store));
    return locked(layer.open(path, "create"), "exclusive", work);
  });
}

/** Reading while nobody writes; changes nothing, and waits for nobody where nothing was ever derived. */
export function sharing<T>(layer: FileLayer, store: string, work: () => Promise<T>): Promise<T> {
  const path = derivedLockPath(store);
  return inTurn(path, async () => {
    let file: OpenFile;
    try {
      file = layer.open(path, "read");
    } catch (error) {
      if (error instanceof FileError && error.osCode === "ENOENT") return work();
      throw error;
    }
    return locked(file, "shared", work);
  });
}
