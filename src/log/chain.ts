// The SHA-256 chain over all frames: item hashes, their root, and h(n).
// Lengths and checksums are not in it, so that an item can be erased and the chain still verifies.
import { createHash, hash } from "node:crypto";
import { formatInstant } from "../contract/instant.js";
import { HASH_BYTES } from "./layout.js";

/** h(0). */
export const CHAIN_START: Uint8Array = new Uint8Array(HASH_BYTES);

export type Outcome = { readonly kind: "applied" } | { readonly kind: "not_found"; readonly operation: number };

export const APPLIED: Outcome = { kind: "applied" };

/** What the chain takes in of one frame. */
export interface ChainedFrame {
  readonly frameNo: number;
  readonly tx: number;
  readonly txTimeUs: bigint;
  readonly outcome: Outcome;
  readonly itemCount: number;
  readonly root: Uint8Array;
}

export const sha256 = (bytes: Uint8Array): Uint8Array => hash("sha256", bytes, "buffer");

/** SHA-256 over the item hashes, which stand one after the other in `hashes`. */
export const rootOf = (hashes: Uint8Array): Uint8Array => sha256(hashes);

/** The same of hashes that come in parts. */
export class RootHash {
  private readonly hash = createHash("sha256");

  add(hashes: Uint8Array): void {
    this.hash.update(hashes);
  }
  finish(): Uint8Array {
    return this.hash.digest();
  }
}

/** h(n) from h(n-1). */
export function nextChain(before: Uint8Array, frame: ChainedFrame): Uint8Array {
  const { outcome } = frame;
  const outcomeText =
    outcome.kind === "applied" ? '"applied"' : `{"code":"E_NOT_FOUND","operation":${outcome.operation}}`;
  const text =
    `{"frame_no":${frame.frameNo},"item_count":${frame.itemCount},"outcome":${outcomeText},` +
    `"root":"${Buffer.from(frame.root).toString("hex")}","tx":${frame.tx},"tx_time":"${formatInstant(frame.txTimeUs)}"}`;
  return sha256(Buffer.concat([before, Buffer.from(text, "latin1")]));
}

export const chainText = (chain: Uint8Array): string => Buffer.from(chain).toString("hex");
