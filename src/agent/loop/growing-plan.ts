// The plan that grows by one call after the other: each is held against the checks of plans, literals that were copied from
// results become references, and it is run on what the steps before it gave.
import { canonicalJson } from "../../contract/canonical.js";
import { PalimpsestError } from "../../contract/errors.js";
import type { JsonObject, JsonValue } from "../../contract/values.js";
import type { Plan, PlanStep, ResultStore, StepRecord, Violation } from "../../plan/index.js";
import type { StepAnswer } from "../../plan/run/step-answer.js";
import type { Asking } from "../asking.js";
import { agentViolations } from "../plan-checks.js";
import { isReentering, resultsWithin, runAt, violationOf } from "../running.js";
import { KnownCells } from "./known-cells.js";
import { withGroundedTexts, withReferencedValues } from "./rewrite.js";
import { QUERY_TQL, tqlSteps } from "./tql-call.js";

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

/** The steps of a call, and what is wrong with them. */
interface Judged {
  readonly steps: readonly PlanStep[];
  readonly violations: readonly Violation[];
}

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

  constructor(private readonly asking: Asking) {
    this.results = resultsWithin(asking.input.limits);
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
    const found = call.op === QUERY_TQL ? tqlSteps(id, call.args, this.asking.input) : [{ id, ...call }];
    if ("violations" in found) return { kind: "wrong", violations: found.violations };
    const { steps, violations } = this.judged(found);
    if (violations.length > 0) return { kind: "wrong", violations: violations.map(ofCall) };
    const key = canonicalJson(steps.map(({ op, args }) => ({ op, args })) as unknown as JsonValue);
    const same = this.byCall.get(written) ?? this.byCall.get(key);
    if (same !== undefined) return { kind: "same", step: same };
    const run = await this.ran(id, steps);
    if (run instanceof PalimpsestError) {
      if (!isReentering(run)) return { kind: "failed", error: run };
      return { kind: "wrong", violations: [ofCall(violationOf(run))] };
    }
    this.planSteps.push(...steps);
    this.done.push(run);
    this.cells.add(id, run.answer);
    for (const each of [written, key]) this.byCall.set(each, run);
    return { kind: "new", step: run };
  }

  /** The plan with more steps, of which the last has no answer of its own yet. */
  private longer(steps: readonly PlanStep[]): Plan {
    return { steps: [...this.planSteps, ...steps], answer: { kind: "value", from: `${steps.at(-1)!.id}.complete` } };
  }

  private violations(steps: readonly PlanStep[]): readonly Violation[] {
    const plan = this.longer(steps);
    const found = this.asking.verify(plan).violations;
    return found.length > 0 ? found : agentViolations(plan, this.asking.context, false);
  }

  /** The steps with what their literals came from, or as they were written where that does not hold. */
  private judged(written: readonly PlanStep[]): Judged {
    const { context } = this.asking;
    const referenced = written.map((step) => ({
      ...step,
      args: withReferencedValues(step.op, step.args ?? {}, this.cells, context),
    }));
    const first = this.grounded(referenced);
    const isOther = referenced.some(({ args }, i) => args !== written[i]!.args);
    return first.violations.length > 0 && isOther ? this.grounded(written) : first;
  }

  /** The steps with every text that nobody named made a reference to the cell that holds it. */
  private grounded(steps: readonly PlanStep[]): Judged {
    const violations = this.violations(steps);
    const position = this.planSteps.length;
    const grounded = steps.map((step, i) => ({
      ...step,
      args: withGroundedTexts(step.args ?? {}, violations, position + i, this.cells),
    }));
    const isOther = grounded.some(({ args }, i) => args !== steps[i]!.args);
    return isOther ? { steps: grounded, violations: this.violations(grounded) } : { steps, violations };
  }

  private async ran(id: string, steps: readonly PlanStep[]): Promise<RunStep | PalimpsestError> {
    const { limits } = this.asking.input;
    const { trace, answers, error } = await runAt(this.asking, this.longer(steps), this.results);
    if (error !== null) return error;
    const held = trace.steps.reduce((sum, { rows_held }) => sum + (rows_held ?? 0), 0);
    if (held > limits.rows_held) {
      return new PalimpsestError(
        "E_COST",
        `all results together hold more than limits.rows_held = ${limits.rows_held}`,
        {
          details: { limit: "rows_held" },
          hint: "group and count in the call, or give it a limit",
        },
      );
    }
    const record = trace.steps.find((step) => step.id === id)!;
    return { id, answer: answers.get(id)!, record };
  }
}
