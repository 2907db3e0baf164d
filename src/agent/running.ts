// Runs a plan that somebody wrote at the commit of the question, and keeps what came of it among the attempts.
import { type ErrorCode, PalimpsestError } from "../contract/errors.js";
import type { JsonValue } from "../contract/values.js";
import { mendOf } from "../operators/mend.js";
import { type Plan, ResultStore, type TracedRun, tracePlan, type Violation } from "../plan/index.js";
import type { Asking } from "./asking.js";
import type { Limits } from "./types.js";

/** Errors of a run that another plan may mend. */
const REENTERING: readonly ErrorCode[] = [
  "E_SCHEMA",
  "E_INVALID_ARG",
  "E_NOT_FOUND",
  "E_COST",
  "E_LIMIT",
  "E_PERIOD_ORDER",
  "E_ZONE_MISSING",
  "E_EPOCH_UNIT",
  "E_AXIS",
  "E_TX_UNKNOWN",
  "E_SYNTAX",
  "E_GROUNDING",
  "E_PLAN_INVALID",
  "E_UPSTREAM",
];

/** Whether somebody who is told of the error may do better. */
export const isReentering = ({ code }: PalimpsestError): boolean => REENTERING.includes(code);

/** The error of a run as a violation, so that the next plan knows of it. */
export function violationOf(error: PalimpsestError): Violation {
  const { code, message, details } = error;
  const step = typeof details.step === "string" ? details.step : null;
  const path = step === null ? "" : `/steps/${step}`;
  return { code, kind: "run_error", step, path, message, hint: mendOf(error) };
}

/** A store of results keeps no step that fills more than a quarter of it. */
const SHARE_OF_STEP = 4;

/** What steps gave, for all plans of a question: one that holds as many rows as may be held is kept. */
export const resultsWithin = ({ rows_held }: Pick<Limits, "rows_held">): ResultStore =>
  new ResultStore(SHARE_OF_STEP * (rows_held + 1));

export interface Ran {
  readonly plan: Plan;
  readonly run: TracedRun;
}

/** Runs a plan as of the question, whatever its steps give. `results`: those of steps that have run before. */
export async function runAt({ input, identifiers }: Asking, plan: Plan, results?: ResultStore): Promise<TracedRun> {
  const { state, askTx, limits, signal } = input;
  return tracePlan(state.engine, plan, {
    askTx,
    signal,
    mostRows: limits.rows_held,
    identifiers,
    looksIntoStore: true,
    ...(results === undefined ? {} : { results }),
  });
}

/** What is told of a run: the whole of it where it has an answer, else why it has none. */
export interface Attempted {
  readonly run: TracedRun | null;
  readonly error: PalimpsestError | null;
}

/** Runs a plan and keeps it among the attempts, as its author wrote it (`shown`). */
export async function attempted(
  asking: Asking,
  plan: Plan,
  results?: ResultStore,
  shown: JsonValue = plan as unknown as JsonValue,
): Promise<Attempted> {
  let run: TracedRun | null = null;
  let error: PalimpsestError | null;
  try {
    run = await runAt(asking, plan, results);
    ({ error } = run);
  } catch (thrown) {
    if (!(thrown instanceof PalimpsestError)) throw thrown;
    error = thrown;
  }
  const told = error === null ? {} : { error: { code: error.code, message: error.message } };
  asking.attempts.push({ plan: shown, violations: [], ...told });
  return { run, error };
}
