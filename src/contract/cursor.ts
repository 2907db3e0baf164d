// Cursors: where a page of one list begins, bound to the call that it continues.
// Opaque to callers; base64url of fixed fields. Knows nothing of lists or rows.
import { PalimpsestError } from "./errors.js";

const VERSION = 1;
const CURSOR_BYTES = 34;
const BINDING_BYTES = 16;
const TEXT = /^[A-Za-z0-9_-]{46}$/;

export interface Cursor {
  /** Position of the list among the operator's lists; `rows` is 0. */
  readonly list: number;
  readonly tx: number;
  /** The rows of the list before the page. */
  readonly ordinal: number;
  /** First 16 bytes, in hex, of the digest of the call: see `bindingOf` in the pipeline. */
  readonly binding: string;
}

export function encodeCursor(cursor: Cursor): string {
  const bytes = Buffer.alloc(CURSOR_BYTES);
  bytes.writeUInt8(VERSION, 0);
  bytes.writeUInt8(cursor.list, 1);
  bytes.writeBigUInt64LE(BigInt(cursor.tx), 2);
  bytes.writeBigUInt64LE(BigInt(cursor.ordinal), 10);
  bytes.write(cursor.binding.slice(0, 2 * BINDING_BYTES), 18, "hex");
  return bytes.toString("base64url");
}

export function damagedCursor(why: string): PalimpsestError {
  return new PalimpsestError("E_INVALID_ARG", `cursor: ${why}`, {
    details: { path: "/cursor" },
    hint: "give the cursor of the page before, with the same operator, arguments and pin",
  });
}

/** E_INVALID_ARG for a text that no call has given. */
export function decodeCursor(text: string): Cursor {
  const bytes = Buffer.from(text, "base64url");
  if (!TEXT.test(text) || bytes.toString("base64url") !== text) throw damagedCursor("the text is damaged");
  const tx = bytes.readBigUInt64LE(2);
  const ordinal = bytes.readBigUInt64LE(10);
  if (bytes.readUInt8(0) !== VERSION || tx > Number.MAX_SAFE_INTEGER || ordinal > Number.MAX_SAFE_INTEGER) {
    throw damagedCursor("the text is damaged");
  }
  return {
    list: bytes.readUInt8(1),
    tx: Number(tx),
    ordinal: Number(ordinal),
    binding: bytes.toString("hex", 18),
  };
}
