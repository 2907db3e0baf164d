// A file of lines: read whole, appended to durably, written anew without some of its lines. Its callers hold the lock.
import { type FileLayer, openIfThere } from "../log/file-layer.js";
import { type DigestedLine, encodeLine, type ReadLines, readLines } from "./lines.js";
import { UNFINISHED } from "./places.js";

/** What lies beyond is not read. */
export const MOST_BYTES = 64 << 20;

export interface ReadFile extends ReadLines<DigestedLine> {
  /** False where the file is longer than what is read of it. */
  readonly isWhole: boolean;
}

/** The bytes of a file, up to a limit; none where there is no file. */
export async function readBytes(layer: FileLayer, path: string): Promise<{ bytes: Uint8Array; isWhole: boolean }> {
  const file = openIfThere(layer, path);
  if (file === undefined) return { bytes: new Uint8Array(0), isWhole: true };
  try {
    const length = file.length();
    const bytes = new Uint8Array(Math.min(length, MOST_BYTES));
    const got = await file.read(bytes, 0);
    return { bytes: bytes.subarray(0, got), isWhole: length <= MOST_BYTES };
  } finally {
    file.close();
  }
}

export async function readFile(layer: FileLayer, path: string): Promise<ReadFile> {
  const { bytes, isWhole } = await readBytes(layer, path);
  return { ...(await readLines(bytes, (line) => line)), isWhole };
}

/** Adds lines behind the last one that was ended, which the disk has when this resolves. */
export async function appendLines(
  layer: FileLayer,
  folder: string,
  path: string,
  endedBytes: number,
  lines: readonly DigestedLine[],
): Promise<void> {
  const file = layer.open(path, "create");
  try {
    if (file.length() > endedBytes) await file.cut(endedBytes);
    await file.write(lines.map(encodeLine), endedBytes, { sync: true }).catch(async (error: unknown) => {
      // A part of them, on a full disk: all or none are there.
      await file.cut(endedBytes).catch(() => undefined);
      throw error;
    });
  } finally {
    file.close();
  }
  await layer.syncFolder(folder);
}

/** Puts a file of these lines in the place of the one that is there; of none, no file. */
export async function replaceLines(
  layer: FileLayer,
  folder: string,
  path: string,
  lines: readonly DigestedLine[],
): Promise<void> {
  if (lines.length === 0) {
    layer.remove(path);
  } else {
    await replaceFile(layer, path, lines.map(encodeLine), { sync: true });
  }
  await layer.syncFolder(folder);
}

/** Puts a file with this content in the place of the one that is there, if any; where that fails, nothing of it is left. */
export async function replaceFile(
  layer: FileLayer,
  path: string,
  content: readonly Uint8Array[],
  options: { readonly sync: boolean },
): Promise<void> {
  const fresh = `${path}${UNFINISHED}`;
  const file = layer.open(fresh, "create");
  try {
    await file.cut(0);
    await file.write(content, 0, options);
    layer.rename(fresh, path);
  } catch (error) {
    removeIfThere(layer, fresh);
    throw error;
  } finally {
    file.close();
  }
}

/** What was written before this failed says more than a second failure would. */
function removeIfThere(layer: FileLayer, path: string): void {
  try {
    layer.remove(path);
  } catch {
    // Stays until the same file is written anew, or an erasure takes it.
  }
}
