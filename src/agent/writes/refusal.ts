// How a write is refused: a code, and the name of the rule in its details. Nothing has been logged then.
import { PalimpsestError } from "../../contract/errors.js";

export type WriteRule =
  | "shape"
  | "operation"
  | "max_ops"
  | "ops"
  | "trace"
  | "max_batches"
  | "grounding"
  | "new_entities"
  | "evidence"
  | "no_target"
  | "types"
  | "labels"
  | "valid_within"
  | "touched"
  | "confirm"
  | "head_moved";

/** Rules that the same proposal may pass another time. */
const OF_THE_MOMENT: readonly WriteRule[] = ["trace", "max_batches", "touched", "confirm", "head_moved"];

export function refused(
  rule: WriteRule,
  message: string,
  hint: string,
  details: object = {},
  cause?: unknown,
): PalimpsestError {
  const code = OF_THE_MOMENT.includes(rule) ? "E_STATE" : "E_INVALID_ARG";
  return new PalimpsestError(code, `the write is refused (${rule}): ${message}`, {
    details: { ...details, rule },
    hint,
    ...(cause === undefined ? {} : { cause }),
  });
}
