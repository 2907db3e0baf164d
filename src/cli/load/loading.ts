// What each way to load a file is given, and what it becomes: a function that writes it to a store.
import { PalimpsestError } from "../../contract/errors.js";
import type { Database } from "../../index.js";
import type { LoadFlags } from "./flags.js";
import type { LoadProgress } from "./progress.js";
import type { Refusals } from "./refusals.js";

export interface Loading {
  readonly file: string;
  readonly flags: LoadFlags;
  readonly refusals: Refusals;
  readonly progress: LoadProgress;
  readonly signal: AbortSignal;
}

export type Write = (db: Database) => Promise<void>;

/** Reads at least so much that a wrong call or file is refused before there is a store. */
export type Prepare = (loading: Loading) => Promise<Write>;

export function checkInterrupted({ signal, file }: Loading): void {
  if (signal.aborted)
    throw new PalimpsestError("E_CANCELLED", `loading ${file} was interrupted`, { details: { file } });
}
