// The header of a frame: encoding, decoding, and whether bytes can be one. Payloads are items.ts.
// A frame's checksum covers payload and header, so a frame is either whole or not there.
import { APPLIED, type Outcome } from "./chain.js";
import type { Payload } from "./items.js";
import { type Checksum, isZero, readCount, STORE_ID_BYTES, startsWith, viewOf, writeCount } from "./layout.js";

export const FRAME_HEADER_BYTES = 80;
export const PAYLOAD_LIMIT_BYTES = 1 << 27;

const MAGIC = Buffer.from("PALFRAME", "latin1");
const SUM_AT = 36;
const NOT_FOUND = 1;
const CONTINUES = 1;

export interface FrameHeader {
  readonly storeId: Uint8Array;
  readonly frameNo: number;
  readonly payloadBytes: number;
  readonly sum: number;
  readonly tx: number;
  readonly txTimeUs: bigint;
  readonly durableFrame: number;
  readonly itemCount: number;
  readonly outcome: Outcome;
  readonly continues: boolean;
}

/** The first 24 bytes of every frame of a store. */
export function frameMagic(storeId: Uint8Array): Uint8Array {
  return Buffer.concat([MAGIC, storeId]);
}

export const FRAME_MAGIC: Uint8Array = MAGIC;

function fullSum(header: Uint8Array, payloadSum: number, checksum: Checksum): number {
  return checksum(header.subarray(SUM_AT + 4, FRAME_HEADER_BYTES), checksum(header.subarray(0, SUM_AT), payloadSum));
}

export type FrameFields = Omit<FrameHeader, "sum" | "payloadBytes" | "itemCount">;

/** The header of a frame with this payload. */
export function encodeFrameHeader(
  fields: FrameFields,
  payload: Omit<Payload, "root"> & Partial<Payload>,
  checksum: Checksum,
): Uint8Array {
  const bytes = new Uint8Array(FRAME_HEADER_BYTES);
  const view = viewOf(bytes);
  bytes.set(MAGIC, 0);
  bytes.set(fields.storeId, MAGIC.length);
  writeCount(view, 24, fields.frameNo);
  view.setUint32(32, payload.bytes.length, true);
  writeCount(view, 40, fields.tx);
  view.setBigInt64(48, fields.txTimeUs, true);
  writeCount(view, 56, fields.durableFrame);
  view.setUint32(64, payload.itemCount, true);
  if (fields.outcome.kind === "not_found") {
    view.setUint32(68, fields.outcome.operation, true);
    bytes[72] = NOT_FOUND;
  }
  bytes[73] = fields.continues ? CONTINUES : 0;
  view.setUint32(SUM_AT, fullSum(bytes, payload.sum, checksum), true);
  return bytes;
}

function readOutcome(view: DataView): Outcome | undefined {
  const position = view.getUint32(68, true);
  const outcome = view.getUint8(72);
  if (outcome === NOT_FOUND) return { kind: "not_found", operation: position };
  return outcome === 0 && position === 0 ? APPLIED : undefined;
}

/** The header in the first 80 bytes as far as it can be judged without the payload, or undefined. */
export function decodeFrameHeader(bytes: Uint8Array): FrameHeader | undefined {
  if (bytes.length < FRAME_HEADER_BYTES || !startsWith(bytes, MAGIC)) return undefined;
  const view = viewOf(bytes);
  const frameNo = readCount(view, 24);
  const payloadBytes = view.getUint32(32, true);
  const tx = readCount(view, 40);
  const durableFrame = readCount(view, 56);
  const outcome = readOutcome(view);
  const flags = view.getUint8(73);
  if (!frameNo || tx === undefined || durableFrame === undefined || outcome === undefined) return undefined;
  if (durableFrame >= frameNo || payloadBytes > PAYLOAD_LIMIT_BYTES || payloadBytes % 8 !== 0) return undefined;
  if (flags > CONTINUES || !isZero(bytes.subarray(74, FRAME_HEADER_BYTES))) return undefined;
  if ((tx === 0) !== (outcome.kind === "not_found")) return undefined;
  return {
    storeId: bytes.slice(MAGIC.length, MAGIC.length + STORE_ID_BYTES),
    frameNo,
    payloadBytes,
    sum: view.getUint32(SUM_AT, true),
    tx,
    txTimeUs: view.getBigInt64(48, true),
    durableFrame,
    itemCount: view.getUint32(64, true),
    outcome,
    continues: flags === CONTINUES,
  };
}

/** Whether header and payload carry the sum that the header says. */
export function sumIsRight(header: Uint8Array, payload: Uint8Array, checksum: Checksum): boolean {
  return viewOf(header).getUint32(SUM_AT, true) === fullSum(header, checksum(payload), checksum);
}
