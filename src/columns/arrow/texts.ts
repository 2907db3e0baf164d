// The texts of a dictionary as UTF-8, end to end, and the same a row after the other.
// Long dictionaries are encoded in slices, and once: the form is kept as long as the dictionary is.
import { PalimpsestError } from "../../contract/errors.js";
import { Pace } from "../../event-loop/pace.js";
import type { TextColumn, Utf8Texts } from "../column.js";

const TEXTS_AT_ONCE = 2000;
/** Far below the longest string of JavaScript, into which as many texts are joined. */
const UNITS_AT_ONCE = 16 << 20;
/** Offsets of Arrow are of 32 bits. */
const MOST_TEXT_BYTES = 2 ** 31 - 1;

const made = new WeakMap<readonly string[], Utf8Texts>();

function tooLong(): PalimpsestError {
  return new PalimpsestError("E_LIMIT", "the texts of one column are longer than an Arrow column holds (2 GiB)", {
    details: { kind: "arrow_texts", most_bytes: MOST_TEXT_BYTES },
    hint: "ask for fewer rows at once, or read rows in place of Arrow",
  });
}

/** Whether the texts, end to end, are no longer than offsets reach. */
export function fitOffsets(texts: readonly string[]): boolean {
  let units = 0;
  for (const text of texts) units += text.length;
  if (units > MOST_TEXT_BYTES) return false;
  // A unit of UTF-16 is three bytes at most, so mostly there is no need to count.
  return (
    units * 3 <= MOST_TEXT_BYTES || texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) <= MOST_TEXT_BYTES
  );
}

/** The end of the texts from `from` on that are encoded at once: one at least. */
function endOfSlice(texts: readonly string[], from: number): number {
  const most = Math.min(texts.length, from + TEXTS_AT_ONCE);
  let units = 0;
  for (let i = from; i < most; i += 1) {
    units += texts[i]!.length;
    if (units > UNITS_AT_ONCE) return Math.max(i, from + 1);
  }
  return most;
}

/** Encodes texts [from, to) at once: a call for each would cost more than its bytes. */
function encodeSlice(texts: readonly string[], from: number, to: number, offsets: Int32Array, at: number): Buffer {
  const joined = texts.slice(from, to).join("");
  const bytes = Buffer.from(joined, "utf8");
  const isAscii = bytes.length === joined.length;
  let end = at;
  for (let i = from; i < to; i += 1) {
    end += isAscii ? texts[i]!.length : Buffer.byteLength(texts[i]!, "utf8");
    offsets[i + 1] = end;
  }
  return bytes;
}

export async function utf8Of(texts: readonly string[]): Promise<Utf8Texts> {
  const known = made.get(texts);
  if (known !== undefined) return known;
  if (!fitOffsets(texts)) throw tooLong();
  const offsets = new Int32Array(texts.length + 1);
  const parts: Buffer[] = [];
  const pace = new Pace();
  for (let from = 0; from < texts.length; ) {
    const to = endOfSlice(texts, from);
    parts.push(encodeSlice(texts, from, to, offsets, offsets[from]!));
    from = to;
    if (pace.isDue) await pace.rest();
  }
  const form = { bytes: Buffer.concat(parts), offsets };
  made.set(texts, form);
  return form;
}

/** The dictionary of a column as bytes. */
export const textsOf = async (column: TextColumn): Promise<Utf8Texts> => column.utf8 ?? utf8Of(column.dictionary);

/** Below this a loop beats the call of `set`. */
const SHORT_BYTES = 24;

/** Whether the texts stand row by row as they are, as those of a column of nothing but different texts do. */
export function isByRow(codes: Int32Array, { bytes, offsets }: Utf8Texts): boolean {
  const { length } = codes;
  if (length !== offsets.length - 1 || offsets[0] !== 0 || offsets[length] !== bytes.length) return false;
  return codes.every((code, row) => code === row);
}

/** The texts of rows, by their codes; a row without one has no bytes. */
export function textsByRow(codes: Int32Array, { bytes, offsets }: Utf8Texts): Utf8Texts {
  const ends = new Int32Array(codes.length + 1);
  let length = 0;
  for (let row = 0; row < codes.length; row += 1) {
    const code = codes[row]!;
    if (code >= 0) length += offsets[code + 1]! - offsets[code]!;
    if (length > MOST_TEXT_BYTES) throw tooLong();
    ends[row + 1] = length;
  }
  const out = new Uint8Array(length);
  for (let row = 0; row < codes.length; row += 1) {
    const code = codes[row]!;
    if (code < 0) continue;
    const from = offsets[code]!;
    const to = offsets[code + 1]!;
    let at = ends[row]!;
    if (to - from < SHORT_BYTES) for (let i = from; i < to; i += 1, at += 1) out[at] = bytes[i]!;
    else out.set(bytes.subarray(from, to), at);
  }
  return { bytes: out, offsets: ends };
}
