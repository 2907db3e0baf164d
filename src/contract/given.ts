// Reads what a caller gave where it may be an object with getters, or a proxy. Knows nothing of what is read.
import { PalimpsestError } from "./errors.js";

/** What `read` gives; what a getter or a proxy of the caller's throws makes `what` unreadable: E_SCHEMA. */
export function readGiven<T>(path: string, what: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof PalimpsestError) throw error;
    throw new PalimpsestError("E_SCHEMA", `${what} cannot be read: ${String(error)}`, {
      details: { path },
      hint: "give plain objects",
      cause: error,
    });
  }
}
