// Plan mode: asks for whole plans and runs them, until one has an answer or the repairs are spent.
import { PalimpsestError } from "../contract/errors.js";
import type { JsonObject } from "../contract/values.js";
import type { Violation } from "../plan/index.js";
import type { Asking } from "./asking.js";
import { spentError } from "./budget.js";
import type { WrittenViolation } from "./fronts/front.js";
import { askForPlan, type Draft, type Setback } from "./planner.js";
import { attempted, isReentering, type Ran, violationOf } from "./running.js";

/** What plan mode ends with. */
export type Planned =
  | { readonly kind: "ran"; readonly ran: Ran }
  /** No plan has an answer. `isMendable`: whoever asks in another way may still find one. */
  | { readonly kind: "failed"; readonly error: PalimpsestError; readonly isMendable: boolean };

function noPlan(violations: readonly Violation[]): PalimpsestError {
  return new PalimpsestError("E_PLAN_INVALID", "the model wrote no plan that holds", {
    details: { violations },
    hint: "ask in other words, or name what is meant by its id",
  });
}

/** What came of one draft: its run, or what is wrong with it. */
type Tried =
  | { readonly kind: "ran"; readonly ran: Ran }
  | {
      readonly kind: "wrong";
      readonly error: PalimpsestError;
      readonly violations: readonly WrittenViolation[];
      readonly succeeded: readonly JsonObject[];
    };

async function tried(asking: Asking, draft: Draft, attempt: number): Promise<Tried> {
  if (draft.kind === "wrong") {
    const { plan, violations } = draft;
    asking.attempts.push({ plan, violations });
    return { kind: "wrong", error: noPlan(violations), violations, succeeded: [] };
  }
  asking.tell("plan", attempt, draft.plan as unknown as JsonObject);
  const { run, error } = await attempted(asking, draft.plan, undefined, draft.shown);
  for (const { id, op, status, rows_total } of run?.trace.steps ?? [])
    asking.tell("step", attempt, { id, op, status, rows_total });
  if (error === null) return { kind: "ran", ran: { plan: draft.plan, run: run! } };
  const { details } = error;
  const found = (details.violations as readonly Violation[] | undefined) ?? [violationOf(error)];
  const violations = found.map((violation) => draft.reading.told(violation));
  return { kind: "wrong", error, violations, succeeded: (details.steps ?? []) as readonly JsonObject[] };
}

/** Asks for plans and runs them until one has an answer. */
export async function planned(asking: Asking): Promise<Planned> {
  const { provider, limits, signal } = asking.input;
  const { front, fences, card, notes, context, budget, versions, onRetry } = asking;
  let last = null as Setback | null;
  let hasToldUnused = false;
  let error = noPlan([]);
  for (let attempt = 1; attempt <= limits.repairs + 1; attempt += 1) {
    if (budget.spent !== null) return { kind: "failed", error: spentError(budget.spent, limits), isMendable: false };
    const { draft, answer } = await askForPlan(
      {
        provider,
        front,
        fences,
        card,
        notes,
        context,
        verify: (plan) => asking.verify(plan),
        versions,
        signal,
        onRetry,
      },
      last,
      !hasToldUnused,
    );
    budget.charge(answer.usage);
    const outcome = await tried(asking, draft, attempt);
    if (outcome.kind === "ran") return outcome;
    ({ error } = outcome);
    if (!isReentering(error)) return { kind: "failed", error, isMendable: false };
    const { violations, succeeded } = outcome;
    hasToldUnused ||= violations.some(({ kind }) => kind === "unused_mention");
    asking.tell(
      "violations",
      attempt,
      violations.map(({ code, kind, step, path }) => ({ code, kind, step, path })),
    );
    // The same again is no repair.
    if (last?.written === draft.written) break;
    last = { written: draft.written, violations, left: limits.repairs - attempt, attempt, succeeded };
  }
  return { kind: "failed", error, isMendable: true };
}
