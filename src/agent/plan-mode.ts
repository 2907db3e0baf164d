// Plan mode: asks for whole plans and runs them, until one has an answer or the repairs are spent.
import { type ErrorCode, PalimpsestError } from "../contract/errors.js";
import type { JsonObject } from "../contract/values.js";
import type { Violation } from "../plan/index.js";
import type { Asking } from "./asking.js";
import { spentError } from "./budget.js";
import { askForPlan, type Draft, type Setback } from "./planner.js";
import { type Ran, ranPlan } from "./running.js";

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

/** What plan mode ends with. */
export type Planned =
  | { readonly kind: "ran"; readonly ran: Ran }
  /** No plan has an answer. `isMendable`: whoever asks in another way may still find one. */
  | { readonly kind: "failed"; readonly error: PalimpsestError; readonly isMendable: boolean };

/** The error of a run as a violation, so that the next plan knows of it. */
function violationOf(error: PalimpsestError): Violation {
  const { code, message, hint, details } = error;
  const step = typeof details.step === "string" ? details.step : null;
  return { code, kind: "run_error", step, path: step === null ? "" : `/steps/${step}`, message, hint };
}

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
      readonly violations: readonly Violation[];
      readonly succeeded: readonly JsonObject[];
    };

async function tried(asking: Asking, draft: Draft, attempt: number): Promise<Tried> {
  if (draft.kind === "wrong") {
    const { plan, violations } = draft;
    asking.attempts.push({ plan, violations });
    return { kind: "wrong", error: noPlan(violations), violations, succeeded: [] };
  }
  asking.tell("plan", attempt, draft.plan as unknown as JsonObject);
  const ran = await ranPlan(asking, draft.plan, attempt);
  if (!(ran instanceof PalimpsestError)) return { kind: "ran", ran };
  const { code, details } = ran;
  const violations = code === "E_PLAN_INVALID" ? (details.violations as readonly Violation[]) : [violationOf(ran)];
  return { kind: "wrong", error: ran, violations, succeeded: (details.steps ?? []) as readonly JsonObject[] };
}

/** Asks for plans and runs them until one has an answer. */
export async function planned(asking: Asking): Promise<Planned> {
  const { provider, limits, signal } = asking.input;
  const { fences, card, context, budget, versions, onRetry } = asking;
  let last = null as Setback | null;
  let hasToldUnused = false;
  let error = noPlan([]);
  for (let attempt = 1; attempt <= limits.repairs + 1; attempt += 1) {
    if (budget.spent !== null) return { kind: "failed", error: spentError(budget.spent, limits), isMendable: false };
    const { draft, answer } = await askForPlan(
      {
        provider,
        fences,
        card,
        context,
        mostSteps: limits.steps,
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
