// How long one result may be: 200 rows of each list and 256 KiB, cut at a row. The rest is a page away.
import { PalimpsestError } from "../contract/errors.js";
import { byteLength } from "./json.js";

export const MOST_ROWS = 200;
export const MOST_BYTES = 256 * 1024;
/** What an operator allows a page to be; a limit above is its error to tell. */
const MOST_ASKED = 10_000;

/** The limit as it is passed on: what is asked for, at most a page. What is no limit stays, for its error. */
export const pageLimit = (limit: unknown): unknown =>
  typeof limit === "number" && limit > MOST_ROWS && limit <= MOST_ASKED ? MOST_ROWS : limit;

/** One row, or what stands around the rows, is more than a result may hold. */
export const tooLong = (bytes: number): PalimpsestError =>
  new PalimpsestError("E_LIMIT", `the answer has ${bytes} bytes and no row at which it could be cut`, {
    details: { bytes, most_bytes: MOST_BYTES },
    hint: "ask for fewer properties or columns, or filter",
  });

/** How many of the rows, each with its text, fit beside so many bytes. */
export function rowsThatFit(texts: readonly string[], bytesAround: number): number {
  let bytes = bytesAround;
  for (const [i, text] of texts.entries()) {
    bytes += byteLength(text) + 1;
    if (bytes > MOST_BYTES) return i;
  }
  return texts.length;
}
