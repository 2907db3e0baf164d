// What a question is given of notes.
import type { JsonValue } from "../../contract/values.js";

export interface NotesForQuestion {
  /** Data, for a fence. */
  readonly lines: readonly JsonValue[];
  readonly digests: readonly string[];
  /** What could not be used, for the answer. */
  readonly notices: readonly string[];
}

export const NO_NOTES: NotesForQuestion = { lines: [], digests: [], notices: [] };
