// What stands in the place of erased items, against what the receipts of the log say: each vouched for, and each there.
// A difference is a file that was read before an erasure rewrote it, or an item that somebody else replaced.
import type { ReplacedItem } from "./erasure-item.js";
import type { StandIn } from "./items.js";
import { sameBytes } from "./layout.js";

interface Hashes {
  readonly oldHash: Uint8Array;
  readonly newHash: Uint8Array;
}

const keyOf = (frame: number, item: number): string => `${frame}/${item}`;

export class StandIns {
  private readonly found = new Map<string, Hashes>();
  private readonly vouched = new Map<string, Hashes>();

  /** An item that was read. */
  add(frame: number, { item, oldHash, newHash }: StandIn): void {
    this.found.set(keyOf(frame, item), { oldHash, newHash });
  }

  /** What a receipt says; a later one may have replaced the item again. */
  expect({ frame, item, oldHash, newHash }: ReplacedItem): void {
    this.vouched.set(keyOf(frame, item), { oldHash, newHash });
  }

  get areVouched(): boolean {
    if (this.found.size !== this.vouched.size) return false;
    for (const [key, { oldHash, newHash }] of this.found) {
      const vouched = this.vouched.get(key);
      if (vouched === undefined || !sameBytes(vouched.oldHash, oldHash) || !sameBytes(vouched.newHash, newHash)) {
        return false;
      }
    }
    return true;
  }
}
