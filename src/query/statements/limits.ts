// When a statement gives up: its signal, its deadline, and what it may read at most.
// One clock for all parts of a statement, from the moment it began.
import { PalimpsestError } from "../../contract/errors.js";
import type { QueryOptions } from "./options.js";

/** Rows of one table of a statement, unless `ceilings.rows` says otherwise. */
export const ROW_BUDGET = 5_000_000;

export interface StatementLimits {
  readonly signal: AbortSignal | undefined;
  /** On the clock of `performance.now()`; Infinity where there is none. */
  readonly deadlineMs: number;
  readonly ceilings: { readonly rows: number; readonly steps?: number };
}

export function limitsOf(options: QueryOptions, usualMs: number | undefined): StatementLimits {
  const ms = options.deadlineMs ?? usualMs;
  const { rows = ROW_BUDGET, steps } = options.ceilings ?? {};
  return {
    signal: options.signal,
    deadlineMs: ms === undefined ? Number.POSITIVE_INFINITY : performance.now() + ms,
    ceilings: steps === undefined ? { rows } : { rows, steps },
  };
}

/** The same, given up also when `stop` says so. */
export const stoppedBy = (limits: StatementLimits, stop: AbortSignal): StatementLimits => ({
  ...limits,
  signal: limits.signal === undefined ? stop : AbortSignal.any([limits.signal, stop]),
});

/** What is left until the deadline, for calls that count from their own beginning. */
export function remainingMs({ deadlineMs }: StatementLimits): number | undefined {
  return deadlineMs === Number.POSITIVE_INFINITY ? undefined : Math.max(0, deadlineMs - performance.now());
}

/** E_STATE for what does not go together with where the session is. */
export const notNow = (message: string, hint: string, kind: string): PalimpsestError =>
  new PalimpsestError("E_STATE", message, { details: { kind }, hint });
