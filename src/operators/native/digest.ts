// The store digest (docs/contract.md "Store digest"): native code gives the lines in order, node:crypto hashes them.
// The next chunk is written on the pool while the last one is hashed here.
import { createHash } from "node:crypto";
import type { NativeView } from "../../native/store.js";
import { tables } from "../../native/tables.js";

/** SHA-256 over the lines of all versions that the view's commit knows, in hex. */
export async function storeDigest(view: NativeView): Promise<string> {
  const hash = createHash("sha256");
  const next = tables.digestLines(view);
  let chunk = await next();
  while (chunk !== null) {
    const following = next();
    hash.update(chunk);
    chunk = await following;
  }
  return hash.digest("hex");
}
