// The log files that an erasure rewrites, from their new bytes to their names: written beside the old ones and synced,
// then, once its receipt is durable, put in their place. Whatever cuts this short, the next writer ends it or takes it back.
// Knows files, frames and items; which items are replaced, and by what, is told to it.

import { Pace } from "../event-loop/pace.js";
import { sha256 } from "./chain.js";
import { type ErasedItem, encodeErased, encodeHoledBlock, type ReplacedItem } from "./erasure-item.js";
import { type FileLayer, ioError } from "./file-layer.js";
import { FileWindow } from "./file-window.js";
import { decodeFrameHeader, encodeFrameHeader, FRAME_HEADER_BYTES } from "./frame.js";
import { fillSalt, ITEM_HEADER_BYTES, ITEM_KIND, KIND_AT, padded, SALT_AT } from "./items.js";
import { decodeLogHeader, HASH_BYTES, isZero, LOG_HEADER_BYTES, logFilePath, logFolder, viewOf } from "./layout.js";
import { type FramePlace, LogReader } from "./reader.js";
import { rewriteUnsynced } from "./recovery.js";
import { logFileNumbers } from "./resync.js";

/** What is put in the place of an item. */
export type NewItem =
  | ({ readonly kind: "erased" } & ErasedItem)
  | { readonly kind: "block"; readonly bytes: Uint8Array };

/** By frame number, then by place in the frame. */
export type Replacements = ReadonlyMap<number, ReadonlyMap<number, NewItem>>;

const PENDING = /^(\d{10,})\.plog\.([0-9a-f]{16})$/;
const CUT = /^cut-\d+(-\d+)?$/;
const WRITE_BYTES = 1 << 20;

export const pendingPath = (store: string, fileNo: number, token: string): string =>
  `${logFilePath(store, fileNo)}.${token}`;

interface PendingFile {
  readonly fileNo: number;
  readonly token: string;
}

function pendingFiles(layer: FileLayer, store: string): PendingFile[] {
  return layer.list(logFolder(store)).flatMap((name) => {
    const match = PENDING.exec(name);
    return match === null ? [] : [{ fileNo: Number(match[1]), token: match[2]! }];
  });
}

/** Whether files of an erasure that has not ended are in the log's folder. */
export const hasErasedFiles = (layer: FileLayer, store: string): boolean => pendingFiles(layer, store).length > 0;

/** The files that hold these frames, oldest first. */
export async function filesHolding(layer: FileLayer, store: string, frames: Iterable<number>): Promise<number[]> {
  const starts: { fileNo: number; firstFrame: number }[] = [];
  for (const fileNo of logFileNumbers(layer, store)) {
    const window = new FileWindow(layer.open(logFilePath(store, fileNo), "read"));
    try {
      const header = decodeLogHeader(await window.piece(0, LOG_HEADER_BYTES), window.path, layer.crc32c);
      if (header !== undefined) starts.push({ fileNo, firstFrame: header.firstFrame });
    } finally {
      window.close();
    }
  }
  const held = new Set<number>();
  for (const frame of frames) held.add(starts.findLast(({ firstFrame }) => firstFrame <= frame)!.fileNo);
  return [...held].sort((a, b) => a - b);
}

function encodeItem(kind: number, content: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(padded(ITEM_HEADER_BYTES + content.length));
  viewOf(bytes).setUint32(0, content.length, true);
  if (kind !== ITEM_KIND.erased) fillSalt(bytes, SALT_AT);
  bytes[KIND_AT] = kind;
  bytes.set(content, ITEM_HEADER_BYTES);
  return bytes;
}

/** One frame with some of its items replaced; notes what was. */
async function rewriteFrame(
  layer: FileLayer,
  frame: Uint8Array,
  newItems: ReadonlyMap<number, NewItem>,
  replaced: ReplacedItem[],
): Promise<Uint8Array[]> {
  const header = decodeFrameHeader(frame)!;
  const payload = frame.subarray(FRAME_HEADER_BYTES);
  const view = viewOf(payload);
  const parts: Uint8Array[] = [];
  const pace = new Pace();
  let at = 0;
  for (let item = 0; item < header.itemCount; item += 1) {
    if (pace.isDue) await pace.rest();
    const end = at + ITEM_HEADER_BYTES + view.getUint32(at, true);
    const next = padded(end);
    const newItem = newItems.get(item);
    if (newItem === undefined) {
      parts.push(payload.subarray(at, next));
    } else {
      const kind = payload[at + KIND_AT]!;
      const isStandIn = kind === ITEM_KIND.erased || kind === ITEM_KIND.holedBlock;
      const from = at + ITEM_HEADER_BYTES;
      const oldHash = isStandIn ? payload.slice(from, from + HASH_BYTES) : sha256(payload.subarray(at + SALT_AT, end));
      const isBlock = newItem.kind === "block";
      const content = isBlock ? encodeHoledBlock(oldHash, newItem.bytes) : encodeErased(oldHash, newItem);
      const bytes = encodeItem(isBlock ? ITEM_KIND.holedBlock : ITEM_KIND.erased, content);
      const newHash = sha256(bytes.subarray(SALT_AT, ITEM_HEADER_BYTES + content.length));
      replaced.push({ frame: header.frameNo, item, oldHash, newHash });
      parts.push(bytes);
    }
    at = next;
  }
  await pace.rest();
  const bytes = Buffer.concat(parts);
  const encoded = { bytes, itemCount: header.itemCount, sum: layer.crc32c(bytes) };
  return [encodeFrameHeader(header, encoded, layer.crc32c), bytes];
}

async function rewriteFile(
  layer: FileLayer,
  store: string,
  fileNo: number,
  token: string,
  replacements: Replacements,
): Promise<ReplacedItem[]> {
  const replaced: ReplacedItem[] = [];
  const window = new FileWindow(layer.open(logFilePath(store, fileNo), "read"));
  const pace = new Pace();
  try {
    const target = layer.open(pendingPath(store, fileNo, token), "create");
    try {
      let waiting: Uint8Array[] = [await window.piece(0, LOG_HEADER_BYTES)];
      let waitingBytes = LOG_HEADER_BYTES;
      let written = 0;
      const write = async (): Promise<void> => {
        await target.write(waiting, written, { sync: false });
        written += waitingBytes;
        waiting = [];
        waitingBytes = 0;
      };
      for (let at = LOG_HEADER_BYTES; ; ) {
        const head = await window.piece(at, FRAME_HEADER_BYTES);
        if (head.length < FRAME_HEADER_BYTES || isZero(head)) break;
        const header = decodeFrameHeader(head)!;
        const byteCount = FRAME_HEADER_BYTES + header.payloadBytes;
        const frame = await window.piece(at, byteCount);
        const newItems = replacements.get(header.frameNo);
        const parts = newItems === undefined ? [frame] : await rewriteFrame(layer, frame, newItems, replaced);
        for (const part of parts) {
          waiting.push(part);
          waitingBytes += part.length;
        }
        if (waitingBytes >= WRITE_BYTES) await write();
        at += byteCount;
        if (pace.isDue) await pace.rest();
      }
      await write();
      await target.sync();
    } finally {
      target.close();
    }
  } finally {
    window.close();
  }
  return replaced;
}

/** Writes the files anew beside the old ones, and syncs them with their names. Nothing counts yet. */
export async function writeErasedFiles(
  layer: FileLayer,
  store: string,
  files: readonly number[],
  token: string,
  replacements: Replacements,
): Promise<ReplacedItem[]> {
  const replaced: ReplacedItem[] = [];
  for (const fileNo of files) {
    for (const item of await rewriteFile(layer, store, fileNo, token, replacements)) replaced.push(item);
  }
  await layer.syncFolder(logFolder(store));
  return replaced;
}

/** Puts the files of an erasure whose receipt is durable in their places; torn tails, which may hold anything, go first. */
export async function placeErasedFiles(layer: FileLayer, store: string, token: string): Promise<void> {
  const folder = logFolder(store);
  for (const name of layer.list(folder)) if (CUT.test(name)) layer.remove(`${folder}/${name}`);
  await layer.syncFolder(folder);
  for (const file of pendingFiles(layer, store)) {
    if (file.token === token) layer.rename(pendingPath(store, file.fileNo, token), logFilePath(store, file.fileNo));
  }
  await layer.syncFolder(folder);
}

/** Removes the files of an erasure that did not come to be. */
export async function dropErasedFiles(layer: FileLayer, store: string, token?: string): Promise<void> {
  const files = pendingFiles(layer, store).filter((file) => token === undefined || file.token === token);
  for (const file of files) layer.remove(pendingPath(store, file.fileNo, file.token));
  if (files.length > 0) await layer.syncFolder(logFolder(store));
}

const tokenOf = (receipt: string): unknown =>
  receipt === "" ? undefined : (JSON.parse(receipt) as { token?: unknown }).token;

/** What a file refuses is E_IO. */
async function typed<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw ioError(error);
  }
}

/**
 * The erasure that was cut short behind its durable receipt: its files are as good as in their places. Undefined where there
 * is none; the log is read only where files wait.
 */
export const pendingErasure = (
  layer: FileLayer,
  store: string,
  frameLimit = Number.POSITIVE_INFINITY,
): Promise<string | undefined> => typed(async () => (await findPending(layer, store, frameLimit))?.token);

interface PendingErasure {
  readonly token: string;
  /** Frames that nothing in the log knows durable, the receipt's among them. */
  readonly unsynced: readonly FramePlace[];
}

async function findPending(
  layer: FileLayer,
  store: string,
  frameLimit = Number.POSITIVE_INFINITY,
): Promise<PendingErasure | undefined> {
  const tokens = new Set(pendingFiles(layer, store).map(({ token }) => token));
  if (tokens.size === 0) return undefined;
  const reader = new LogReader(layer, store, { knownDurable: () => 0 });
  let found: string | undefined;
  try {
    for (let commit = await reader.next(frameLimit); commit !== undefined; commit = await reader.next(frameLimit)) {
      for (const item of commit.items) {
        const token = item.kind === "erasure" ? tokenOf(item.receipt) : undefined;
        if (typeof token === "string" && tokens.has(token)) found = token;
      }
    }
  } finally {
    reader.close();
  }
  return found === undefined ? undefined : { token: found, unsynced: reader.unsynced };
}

/** What a writer does before it reads the log: ends the erasure that was cut short, or takes it back. */
export const recoverErasure = (layer: FileLayer, store: string): Promise<void> =>
  typed(async () => {
    if (pendingFiles(layer, store).length === 0) return;
    const pending = await findPending(layer, store);
    if (pending !== undefined) {
      // The receipt was read, which does not make it durable: without it the files in their places would be damage.
      await rewriteUnsynced(layer, store, pending.unsynced);
      await placeErasedFiles(layer, store, pending.token);
    }
    await dropErasedFiles(layer, store);
  });
