// What a writer does to the files before its first commit: new log files, torn tails moved aside, unsynced frames
// written again. Each step can be cut short and begun anew.
import { dirname } from "node:path";
import type { FileLayer, OpenFile } from "./file-layer.js";
import { encodeLogHeader, isZero, LOG_HEADER_BYTES, type LogFileHeader, logFilePath, logFolder } from "./layout.js";
import type { FramePlace, LogTail } from "./reader.js";
import { logFileNumbers } from "./resync.js";

const STEP_BYTES = 1 << 20;

/** A log file with its header, synced with its name before anything is written behind it. */
export async function createLogFile(layer: FileLayer, store: string, header: LogFileHeader): Promise<OpenFile> {
  layer.makeFolder(logFolder(store));
  const file = layer.open(logFilePath(store, header.fileNo), "create");
  try {
    await file.write([encodeLogHeader(header, layer.crc32c)], 0, { sync: true });
    if (header.fileNo === 1) await syncNames(layer, store);
    else await layer.syncFolder(logFolder(store));
    return file;
  } catch (error) {
    file.close();
    throw error;
  }
}

export interface CutTail {
  /** Where the bytes are now; undefined when they were all zero. */
  readonly path: string | undefined;
  readonly frameNo: number;
  readonly byteCount: number;
}

/** Moves a torn tail to `log/cut-<k>`: copied and synced first, then removed. */
export async function cutTornTail(layer: FileLayer, store: string, tail: LogTail & { kind: "torn" }): Promise<CutTail> {
  const folder = logFolder(store);
  const fileNumbers = logFileNumbers(layer, store).filter((fileNo) => fileNo >= tail.fileNo);
  const path = `${folder}/${freeName(layer.list(folder), `cut-${tail.frameNo}`)}`;
  const copy = layer.open(path, "create");
  let byteCount = 0;
  try {
    for (const fileNo of fileNumbers) {
      byteCount = await appendFile(
        layer,
        logFilePath(store, fileNo),
        fileNo === tail.fileNo ? tail.offset : 0,
        copy,
        byteCount,
      );
      if (fileNo === tail.fileNo) await copy.cut(byteCount);
    }
    await copy.sync();
  } finally {
    copy.close();
  }
  if (byteCount === 0) layer.remove(path);
  await layer.syncFolder(folder);
  for (const fileNo of fileNumbers.reverse()) {
    if (fileNo > tail.fileNo || tail.offset === 0) layer.remove(logFilePath(store, fileNo));
    else await cutFile(layer, logFilePath(store, fileNo), tail.offset);
  }
  await layer.syncFolder(folder);
  return { path: byteCount === 0 ? undefined : path, frameNo: tail.frameNo, byteCount };
}

function freeName(taken: readonly string[], name: string): string {
  let candidate = name;
  for (let n = 2; taken.includes(candidate); n += 1) candidate = `${name}-${n}`;
  return candidate;
}

/** Copies a file from `from` on to `to` in `copy`; where the last byte that is not zero ended up. */
async function appendFile(layer: FileLayer, path: string, from: number, copy: OpenFile, to: number): Promise<number> {
  const file = layer.open(path, "read");
  try {
    let end = to;
    for (let at = from; ; at += STEP_BYTES) {
      const buffer = new Uint8Array(STEP_BYTES);
      const bytes = buffer.subarray(0, await file.read(buffer, at));
      const target = to + at - from;
      await copy.write([bytes], target, { sync: false });
      if (!isZero(bytes)) end = target + bytes.findLastIndex((byte) => byte !== 0) + 1;
      if (bytes.length < STEP_BYTES) return end;
    }
  } finally {
    file.close();
  }
}

async function cutFile(layer: FileLayer, path: string, length: number): Promise<void> {
  const file = layer.open(path, "write");
  try {
    await file.cut(length);
    await file.sync();
  } finally {
    file.close();
  }
}

/**
 * Writes frames that nothing says are on disk once more, the same bytes in the same place, and syncs them: after a
 * failed fsync they may be clean in the cache and yet not on disk.
 */
export async function rewriteUnsynced(layer: FileLayer, store: string, frames: readonly FramePlace[]): Promise<void> {
  const fileNumbers = [...new Set(frames.map((frame) => frame.fileNo))];
  for (const fileNo of fileNumbers) {
    const inFile = frames.filter((frame) => frame.fileNo === fileNo);
    const first = inFile[0]!;
    const last = inFile.at(-1)!;
    // Nothing in this file is known durable: then its header is not either.
    const from = first.offset === LOG_HEADER_BYTES ? 0 : first.offset;
    await rewriteRange(layer, logFilePath(store, fileNo), from, last.offset + last.byteCount);
  }
}

/** Opens the file that goes on, making sure of its header and of the names: their syncs may have failed before. */
export async function openLastFile(layer: FileLayer, store: string, fileNo: number): Promise<OpenFile> {
  const path = logFilePath(store, fileNo);
  await rewriteRange(layer, path, 0, LOG_HEADER_BYTES);
  await syncNames(layer, store);
  return layer.open(path, "write");
}

async function syncNames(layer: FileLayer, store: string): Promise<void> {
  await layer.syncFolder(logFolder(store));
  await layer.syncFolder(store);
  await layer.syncFolder(dirname(store));
}

async function rewriteRange(layer: FileLayer, path: string, from: number, to: number): Promise<void> {
  const file = layer.open(path, "write");
  try {
    for (let at = from; at < to; at += STEP_BYTES) {
      const bytes = new Uint8Array(Math.min(STEP_BYTES, to - at));
      await file.read(bytes, at);
      await file.write([bytes], at, { sync: false });
    }
    await file.sync();
  } finally {
    file.close();
  }
}
