// The front in which a model writes the plan itself, as JSON.
import type { JsonObject, JsonValue } from "../../contract/values.js";
import { operatorNames } from "../../operators/registry.js";
import type { Plan } from "../../plan/index.js";
import type { NamedSchema } from "../provider/capability.js";
import {
  ANSWER_KEYS,
  type Front,
  isObject,
  tooManySteps,
  unknownKeys,
  type WrittenViolation,
  wrongForm,
} from "./front.js";
import { fullPlanSchema } from "./full-schema.js";
import { type Guided, guidedJson } from "./guided.js";
import { closedSchema, planSchema, stepIdSchema } from "./schemas.js";

const STEP_ID = /^s[1-9][0-9]?$/;
/** Members that a plan of a model may have. */
const PLAN_KEYS: readonly string[] = ["thought", "steps", "answer"];
const STEP_KEYS: readonly string[] = ["id", "op", "args", "depends_on"];

/** The skeleton and the names of operators; arguments are free (`guided: "shape"`). */
export function planShape(mostSteps: number): NamedSchema {
  const op: JsonObject = { type: "string", enum: [...operatorNames()] };
  return planSchema(closedSchema({ id: stepIdSchema, op, args: { type: "object" } }), mostSteps);
}

const isPlan = (value: JsonObject): boolean => Array.isArray(value.steps) && isObject(value.answer);

function stepViolations(step: JsonValue, position: number): readonly WrittenViolation[] {
  if (!isObject(step)) return [];
  const found = unknownKeys(step, STEP_KEYS, `/steps/${position}`);
  if (typeof step.id === "string" && !STEP_ID.test(step.id)) {
    const message = `${JSON.stringify(step.id.slice(0, 64))} is no id of a step`;
    found.push(wrongForm("bad_id", `/steps/${position}/id`, message, "s1, s2, ..."));
  }
  return found;
}

/** What the profile of the agent forbids that plans in general may have. */
function profileViolations(value: JsonObject, mostSteps: number): readonly WrittenViolation[] {
  const steps = value.steps as readonly JsonValue[];
  return [
    ...unknownKeys(value, PLAN_KEYS, ""),
    ...(steps.length > mostSteps ? [tooManySteps(steps.length, mostSteps, "/steps")] : []),
    ...steps.flatMap(stepViolations),
    ...(isObject(value.answer) ? unknownKeys(value.answer, ANSWER_KEYS, "/answer") : []),
  ];
}

const SCHEMAS: Readonly<Record<ReturnType<typeof guidedJson>, (mostSteps: number) => NamedSchema | null>> = {
  shape: planShape,
  full: fullPlanSchema,
  off: () => null,
};

export function jsonFront(mostSteps: number, guided: Guided): Front {
  return {
    name: "json",
    schema: SCHEMAS[guidedJson(guided)](mostSteps),
    form: '{"thought": .., "steps": [..], "answer": {..}}',
    fits: isPlan,
    read(value) {
      const { thought: _thought, ...plan } = value;
      return {
        plan: plan as unknown as Plan,
        violations: profileViolations(value, mostSteps),
        told: (violation) => violation,
      };
    },
  };
}
