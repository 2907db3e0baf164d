// Items: the operations, blocks and keys inside frames, each with a salt and a hash. Building payloads, and reading them.
// Knows the bytes of an item, not what an operation means.
import { randomFillSync } from "node:crypto";
import { RootHash, rootOf, sha256 } from "./chain.js";
import { decodeErased, decodeReceipt, type ErasedItem, type ReceiptItem } from "./erasure-item.js";
import { type Checksum, HASH_BYTES, viewOf } from "./layout.js";

/** Stored in files: never renumber. */
export const ITEM_KIND = { operation: 1, block: 2, idempotencyKey: 3, erased: 4, holedBlock: 5, receipt: 6 } as const;
export type ItemKind = (typeof ITEM_KIND)[keyof typeof ITEM_KIND];

export const ITEM_HEADER_BYTES = 24;
export const SALT_AT = 7;
const SALT_BYTES = 16;
export const KIND_AT = 23;

export const padded = (byteCount: number): number => (byteCount + 7) & ~7;

/** Salts come from the generator in pages: one call for each costs more than hashing a short operation. */
const saltPage = new Uint8Array(4096);
let saltsUsed = saltPage.length;

export function fillSalt(target: Uint8Array, at: number): void {
  if (saltsUsed === saltPage.length) {
    randomFillSync(saltPage);
    saltsUsed = 0;
  }
  target.set(saltPage.subarray(saltsUsed, saltsUsed + SALT_BYTES), at);
  saltsUsed += SALT_BYTES;
}

/** The items of one frame, ready to be written. */
export interface Payload {
  readonly bytes: Uint8Array;
  readonly itemCount: number;
  readonly root: Uint8Array;
  /** CRC-32C of `bytes`. */
  readonly sum: number;
}

/** A frame is closed once its payload has passed this: the most that one check of a frame has to read. */
export const FRAME_TARGET_BYTES = 4 << 20;

/**
 * Collects the items of one commit. Salting, hashing and summing happen as items come, so that a bulk commit can be
 * fed in slices; `payloads` closes it and gives one payload per frame.
 */
export class CommitItems {
  private readonly closed: Payload[] = [];
  private bytes = Buffer.allocUnsafeSlow(1024);
  private used = 0;
  private hashes = new Uint8Array(16 * HASH_BYTES);
  private itemCount = 0;
  private closedBytes = 0;

  constructor(
    private readonly checksum: Checksum,
    private readonly frameTargetBytes = FRAME_TARGET_BYTES,
  ) {}

  /** Bytes of all payloads so far. */
  get byteCount(): number {
    return this.closedBytes + this.used;
  }
  /** Frames that they take. */
  get frameCount(): number {
    return this.closed.length + (this.itemCount > 0 ? 1 : 0);
  }

  addOperation(canonicalJson: string): void {
    this.addText(ITEM_KIND.operation, canonicalJson);
  }
  addIdempotencyKey(key: string): void {
    this.addText(ITEM_KIND.idempotencyKey, key);
  }
  /** The same as UTF-8. */
  addOperationBytes(canonicalJson: Uint8Array): void {
    this.addBytes(ITEM_KIND.operation, canonicalJson);
  }
  addBlock(block: Uint8Array): void {
    this.addBytes(ITEM_KIND.block, block);
  }

  addReceipt(content: Uint8Array): void {
    this.addBytes(ITEM_KIND.receipt, content);
  }

  payloads(): Payload[] {
    if (this.itemCount > 0) this.closeFrame();
    return this.closed;
  }

  private addBytes(kind: ItemKind, content: Uint8Array): void {
    this.begin(content.length);
    this.bytes.set(content, this.used + ITEM_HEADER_BYTES);
    this.end(kind, content.length);
  }

  private addText(kind: ItemKind, text: string): void {
    // A UTF-16 unit takes at most three bytes; only long texts are worth counting first.
    const mostBytes = text.length < 65_536 ? text.length * 3 : Buffer.byteLength(text);
    this.begin(mostBytes);
    this.end(kind, this.bytes.write(text, this.used + ITEM_HEADER_BYTES, mostBytes, "utf8"));
  }

  private begin(mostBytes: number): void {
    if (this.used >= this.frameTargetBytes) this.closeFrame();
    const needed = this.used + ITEM_HEADER_BYTES + mostBytes + 8;
    if (needed <= this.bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.bytes.length));
    larger.set(this.bytes.subarray(0, this.used));
    this.bytes = larger;
  }

  private end(kind: ItemKind, length: number): void {
    const { bytes, used } = this;
    bytes.writeUInt32LE(length, used);
    bytes.fill(0, used + 4, used + SALT_AT);
    fillSalt(bytes, used + SALT_AT);
    bytes[used + KIND_AT] = kind;
    const end = used + ITEM_HEADER_BYTES + length;
    this.used = padded(end);
    bytes.fill(0, end, this.used);
    if ((this.itemCount + 1) * HASH_BYTES > this.hashes.length) {
      const larger = new Uint8Array(2 * this.hashes.length);
      larger.set(this.hashes);
      this.hashes = larger;
    }
    this.hashes.set(sha256(bytes.subarray(used + SALT_AT, end)), this.itemCount * HASH_BYTES);
    this.itemCount += 1;
  }

  private closeFrame(): void {
    const bytes = this.bytes.subarray(0, this.used);
    const root = rootOf(this.hashes.subarray(0, this.itemCount * HASH_BYTES));
    this.closed.push({ bytes, itemCount: this.itemCount, root, sum: this.checksum(bytes) });
    this.closedBytes += this.used;
    this.bytes = Buffer.allocUnsafeSlow(1024);
    this.used = 0;
    this.itemCount = 0;
  }
}

export type LogItem =
  | { readonly kind: "operation"; readonly content: Uint8Array }
  | { readonly kind: "block"; readonly content: Uint8Array }
  | { readonly kind: "idempotency_key"; readonly content: Uint8Array }
  | ({ readonly kind: "erased" } & ErasedItem)
  | ({ readonly kind: "erasure"; readonly content: Uint8Array } & ReceiptItem);

/** An item that stands in the place of another. */
export interface StandIn {
  /** Its place in the frame. */
  readonly item: number;
  readonly oldHash: Uint8Array;
  /** Of the bytes that are there now. */
  readonly newHash: Uint8Array;
}

export interface DecodedPayload {
  readonly items: LogItem[];
  readonly root: Uint8Array;
  readonly standIns: readonly StandIn[];
}

/** Without a view of its own: there are some for every item of a log. */
function isZeroBetween(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) if (bytes[at] !== 0) return false;
  return true;
}

function decodeItem(kind: number, content: Uint8Array): LogItem | undefined {
  switch (kind) {
    case ITEM_KIND.operation:
      return { kind: "operation", content };
    case ITEM_KIND.block:
      return { kind: "block", content };
    case ITEM_KIND.idempotencyKey:
      return { kind: "idempotency_key", content };
    case ITEM_KIND.erased: {
      const left = decodeErased(content);
      return left && { kind: "erased", ...left };
    }
    case ITEM_KIND.holedBlock:
      return content.length < HASH_BYTES ? undefined : { kind: "block", content: content.subarray(HASH_BYTES) };
    case ITEM_KIND.receipt: {
      const receipt = decodeReceipt(content);
      return receipt && { kind: "erasure", content, ...receipt };
    }
    default:
      return undefined;
  }
}

// About a millisecond of hashing.
const STEP_ITEMS = 256;
const STEP_BYTES = 1 << 18;

/** The items that fill `payload` exactly, or undefined. Contents are views into it. */
export function decodePayload(payload: Uint8Array, itemCount: number): DecodedPayload | undefined {
  const steps = decodeInSteps(payload, itemCount);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** The same, with a pause after each short stretch of work. */
export function* decodeInSteps(
  payload: Uint8Array,
  itemCount: number,
): Generator<undefined, DecodedPayload | undefined, void> {
  // Each item takes a header at least: a count that cannot be is refused before anything is made for it.
  if (itemCount < 1 || itemCount * ITEM_HEADER_BYTES > payload.length) return undefined;
  const view = viewOf(payload);
  const hashes = new Uint8Array(Math.min(itemCount, STEP_ITEMS) * HASH_BYTES);
  const root = new RootHash();
  const items: LogItem[] = [];
  const standIns: StandIn[] = [];
  let at = 0;
  let pausedAt = 0;
  let hashed = 0;
  for (let i = 0; i < itemCount; i += 1) {
    if (hashed === STEP_ITEMS || at - pausedAt > STEP_BYTES) {
      root.add(hashes.subarray(0, hashed * HASH_BYTES));
      hashed = 0;
      pausedAt = at;
      yield;
    }
    if (at + ITEM_HEADER_BYTES > payload.length) return undefined;
    const length = view.getUint32(at, true);
    const from = at + ITEM_HEADER_BYTES;
    if (length > payload.length - from || !isZeroBetween(payload, at + 4, at + SALT_AT)) return undefined;
    const kind = payload[at + KIND_AT]!;
    const content = payload.subarray(from, from + length);
    const item = decodeItem(kind, content);
    const end = from + padded(length);
    if (item === undefined || end > payload.length || !isZeroBetween(payload, from + length, end)) return undefined;
    if (item.kind === "erased" && !isZeroBetween(payload, at + SALT_AT, at + KIND_AT)) return undefined;
    const ownHash = sha256(payload.subarray(at + SALT_AT, from + length));
    const isStandIn = kind === ITEM_KIND.erased || kind === ITEM_KIND.holedBlock;
    const itemHash = isStandIn ? content.subarray(0, HASH_BYTES) : ownHash;
    if (isStandIn) standIns.push({ item: i, oldHash: itemHash.slice(), newHash: ownHash });
    hashes.set(itemHash, hashed * HASH_BYTES);
    hashed += 1;
    items.push(item);
    at = end;
  }
  root.add(hashes.subarray(0, hashed * HASH_BYTES));
  return at === payload.length ? { items, root: root.finish(), standIns } : undefined;
}
