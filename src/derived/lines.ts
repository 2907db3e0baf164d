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

export interface ReadLines {
  readonly lines: readonly DigestedLine[];
  readonly skipped: readonly SkippedLine[];
  /** Bytes up to the end of the last line that was ended. */
  readonly endedBytes: number;
}

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

/** Every line of a file's bytes. What follows the last line end was torn off. */
export async function readLines(bytes: Uint8Array): Promise<ReadLines> {
  const lines: DigestedLine[] = [];
  const skipped: SkippedLine[] = [];
  const pace = new Pace();
  let from = 0;
  for (let number = 1; from < bytes.length; number += 1) {
    const end = bytes.indexOf(LF, from);
    if (end < 0) {
      skipped.push({ line: number, why: "torn" });
      break;
    }
    const line = decodeLine(bytes.subarray(from, end));
    if (typeof line === "string") skipped.push({ line: number, why: line });
    else lines.push(line);
    from = end + 1;
    if (pace.isDue) await pace.rest();
  }
  return { lines, skipped, endedBytes: from };
}
