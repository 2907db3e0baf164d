// Whether IPC data of Arrow is there to its end. A stream that was cut between two messages reads like a shorter one, so
// its end mark is looked for, message by message; a file ends as it begins.
import { PalimpsestError } from "../../contract/errors.js";

const MAGIC = "ARROW1";
const MARK = -1;
/** Of the table `Message`: the slot of `bodyLength` in its list of fields. */
const BODY_LENGTH_SLOT = 4 + 3 * 2;

function cut(name: string, position: number, what: string): PalimpsestError {
  return new PalimpsestError("E_INVALID_ARG", `${name}: not all of the Arrow data: ${what} at byte ${position}`, {
    details: { file: name, position },
    hint: "write it again, or look whether it was cut short",
  });
}

/** The length of what follows a message's metadata; undefined for what is no metadata. */
function bodyLength(metadata: Uint8Array): number | undefined {
  const view = new DataView(metadata.buffer, metadata.byteOffset, metadata.byteLength);
  try {
    const table = view.getUint32(0, true);
    const fields = table - view.getInt32(table, true);
    if (view.getUint16(fields, true) <= BODY_LENGTH_SLOT) return 0;
    const place = view.getUint16(fields + BODY_LENGTH_SLOT, true);
    return place === 0 ? 0 : Number(view.getBigInt64(table + place, true));
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const isMagic = (bytes: Uint8Array): boolean => Buffer.from(bytes).toString("latin1") === MAGIC;

/** Asks for [from, to) of the data, and throws where its end is missing. What is no Arrow data at all, its reader refuses. */
function* endCheck(name: string, byteCount: number): Generator<readonly [number, number], void, Uint8Array> {
  if (isMagic(yield [0, MAGIC.length])) {
    const last = Math.max(0, byteCount - MAGIC.length);
    if (last < MAGIC.length || !isMagic(yield [last, byteCount])) throw cut(name, byteCount, "there is no footer");
    return;
  }
  for (let at = 0; ; ) {
    const head = yield [at, Math.min(byteCount, at + 8)];
    if (head.length < 4) throw cut(name, at, "there is no end mark");
    const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
    const isMarked = view.getInt32(0, true) === MARK;
    if (isMarked && head.length < 8) throw cut(name, at, "there is no end mark");
    const length = view.getInt32(isMarked ? 4 : 0, true);
    if (length === 0) return;
    const from = at + (isMarked ? 8 : 4);
    // What begins with neither a mark nor a message that is whole may be anything.
    const isArrow = isMarked || at > 0;
    if (length < 0 || (from + length > byteCount && !isArrow)) return;
    if (from + length > byteCount) throw cut(name, byteCount, "a message ends");
    const body = bodyLength(yield [from, from + length]);
    if (body === undefined || body < 0) return;
    if (from + length + body > byteCount) throw cut(name, byteCount, "a message ends");
    at = from + length + body;
  }
}

export function checkBytesEnd(name: string, bytes: Uint8Array): void {
  const check = endCheck(name, bytes.length);
  for (let next = check.next(); next.done !== true; ) next = check.next(bytes.subarray(...next.value));
}

export async function checkFileEnd(
  name: string,
  byteCount: number,
  read: (from: number, to: number) => Promise<Uint8Array>,
): Promise<void> {
  const check = endCheck(name, byteCount);
  for (let next = check.next(); next.done !== true; ) next = check.next(await read(...next.value));
}
