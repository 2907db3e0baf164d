// The one error class of the database and the list of its codes.
// Codes are API and never change meaning; messages and hints are for people. Knows nothing of what failed.
import { randomUUID } from "node:crypto";

/** Every code that a caller can meet. */
export const ERROR_CODES = [
  "E_SCHEMA",
  "E_INVALID_ARG",
  "E_NOT_FOUND",
  "E_SYNTAX",
  "E_PERIOD_ORDER",
  "E_ZONE_MISSING",
  "E_EPOCH_UNIT",
  "E_PORTION_REQUIRED",
  "E_AXIS",
  "E_TX_UNKNOWN",
  "E_COST",
  "E_LIMIT",
  "E_STATE",
  "E_GROUNDING",
  "E_PLAN_INVALID",
  "E_UPSTREAM",
  "E_CANCELLED",
  "E_LOCKED",
  "E_READONLY",
  "E_CLOSED",
  "E_IO",
  "E_MODEL",
  "E_FORMAT",
  "E_LOG_CORRUPT",
  "E_SEGMENT_CORRUPT",
  "E_INTERNAL",
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

export type ErrorDetails = Readonly<Record<string, unknown>>;

export interface ErrorOptions {
  readonly details?: ErrorDetails;
  readonly hint?: string;
  readonly cause?: unknown;
}

/** What went wrong (`message`), the facts (`details`) and how to mend it (`hint`, "" where there is nothing to say). */
export class PalimpsestError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;
  readonly hint: string;

  constructor(code: ErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "PalimpsestError";
    this.code = code;
    this.details = options.details ?? {};
    this.hint = options.hint ?? "";
  }
}

/** Our own mistake, as E_INTERNAL with a trace id; the cause keeps the stack. */
export function internalError(cause: unknown): PalimpsestError {
  const message = cause instanceof Error ? cause.message : String(cause);
  return new PalimpsestError("E_INTERNAL", `internal error: ${message}`, {
    details: { trace_id: randomUUID() },
    hint: "this is a mistake of the database: report it with the trace id",
    cause,
  });
}
