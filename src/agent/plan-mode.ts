// Plan mode: asks for whole plans and runs them, until one has an answer or the repairs are spent.
import { canonicalJson } from "../contract/canonical.js";
import { type ErrorCode, PalimpsestError } from "../contract/errors.js";
import type { JsonObject } from "../contract/values.js";
import { planDigest, type ResultStore, type Violation } from "../plan/index.js";
import { lacksAnswer, ranSteps, runViolations } from "./answer-errors.js";
import type { Asking } from "./asking.js";
import { spentError } from "./budget.js";
import type { WrittenViolation } from "./fronts/front.js";
import { askForPlan, type Draft } from "./planner.js";
import type { Setback } from "./planner-messages.js";
import { attempted, isReentering, type Ran, resultsWithin, violationOf } from "./running.js";

/** What plan mode ends with. */
export type Planned =
  | { readonly kind: "ran"; readonly ran: Ran }
  /** No plan has an answer. `isMendable`: whoever asks in another way may still find one. */
  | { readonly kind: "failed"; readonly error: PalimpsestError; readonly isMendable: boolean };

/** What is wrong with the last draft, where it is one thing: names that nobody gave, text of no form or without an end, wrong TQL. */
function codeOf(violations: readonly WrittenViolation[]): ErrorCode {
  const [first] = violations;
  if (first === undefined || violations.some(({ code }) => code !== first.code)) return "E_PLAN_INVALID";
  const isTold = ["E_GROUNDING", "E_SYNTAX"].includes(first.code) || ["no_plan", "output_cut"].includes(first.kind);
  return isTold ? (first.code as ErrorCode) : "E_PLAN_INVALID";
}

function noPlan(violations: readonly WrittenViolation[]): PalimpsestError {
  return new PalimpsestError(codeOf(violations), "the model wrote no plan that holds", {
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
      /** Where all steps ran and what is asked is not among their rows: an answer, if only that nothing is there. */
      readonly empty: Ran | null;
    };

async function tried(asking: Asking, draft: Draft, attempt: number, results: ResultStore): Promise<Tried> {
  if (draft.kind === "wrong") {
    const { plan, violations } = draft;
    asking.attempts.push({ plan, violations });
    return { kind: "wrong", error: noPlan(violations), violations, succeeded: [], empty: null };
  }
  asking.tell("plan", attempt, draft.plan as unknown as JsonObject);
  const { plan, reading, shown } = draft;
  const { run, error } = await attempted(asking, plan, results, shown);
  for (const { id, op, status, rows_total } of run?.trace.steps ?? [])
    asking.tell("step", attempt, { id, op, status, rows_total });
  if (error === null) return { kind: "ran", ran: { plan, run: run! } };
  const ofPlan = error.details.violations as readonly Violation[] | undefined;
  const found = ofPlan ?? (run === null ? [violationOf(error)] : runViolations(plan, run, error));
  const isEmpty = run !== null && lacksAnswer(run) && found.every(({ kind }) => kind === "no_row");
  return {
    kind: "wrong",
    error,
    violations: found.map((violation) => reading.told(violation)),
    succeeded: run === null ? [] : ranSteps(run),
    empty: isEmpty ? { plan, run } : null,
  };
}

/** What a draft is, whatever the thoughts and the spelling: the digest of its plan, where it has one. */
const identityOf = (draft: Draft): string =>
  draft.kind === "plan" ? planDigest(draft.plan) : canonicalJson(draft.plan ?? draft.written);

/** Asks for plans and runs them until one has an answer. */
export async function planned(asking: Asking): Promise<Planned> {
  const { provider, limits, signal } = asking.input;
  const { front, fences, card, notes, context, budget, versions, onRetry } = asking;
  let last = null as Setback | null;
  let lastIdentity: string | null = null;
  let error = noPlan([]);
  let empty: Ran | null = null;
  const results = resultsWithin(limits);
  for (let attempt = 1; attempt <= limits.repairs + 1; attempt += 1) {
    if (budget.spent !== null) return { kind: "failed", error: spentError(budget.spent, limits), isMendable: false };
    const { draft, usage } = await askForPlan(
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
      !asking.hasToldUnused,
    );
    budget.charge(usage);
    const outcome = await tried(asking, draft, attempt, results);
    if (outcome.kind === "ran") return outcome;
    ({ error, empty } = outcome);
    if (!isReentering(error)) return { kind: "failed", error, isMendable: false };
    const { violations, succeeded } = outcome;
    asking.hasToldUnused ||= violations.some(({ kind }) => kind === "unused_mention");
    asking.tell(
      "violations",
      attempt,
      violations.map(({ code, kind, step, path }) => ({ code, kind, step, path })),
    );
    // The same again is no repair.
    const identity = identityOf(draft);
    if (lastIdentity === identity) break;
    lastIdentity = identity;
    last = { written: draft.written, violations, left: limits.repairs - attempt, attempt, succeeded };
  }
  return empty === null ? { kind: "failed", error, isMendable: true } : { kind: "ran", ran: empty };
}
