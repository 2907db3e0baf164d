// The plan that grows by one call after the other: each is held against the checks of plans, literals that were copied from
// results become references, and it is run on what the steps before it gave.
import { canonicalJson } from "../../contract/canonical.js";
import { PalimpsestError } from "../../contract/errors.js";
import type { JsonObject } from "../../contract/values.js";
import { type Plan, type PlanStep, ResultStore, type StepRecord, type Violation } from "../../plan/index.js";
import type { StepAnswer } from "../../plan/run/step-answer.js";
import type { Asking } from "../asking.js";
import { agentViolations } from "../plan-checks.js";
import { isReentering, runAt, violationOf } from "../running.js";
import { KnownCells } from "./known-cells.js";
import { withGroundedTexts, withReferencedValues } from "./rewrite.js";

export interface Call {
  readonly op: string;
  readonly args: JsonObject;
}

/** A step that has run: the handle of a call. */
export interface RunStep {
  readonly id: string;
  readonly answer: StepAnswer;
  readonly record: StepRecord;
}

export type Added =
  | { readonly kind: "new" | "same"; readonly step: RunStep }
  | { readonly kind: "wrong"; readonly violations: readonly Violation[] }
  /** Nothing that a model could mend. */
  | { readonly kind: "failed"; readonly error: PalimpsestError };

/** Violations of a call name no step of a plan, which the model has not written. */
const ofCall = (violation: Violation): Violation => ({
  ...violation,
  step: null,
  path: violation.path.replace(/^\/steps\/\w+/, ""),
});

export class GrowingPlan {
  /** What the steps gave; every run of a longer plan takes it from here. */
  readonly results: ResultStore;
  private readonly planSteps: PlanStep[] = [];
  private readonly done: RunStep[] = [];
  private readonly byCall = new Map<string, RunStep>();
  private readonly cells = new KnownCells();
  private heldRows = 0;

  constructor(private readonly asking: Asking) {
    // It takes no answer that is more than a quarter of it.
    this.results = new ResultStore(4 * (asking.input.limits.rows_held + 1));
  }

  get steps(): readonly PlanStep[] {
    return this.planSteps;
  }

  /** The calls that hold, in their order. */
  get handles(): readonly RunStep[] {
    return this.done;
  }

  /** Adds a call as the next step; one that is there already is the step that it is. */
  async add(call: Call): Promise<Added> {
    const written = canonicalJson(call);
    const id = `s${this.done.length + 1}`;
    const { step, violations } = this.judged({ id, ...call });
    if (violations.length > 0) return { kind: "wrong", violations: violations.map(ofCall) };
    const key = canonicalJson({ op: step.op, args: step.args });
    const same = this.byCall.get(written) ?? this.byCall.get(key);
    if (same !== undefined) return { kind: "same", step: same };
    const run = await this.ran(step);
    if (run instanceof PalimpsestError) {
      if (!isReentering(run)) return { kind: "failed", error: run };
      return { kind: "wrong", violations: [ofCall(violationOf(run))] };
    }
    this.planSteps.push(step);
    this.done.push(run);
    this.cells.add(id, run.answer);
    for (const each of [written, key]) this.byCall.set(each, run);
    return { kind: "new", step: run };
  }

  /** The plan with one more step, which has no answer of its own yet. */
  private longer(step: PlanStep): Plan {
    return { steps: [...this.planSteps, step], answer: { kind: "value", from: `${step.id}.complete` } };
  }

  private violations(step: PlanStep): readonly Violation[] {
    const plan = this.longer(step);
    const found = this.asking.verify(plan).violations;
    return found.length > 0 ? found : agentViolations(plan, this.asking.context, false);
  }

  /** The step with what its literals came from, or as it was written where that does not hold. */
  private judged(written: PlanStep): { readonly step: PlanStep; readonly violations: readonly Violation[] } {
    const { mentions } = this.asking;
    const position = this.planSteps.length;
    const args = written.args ?? {};
    const referenced = withReferencedValues(written.op, args, this.cells, mentions);
    let first: { step: PlanStep; violations: readonly Violation[] } | null = null;
    for (const form of referenced === args ? [args] : [referenced, args]) {
      let step = { ...written, args: form };
      let violations = this.violations(step);
      const grounded = withGroundedTexts(form, violations, position, this.cells);
      if (grounded !== form) {
        step = { ...written, args: grounded };
        violations = this.violations(step);
      }
      if (violations.length === 0) return { step, violations };
      first = { step, violations };
    }
    return first!;
  }

  private async ran(step: PlanStep): Promise<RunStep | PalimpsestError> {
    const { limits } = this.asking.input;
    const { trace, answers, error } = await runAt(this.asking, this.longer(step), this.results);
    if (error !== null) return error;
    const record = trace.steps.find(({ id }) => id === step.id)!;
    this.heldRows += record.rows_held ?? 0;
    if (this.heldRows > limits.rows_held) {
      this.heldRows -= record.rows_held ?? 0;
      return new PalimpsestError(
        "E_COST",
        `all results together hold more than limits.rows_held = ${limits.rows_held}`,
        {
          details: { limit: "rows_held" },
          hint: "group and count in the call, or give it a limit",
        },
      );
    }
    return { id: step.id, answer: answers.get(step.id)!, record };
  }
}
