// The items that erasing leaves: what stands in the place of an erased one, and the receipt that vouches for it.
// Bytes in, values out (native/core/store/FORMAT.md "Items"); which items those are is the store's business.
import { HASH_BYTES, readCount, viewOf, writeCount } from "./layout.js";

export const ERASED_HEADER_BYTES = 44;
const RECEIPT_HEADER_BYTES = 8;
const REPLACED_BYTES = 12 + 2 * HASH_BYTES;
/** Entries of one item: the most that checking it holds up the event loop for. */
const ENTRIES_AT_ONCE = 4096;

/** What is left of an item that was erased: replay hands out these numbers and does nothing else. */
export interface ErasedItem {
  readonly edgeNumbers: number;
  readonly nodeNumbers: number;
  /** Uids that other items still name, by their place among the consumed node numbers. */
  readonly keptUids: readonly { readonly place: number; readonly uid: string }[];
}

/** An item that an erasure replaced: the chain takes the old hash, the bytes that stand there now have the new one. */
export interface ReplacedItem {
  readonly frame: number;
  /** Its place in the frame, from 0. */
  readonly item: number;
  readonly oldHash: Uint8Array;
  readonly newHash: Uint8Array;
}

export function encodeErased(oldHash: Uint8Array, left: ErasedItem): Uint8Array {
  const uids = left.keptUids.map(({ place, uid }) => ({ place, bytes: Buffer.from(uid, "utf8") }));
  const bytes = new Uint8Array(uids.reduce((sum, uid) => sum + 8 + uid.bytes.length, ERASED_HEADER_BYTES));
  const view = viewOf(bytes);
  bytes.set(oldHash, 0);
  view.setUint32(32, left.edgeNumbers, true);
  view.setUint32(36, left.nodeNumbers, true);
  view.setUint32(40, uids.length, true);
  let at = ERASED_HEADER_BYTES;
  for (const { place, bytes: uid } of uids) {
    view.setUint32(at, place, true);
    view.setUint32(at + 4, uid.length, true);
    bytes.set(uid, at + 8);
    at += 8 + uid.length;
  }
  return bytes;
}

export function decodeErased(content: Uint8Array): ErasedItem | undefined {
  if (content.length < ERASED_HEADER_BYTES) return undefined;
  const view = viewOf(content);
  const edgeNumbers = view.getUint32(32, true);
  const nodeNumbers = view.getUint32(36, true);
  const keptCount = view.getUint32(40, true);
  const keptUids: { place: number; uid: string }[] = [];
  let at = ERASED_HEADER_BYTES;
  for (let i = 0; i < keptCount; i += 1) {
    if (at + 8 > content.length) return undefined;
    const place = view.getUint32(at, true);
    const length = view.getUint32(at + 4, true);
    at += 8;
    if (place >= nodeNumbers || length > content.length - at) return undefined;
    keptUids.push({ place, uid: Buffer.from(content.subarray(at, at + length)).toString("utf8") });
    at += length;
  }
  return at === content.length ? { edgeNumbers, nodeNumbers, keptUids } : undefined;
}

/** A block with holes behind the hash of the block that was there. */
export function encodeHoledBlock(oldHash: Uint8Array, block: Uint8Array): Uint8Array {
  return Buffer.concat([oldHash, block]);
}

/** The receipt of an erasure as items of its commit: canonical JSON in the first, and which items it replaced. */
export function encodeReceipt(receipt: string, replaced: readonly ReplacedItem[]): Uint8Array[] {
  const items: Uint8Array[] = [];
  for (let from = 0; from === 0 || from < replaced.length; from += ENTRIES_AT_ONCE) {
    const text = Buffer.from(from === 0 ? receipt : "", "utf8");
    const entries = replaced.slice(from, from + ENTRIES_AT_ONCE);
    const bytes = new Uint8Array(RECEIPT_HEADER_BYTES + text.length + entries.length * REPLACED_BYTES);
    const view = viewOf(bytes);
    view.setUint32(0, text.length, true);
    view.setUint32(4, entries.length, true);
    bytes.set(text, RECEIPT_HEADER_BYTES);
    let at = RECEIPT_HEADER_BYTES + text.length;
    for (const entry of entries) {
      writeCount(view, at, entry.frame);
      view.setUint32(at + 8, entry.item, true);
      bytes.set(entry.oldHash, at + 12);
      bytes.set(entry.newHash, at + 12 + HASH_BYTES);
      at += REPLACED_BYTES;
    }
    items.push(bytes);
  }
  return items;
}

export interface ReceiptItem {
  /** Canonical JSON; empty in the second and later items of a commit. */
  readonly receipt: string;
  readonly replaced: readonly ReplacedItem[];
}

export function decodeReceipt(content: Uint8Array): ReceiptItem | undefined {
  if (content.length < RECEIPT_HEADER_BYTES) return undefined;
  const view = viewOf(content);
  const textBytes = view.getUint32(0, true);
  const count = view.getUint32(4, true);
  if (content.length !== RECEIPT_HEADER_BYTES + textBytes + count * REPLACED_BYTES) return undefined;
  let at = RECEIPT_HEADER_BYTES + textBytes;
  const receipt = Buffer.from(content.subarray(RECEIPT_HEADER_BYTES, at)).toString("utf8");
  const replaced: ReplacedItem[] = [];
  for (let i = 0; i < count; i += 1) {
    const frame = readCount(view, at);
    if (frame === undefined) return undefined;
    const hashes = content.slice(at + 12, at + REPLACED_BYTES);
    const [oldHash, newHash] = [hashes.subarray(0, HASH_BYTES), hashes.subarray(HASH_BYTES)];
    replaced.push({ frame, item: view.getUint32(at + 8, true), oldHash, newHash });
    at += REPLACED_BYTES;
  }
  return { receipt, replaced };
}
