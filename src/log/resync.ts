// Tells damage from a torn tail: after bad bytes in the place of frame k, does anything later know that k was durable?
// A frame may say so, and so does the header of a later file: a file is synced before the next is made. Reads only; what follows from the answer is the reader's and the writer's business.
import type { FileLayer } from "./file-layer.js";
import { FileWindow } from "./file-window.js";
import { decodeFrameHeader, FRAME_HEADER_BYTES, FRAME_MAGIC, frameMagic, sumIsRight } from "./frame.js";
import { decodeLogHeader, LOG_HEADER_BYTES, logFileNumber, logFilePath, logFolder, sameBytes } from "./layout.js";

const STEP_BYTES = 1 << 20;

/** Numbers of the log files that are there, in order. */
export function logFileNumbers(layer: FileLayer, store: string): number[] {
  return layer
    .list(logFolder(store))
    .map(logFileNumber)
    .filter((fileNo) => fileNo !== undefined)
    .sort((a, b) => a - b);
}

export interface BadPlace {
  readonly fileNo: number;
  readonly offset: number;
  /** Unknown when the header of the first file is what is bad. */
  readonly storeId: Uint8Array | undefined;
  /** A frame proves damage when it says that this frame, or a later one, was durable; 0: any valid frame does. */
  readonly frameNo: number;
}

/** Whether something valid at or after `place` proves that what is bad there had been durable. */
export async function isDamage(layer: FileLayer, store: string, place: BadPlace): Promise<boolean> {
  for (const fileNo of logFileNumbers(layer, store)) {
    if (fileNo < place.fileNo) continue;
    const window = new FileWindow(layer.open(logFilePath(store, fileNo), "read"));
    try {
      if (fileNo > place.fileNo && (await isBehind(layer, window, place))) return true;
      if (await hasProof(layer, window, fileNo === place.fileNo ? place.offset : 0, place)) return true;
    } finally {
      window.close();
    }
  }
  return false;
}

/** Whether this file was made after the frame in question. */
async function isBehind(layer: FileLayer, window: FileWindow, place: BadPlace): Promise<boolean> {
  const header = decodeLogHeader(await window.piece(0, LOG_HEADER_BYTES), window.path, layer.crc32c);
  if (header === undefined || (place.storeId !== undefined && !sameBytes(header.storeId, place.storeId))) return false;
  return header.firstFrame > place.frameNo;
}

async function hasProof(layer: FileLayer, window: FileWindow, from: number, place: BadPlace): Promise<boolean> {
  const magic = Buffer.from(place.storeId === undefined ? FRAME_MAGIC : frameMagic(place.storeId));
  const length = window.length();
  for (let at = from; at < length; at += STEP_BYTES) {
    // Neighbouring steps overlap by a magic less one byte, so that none is cut in two.
    const step = Buffer.from(await window.piece(at, STEP_BYTES + magic.length - 1));
    for (let hit = step.indexOf(magic); hit >= 0 && hit < STEP_BYTES; hit = step.indexOf(magic, hit + 1)) {
      if ((at + hit) % 8 === 0 && (await isProof(layer, window, at + hit, place))) return true;
    }
  }
  return false;
}

async function isProof(layer: FileLayer, window: FileWindow, at: number, place: BadPlace): Promise<boolean> {
  const head = decodeFrameHeader(await window.piece(at, FRAME_HEADER_BYTES));
  // What the frame claims is looked at first: only frames that would prove something are worth summing.
  if (head === undefined || head.durableFrame < place.frameNo) return false;
  if (place.storeId !== undefined && !sameBytes(head.storeId, place.storeId)) return false;
  const bytes = await window.piece(at, FRAME_HEADER_BYTES + head.payloadBytes);
  if (bytes.length < FRAME_HEADER_BYTES + head.payloadBytes) return false;
  return sumIsRight(bytes.subarray(0, FRAME_HEADER_BYTES), bytes.subarray(FRAME_HEADER_BYTES), layer.crc32c);
}
