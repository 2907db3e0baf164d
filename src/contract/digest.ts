// SHA-256 of texts: result digests, cursor bindings, store digests.
import { createHash, hash } from "node:crypto";

/** Lower-case hex of the SHA-256 of the UTF-8 bytes of `text`. */
export function sha256Hex(text: string): string {
  return hash("sha256", text, "hex");
}

/** The 32 bytes of the SHA-256 of the UTF-8 bytes of `text`. */
export function sha256(text: string): Uint8Array {
  return createHash("sha256").update(text, "utf8").digest();
}
