// Runs a plan that somebody wrote at the commit of the question, and keeps what came of it among the attempts.
import { PalimpsestError } from "../contract/errors.js";
import type { JsonValue } from "../contract/values.js";
import { type Plan, type TracedRun, tracePlan } from "../plan/index.js";
import type { Asking } from "./asking.js";

export interface Ran {
  readonly plan: Plan;
  readonly run: TracedRun;
}

/** The run of a plan that has an answer; else why it has none. */
export async function ranPlan(asking: Asking, plan: Plan, attempt: number): Promise<Ran | PalimpsestError> {
  const { state, askTx, limits, signal } = asking.input;
  const keep = (error: PalimpsestError | null): void => {
    const told = error === null ? {} : { error: { code: error.code, message: error.message } };
    asking.attempts.push({ plan: plan as unknown as JsonValue, violations: [], ...told });
  };
  try {
    const run = await tracePlan(state.engine, plan, {
      askTx,
      signal,
      mostRows: limits.rows_held,
      identifiers: asking.identifiers,
      looksIntoStore: true,
    });
    for (const { id, op, status, rows_total } of run.trace.steps)
      asking.tell("step", attempt, { id, op, status, rows_total });
    keep(run.error);
    return run.error ?? { plan, run };
  } catch (error) {
    if (!(error instanceof PalimpsestError)) throw error;
    keep(error);
    return error;
  }
}
