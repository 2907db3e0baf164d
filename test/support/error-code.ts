// The code of the error that something ends in, for tables of what is refused.
import { PalimpsestError } from "../../src/contract/errors.js";

/** Any error that is none of ours is thrown on. */
export function codeOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof PalimpsestError) return error.code;
    throw error;
  }
  return "no error";
}
