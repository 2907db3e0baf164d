// The static verifier: everything that is wrong with a plan, found before anything runs.
// Pure and synchronous; never throws, whatever it is given.
import { internalError } from "../../contract/errors.js";
import { nearestNames } from "../../contract/nearest.js";
import { lookUp, type Operator, operatorNames } from "../../operators/registry.js";
import type { AnyOutput, ObjectOutput } from "../output-types.js";
import type { Plan, Violation } from "../plan.js";
import { looksLikeReference, parsePath, pointer, referencesIn } from "../references.js";
import { checkAnswer } from "./answer.js";
import { NOTHING_KNOWN, type VerifyContext } from "./context.js";
import { checkGrounding } from "./grounding.js";
import { circleOf, orderSteps } from "./order.js";
import { type ReadAnswer, type ReadStep, readPlain, readSteps } from "./read-plan.js";
import { type JudgedStep, judgeStep, type KnownReference } from "./step.js";
import { checkAgainstStore } from "./store-checks.js";
import { Violations } from "./violations.js";

export interface Verification {
  readonly valid: boolean;
  /** All that were found, by step and path. */
  readonly violations: readonly Violation[];
}

/** A plan that verifies: its steps in the order in which they can run. */
export interface VerifiedPlan {
  /** A plain copy of what was given. */
  readonly given: Plan;
  readonly answer: ReadAnswer;
  readonly steps: readonly JudgedStep[];
  readonly inPlanOrder: readonly JudgedStep[];
}

const argsPath = (step: ReadStep, place: readonly (string | number)[]) => ({
  position: step.position,
  step: step.id,
  path: `/steps/${step.position}/args${pointer(place)}`,
});
const MOST_WRONG_TEXTS = 20;

/** The references of a step that name a step of the plan; the others are told. */
function referencesOf(step: ReadStep, ids: ReadonlySet<string>, violations: Violations): KnownReference[] {
  let texts = 0;
  const placed = referencesIn(step.args, (text, place) => {
    if (!looksLikeReference(text, ids) || texts >= MOST_WRONG_TEXTS) return;
    texts += 1;
    violations.add(argsPath(step, place), {
      code: "E_PLAN_INVALID",
      kind: "reference_in_text",
      message: `${JSON.stringify(text.slice(0, 100))} is a text and not a reference`,
      hint: 'a reference is an object: {"$ref": "s1.rows[0].uid"}',
    });
  });
  return placed.flatMap((reference) => {
    const bad = (kind: string, message: string, hint: string): KnownReference[] => {
      violations.add(argsPath(step, reference.place), { code: "E_PLAN_INVALID", kind, message, hint });
      return [];
    };
    const { $ref, beside } = reference;
    if (typeof $ref !== "string") return bad("bad_reference", "$ref is no text", 'write {"$ref": "s1.rows[0].uid"}');
    if (beside.length > 0) {
      return bad("bad_reference", `${beside.join(", ")} beside $ref`, "$ref is the only key of its object");
    }
    const parsed = parsePath($ref);
    if (parsed.kind === "wrong") return bad("bad_reference", parsed.message, parsed.hint);
    const { path } = parsed;
    if (path.step === step.id) return bad("self_reference", `${$ref}: a step cannot refer to itself`, "");
    if (!ids.has(path.step)) {
      const near = nearestNames(path.step, ids, 1);
      const hint = near.length > 0 ? `did you mean ${near[0]}?` : `the steps are ${[...ids].slice(0, 20).join(", ")}`;
      return bad("unknown_step", `${$ref}: there is no step ${path.step}`, hint);
    }
    return [{ ...reference, path }];
  });
}

function checkDependsOn(step: ReadStep, ids: ReadonlySet<string>, violations: Violations): string[] {
  return step.dependsOn.filter((id, i) => {
    if (ids.has(id) && id !== step.id) return true;
    const path = `/steps/${step.position}/depends_on/${i}`;
    violations.add(
      { position: step.position, step: step.id, path },
      id === step.id
        ? { code: "E_PLAN_INVALID", kind: "self_reference", message: `${id} cannot wait for itself` }
        : {
            code: "E_PLAN_INVALID",
            kind: "unknown_step",
            message: `there is no step ${JSON.stringify(id.slice(0, 100))}`,
            hint: `the steps are ${[...ids].slice(0, 20).join(", ")}`,
          },
    );
    return false;
  });
}

function operatorOf(step: ReadStep, violations: Violations): Operator | null {
  if (operatorNames().includes(step.op)) return lookUp(step.op);
  const nearest = nearestNames(step.op, operatorNames());
  const known = nearest.length > 0 ? `did you mean ${nearest.join(", ")}?` : `known: ${operatorNames().join(", ")}`;
  violations.add(
    { position: step.position, step: step.id, path: `/steps/${step.position}/op` },
    {
      code: "E_NOT_FOUND",
      kind: "unknown_operator",
      message: `there is no operator ${JSON.stringify(step.op.slice(0, 100))}`,
      // A call beside the operators, and so in no plan.
      hint: step.op === "query_tql" ? "query_tql is a call of loops and of MCP alone: write steps of operators" : known,
    },
  );
  return null;
}

interface Wired {
  readonly id: string;
  readonly step: ReadStep;
  readonly references: readonly KnownReference[];
  readonly needs: ReadonlySet<string>;
}

/** Steps with distinct ids and what each refers to, in an order in which they can run. */
function wire(steps: readonly ReadStep[], violations: Violations): readonly Wired[] {
  const ids = new Set(steps.map(({ id }) => id));
  const seen = new Set<string>();
  const wired: Wired[] = [];
  for (const step of steps) {
    const references = referencesOf(step, ids, violations);
    const needs = new Set([...references.map(({ path }) => path.step), ...checkDependsOn(step, ids, violations)]);
    if (seen.has(step.id)) {
      violations.add(
        { position: step.position, step: step.id, path: `/steps/${step.position}/id` },
        {
          code: "E_PLAN_INVALID",
          kind: "duplicate_step",
          message: `two steps are called ${step.id}`,
          hint: "give each step an id of its own",
        },
      );
    } else wired.push({ id: step.id, step, references, needs });
    seen.add(step.id);
  }
  const { order, stuck } = orderSteps(wired);
  for (const each of stuck) {
    const circle = circleOf(each, stuck);
    if (circle === undefined) continue;
    violations.add(
      { position: each.step.position, step: each.id, path: `/steps/${each.step.position}` },
      {
        code: "E_PLAN_INVALID",
        kind: "cycle",
        message: `the steps wait for each other: ${circle.slice(0, 20).join(" → ")}`,
        hint: "a step may refer to any other that does not need it",
      },
    );
  }
  return [...order, ...stuck];
}

function judge(given: unknown, context: VerifyContext, violations: Violations): VerifiedPlan | null {
  const plain = readPlain(given, violations);
  const plan = plain === undefined ? null : readSteps(plain, violations);
  if (plan === null) return null;
  const wired = wire(plan.steps, violations);
  const outputs = new Map<string, ObjectOutput | AnyOutput>();
  const judged = new Map<string, JudgedStep>();
  for (const { id, step, references } of wired) {
    const operator = operatorOf(step, violations);
    if (operator === null || !step.hasArguments) continue;
    const one = judgeStep(step, operator, references, outputs, violations, context.properties);
    judged.set(id, one);
    outputs.set(id, one.output);
  }
  const steps = [...judged.values()];
  if (context.identifiers !== null) checkGrounding(steps, context.identifiers, context.store, violations);
  if (context.store !== null) checkAgainstStore(steps, context.store, violations);
  const ids = new Set(plan.steps.map(({ id }) => id));
  if (plan.answer === null || plan.steps.length === 0) return null;
  checkAnswer(plan.answer, { outputs, ids, steps: judged }, violations);
  const inPlanOrder = [...steps].sort((a, b) => a.step.position - b.step.position);
  return { given: plain as unknown as Plan, answer: plan.answer, steps, inPlanOrder };
}

/** The plan in the form that the executor takes, or what is wrong with it. */
export function readVerified(
  given: unknown,
  context: VerifyContext = NOTHING_KNOWN,
): { readonly verified: VerifiedPlan } | { readonly violations: readonly Violation[] } {
  const violations = new Violations();
  let verified: VerifiedPlan | null = null;
  try {
    verified = judge(given, context, violations);
  } catch (error) {
    const { code, message, hint } = internalError(error);
    violations.add({ position: null, step: null, path: "" }, { code, kind: "internal", message, hint });
  }
  return verified !== null && violations.isEmpty ? { verified } : { violations: violations.sorted() };
}

/** Everything that is wrong with a plan. */
export function verifyPlan(given: unknown, context: VerifyContext = NOTHING_KNOWN): Verification {
  const read = readVerified(given, context);
  return "verified" in read ? { valid: true, violations: [] } : { valid: false, violations: read.violations };
}
