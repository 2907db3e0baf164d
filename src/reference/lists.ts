// Lists of an answer: paging, cursors, the fields that say what is missing, the digest of a result.
// Cursor bytes and digest are those of docs/contract.md A7; knows nothing of what the rows mean.

import { createHash } from "node:crypto";
import { PalimpsestError } from "../contract/errors.js";
import { canonicalText, sha256Hex } from "./values.js";

export type Row = Record<string, unknown>;
export type Args = Readonly<Record<string, unknown>>;

/** The lists of an answer in cursor order, `rows` first; null is a list that was not asked for. */
export interface Answer {
  readonly lists: ReadonlyArray<readonly [name: string, rows: readonly Row[] | null]>;
  /** Every other field of the payload. */
  readonly fields: Row;
}

interface Cursor {
  readonly list: number;
  readonly ordinal: number;
}

const CURSOR_BYTES = 34;

function callHash(op: string, args: Args): Buffer {
  const { limit: _limit, cursor: _cursor, as_of_tt: _pin, ...rest } = args;
  return createHash("sha256")
    .update(canonicalText({ op, args: rest }), "utf8")
    .digest()
    .subarray(0, 16);
}

function writeCursor(op: string, args: Args, tx: number, { list, ordinal }: Cursor): string {
  const bytes = Buffer.alloc(CURSOR_BYTES);
  bytes.writeUInt8(1, 0);
  bytes.writeUInt8(list, 1);
  bytes.writeBigUInt64LE(BigInt(tx), 2);
  bytes.writeBigUInt64LE(BigInt(ordinal), 10);
  callHash(op, args).copy(bytes, 18);
  return bytes.toString("base64url");
}

function readCursor(op: string, args: Args, tx: number, answer: Answer): Cursor | null {
  if (args.cursor === null || args.cursor === undefined) return null;
  const text = args.cursor as string;
  const bytes = Buffer.from(text, "base64url");
  const isOurs =
    bytes.length === CURSOR_BYTES &&
    bytes.toString("base64url") === text &&
    bytes.readUInt8(0) === 1 &&
    bytes.readBigUInt64LE(2) === BigInt(tx) &&
    bytes.subarray(18).equals(callHash(op, args));
  const list = isOurs ? bytes.readUInt8(1) : -1;
  const rows = answer.lists[list]?.[1];
  if (rows === undefined || rows === null || bytes.readBigUInt64LE(10) > BigInt(rows.length)) {
    throw new PalimpsestError("E_INVALID_ARG", "this cursor belongs to another call");
  }
  return { list, ordinal: Number(bytes.readBigUInt64LE(10)) };
}

/** The payload of one page. */
export function payloadOf(op: string, args: Args, tx: number, answer: Answer): Row {
  const cursor = readCursor(op, args, tx, answer);
  const limit = args.limit as number;
  const payload: Row = { ...answer.fields };
  let truncated = false;
  for (const [list, [name, rows]] of answer.lists.entries()) {
    const isShown = rows !== null && (cursor === null || cursor.list === list);
    const from = isShown && cursor !== null ? cursor.ordinal : 0;
    const page = isShown ? rows.slice(from, from + limit) : null;
    const goesOn = isShown && from + limit < rows.length;
    const next = goesOn ? writeCursor(op, args, tx, { list, ordinal: from + limit }) : null;
    truncated ||= goesOn;
    if (list === 0) Object.assign(payload, { rows: page, rows_total: isShown ? rows.length : null, cursor: next });
    else payload[name] = isShown ? { rows: page, rows_total: rows.length, truncated: goesOn, cursor: next } : null;
  }
  const complete = !truncated && cursor === null;
  return { ...payload, truncated, complete, incomplete: complete ? [] : ["page"] };
}

export function resultDigest(op: string, args: Args, tx: number, payload: Row): string {
  return sha256Hex(canonicalText({ args, op, payload, tx }));
}
