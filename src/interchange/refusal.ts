// The error for a record that cannot be taken: file, line, column, value and reason, always in that order.
// Used by tokenizers and columns; the loader decides whether it ends the file or only skips the record.
import { type ErrorCode, PalimpsestError } from "../contract/errors.js";

const LONGEST_SHOWN = 60;

export interface RefusalPlace {
  readonly file: string;
  /** From 1; 0 where the file as a whole is meant. Of a table, the row. */
  readonly line: number;
  /** The column as the header or the caller names it. */
  readonly column?: string;
  /** The column's number, from 1. */
  readonly columnNumber?: number;
  readonly value?: string;
}

function shown(value: string): string {
  return JSON.stringify(value.length > LONGEST_SHOWN ? `${value.slice(0, LONGEST_SHOWN)}…` : value);
}

/** `messages.csv line 17, column "time" (3): "soon" is not a whole number`. */
export function refusal(
  place: RefusalPlace,
  reason: string,
  options: { code?: ErrorCode; hint?: string; cause?: unknown; showsValue?: boolean; unit?: "line" | "row" } = {},
): PalimpsestError {
  const line = place.line > 0 ? ` ${options.unit ?? "line"} ${place.line}` : "";
  const number = place.columnNumber === undefined ? "" : ` (${place.columnNumber})`;
  const column = place.column === undefined ? "" : `, column ${JSON.stringify(place.column)}${number}`;
  const value = place.value === undefined || options.showsValue ? "" : `${shown(place.value)} `;
  return new PalimpsestError(options.code ?? "E_INVALID_ARG", `${place.file}${line}${column}: ${value}${reason}`, {
    details: { ...place, reason },
    hint: options.hint ?? "",
    ...(options.cause === undefined ? {} : { cause: options.cause }),
  });
}

/** A reason found by code that does not know the place: the reader adds file, line, column and value. */
export class RefusedValue extends Error {
  /** Whether the reason shows the value already. */
  readonly showsValue: boolean;

  constructor(
    readonly reason: string,
    readonly code: ErrorCode = "E_INVALID_ARG",
    readonly hint = "",
    options: { showsValue?: boolean } = {},
  ) {
    super(reason);
    this.showsValue = options.showsValue ?? false;
  }
}

/**
 * Any typed error as the refusal of a record: with file and line in front, where it does not name its place already. Other
 * errors are our mistake, and stay.
 */
export function asRefusal(error: unknown, place: RefusalPlace): PalimpsestError {
  if (error instanceof RefusedValue) return refusal(place, error.reason, { code: error.code, hint: error.hint });
  if (!(error instanceof PalimpsestError)) throw error;
  if (error.details.file !== undefined) return error;
  return refusal(place, error.message, { code: error.code, hint: error.hint ?? "", cause: error });
}
