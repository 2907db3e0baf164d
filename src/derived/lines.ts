// Lines that vouch for themselves: one object as canonical JSON with its digest in it. What is torn, altered, too long or no
// line of this form is told apart, and its content trusted in nothing.
import { canonicalJson } from "../contract/canonical.js";
import { sha256Hex } from "../contract/digest.js";
import { parseUnambiguous } from "../contract/exact-json.js";
import { isPlainObject, type JsonObject } from "../contract/values.js";
import { Pace } from "../event-loop/pace.js";

export const LONGEST_LINE_BYTES = 64 << 10;
const LF = 10;

/** What a line says beside its digest. */
export type LineBody = JsonObject;
export type DigestedLine = JsonObject & { readonly digest: string };

export interface SkippedLine {
  /** From 1 on. */
  readonly line: number;
  readonly why: string;
}

/** How far a file was read. */
export interface ReadThrough {
  /** Bytes up to the end of the last line that was ended. */
  readonly endedBytes: number;
  /** Lines that were ended. */
  readonly lineCount: number;
}

export interface ReadLines<T> extends ReadThrough {
  readonly lines: readonly T[];
  readonly skipped: readonly SkippedLine[];
}

/** Bytes of a file that are one line, without its end. */
export interface LinePlace {
  readonly from: number;
  readonly to: number;
}

export const NOTHING_READ: ReadThrough = { endedBytes: 0, lineCount: 0 };
/** Why what follows the last line end is no line. */
export const TORN = "torn";

/** The object with its digest. */
export function digested(body: LineBody): DigestedLine {
  const { digest: _digest, ...rest } = body;
  return { ...rest, digest: sha256Hex(canonicalJson(rest)) };
}

/** One line, its end included. */
export const encodeLine = (line: DigestedLine): Uint8Array => Buffer.from(`${canonicalJson(line)}\n`);

/** The object of a line, or why it is none. */
export function decodeLine(bytes: Uint8Array): DigestedLine | string {
  if (bytes.length > LONGEST_LINE_BYTES) return `longer than ${LONGEST_LINE_BYTES} bytes`;
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return "not UTF-8";
  }
  try {
    const value = parseUnambiguous(text);
    if (!isPlainObject(value) || typeof value.digest !== "string") return "no object with a digest";
    const line = digested(value as JsonObject);
    return line.digest === value.digest && canonicalJson(line) === text ? line : "altered: its digest is another";
  } catch {
    return "not JSON";
  }
}

/** Every line of a file's bytes behind those that were read, as `take` has it. What follows the last line end was torn off. */
export async function readLines<T>(
  bytes: Uint8Array,
  take: (line: DigestedLine, place: LinePlace) => T,
  { endedBytes, lineCount }: ReadThrough = NOTHING_READ,
): Promise<ReadLines<T>> {
  const lines: T[] = [];
  const skipped: SkippedLine[] = [];
  const pace = new Pace();
  let from = endedBytes;
  let count = lineCount;
  while (from < bytes.length) {
    const to = bytes.indexOf(LF, from);
    if (to < 0) {
      skipped.push({ line: count + 1, why: TORN });
      break;
    }
    count += 1;
    const line = decodeLine(bytes.subarray(from, to));
    if (typeof line === "string") skipped.push({ line: count, why: line });
    else lines.push(take(line, { from, to }));
    from = to + 1;
    if (pace.isDue) await pace.rest();
  }
  return { lines, skipped, endedBytes: from, lineCount: count };
}
