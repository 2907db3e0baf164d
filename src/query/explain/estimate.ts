// What each step of a plan is estimated to take, where its arguments are known before it runs.
// The same figures that decide E_COST.
import { PalimpsestError } from "../../contract/errors.js";
import type { JsonObject } from "../../contract/values.js";
import type { OperatorEngine, Statistics } from "../../operators/engine.js";
import { lookUp } from "../../operators/registry.js";
import type { Plan, PlanStep } from "../../plan/plan.js";

type Estimated = { readonly rows: number | null; readonly steps: number | null };
const UNKNOWN: Estimated = { rows: null, steps: null };

const hasReference = (value: unknown): boolean =>
  typeof value === "object" &&
  value !== null &&
  ("$ref" in value || Object.values(value).some((member) => hasReference(member)));

function estimate({ op, args = {} }: PlanStep, statistics: Statistics): Estimated {
  const operator = lookUp(op);
  if (hasReference(args) || operator.declaration.pins === null) return UNKNOWN;
  try {
    const { rows, steps } = operator.declaration.cost(operator.reread({ ...args, limit: 1 } as JsonObject), statistics);
    return { rows, steps };
  } catch (error) {
    // Arguments that only the data completes: the step itself will tell.
    if (error instanceof PalimpsestError) return UNKNOWN;
    throw error;
  }
}

export function estimateOf({ steps }: Plan, engine: OperatorEngine): (step: PlanStep) => Estimated {
  const pinned = engine.pin(engine.headTx());
  try {
    const statistics = pinned.statistics();
    const known = new Map(steps.map((step) => [step.id, estimate(step, statistics)]));
    return ({ id }) => known.get(id)!;
  } finally {
    pinned.release();
  }
}
