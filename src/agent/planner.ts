// From a question to a plan: asks the model, holds what it wrote against the profile of plans, the static verifier and the
// agent's own checks. Knows no results.
import { canonicalJson } from "../contract/canonical.js";
import type { JsonObject, JsonValue } from "../contract/values.js";
import { operatorNames } from "../operators/registry.js";
import type { Plan, Verification, Violation } from "../plan/index.js";
import { ANSWER_KINDS } from "../plan/schema.js";
import { agentViolations, type PlanContext } from "./plan-checks.js";
import type { Fences } from "./prompt/fence.js";
import { plannerSystem } from "./prompt/systems.js";
import type { NamedSchema } from "./provider/capability.js";
import type { ModelAnswer, Provider } from "./provider/provider.js";
import type { ChatMessage } from "./provider/wire.js";

const LONGEST_THOUGHT = 600;
const MOST_PARTS = 3;
const LONGEST_PATH = 200;
const MOST_SHOWN_VIOLATIONS = 8;
const LONGEST_ATTEMPT = 6_000;
const STEP_ID = /^s[1-9][0-9]?$/;

/** The skeleton and the names of operators; arguments are free (`guided: "shape"`). */
export function planShape(mostSteps: number): NamedSchema {
  const text = (maxLength: number): JsonObject => ({ type: "string", maxLength });
  const part: JsonObject = { kind: { type: "string", enum: [...ANSWER_KINDS] }, from: text(LONGEST_PATH) };
  const closed = (properties: JsonObject, required: readonly string[]): JsonObject => ({
    type: "object",
    properties,
    required: [...required],
    additionalProperties: false,
  });
  const step = closed({ id: text(3), op: { type: "string", enum: [...operatorNames()] }, args: { type: "object" } }, [
    "id",
    "op",
    "args",
  ]);
  const also: JsonObject = { type: "array", maxItems: MOST_PARTS, items: closed(part, ["kind", "from"]) };
  const schema = closed(
    {
      thought: text(LONGEST_THOUGHT),
      steps: { type: "array", minItems: 1, maxItems: mostSteps, items: step },
      answer: closed({ ...part, also }, ["kind", "from"]),
    },
    ["thought", "steps", "answer"],
  );
  return { name: "plan", schema };
}

/** What came of asking once. */
export type Draft =
  | { readonly kind: "plan"; readonly plan: Plan; readonly written: string }
  | {
      readonly kind: "wrong";
      readonly violations: readonly Violation[];
      readonly plan: JsonValue;
      readonly written: string;
    };

/** A plan that did not verify, or did not run: what the next attempt is told. */
export interface Setback {
  readonly written: string;
  readonly violations: readonly Violation[];
  readonly left: number;
  readonly attempt: number;
  /** Digests of steps that succeeded: they are not run again. */
  readonly succeeded: readonly JsonObject[];
}

export interface PlannerInput {
  readonly provider: Provider;
  readonly fences: Fences;
  readonly card: readonly JsonValue[];
  readonly context: PlanContext;
  readonly mostSteps: number;
  readonly verify: (plan: unknown) => Verification;
  readonly versions: JsonObject;
  readonly signal: AbortSignal;
  readonly onRetry?: (attempt: number, kind: string) => void;
}

/** The user's message: the card and the question in their fences, and what is to be done. */
export function questionText(
  { fences, card, context }: Pick<PlannerInput, "fences" | "card" | "context">,
  task: string,
): string {
  const mentions = context.mentions.map(
    ({ id, kind, uid, value, text }): JsonValue => ({
      id,
      kind,
      ...(uid === undefined ? {} : { uid }),
      ...(value === undefined ? { text } : { value }),
    }),
  );
  return [
    fences.notice,
    fences.around("card", card),
    fences.around("question", [context.question, ...mentions]),
    task,
  ].join("\n");
}

function repairText({ fences }: PlannerInput, { violations, left, attempt, succeeded }: Setback): string {
  const shown = violations.slice(0, MOST_SHOWN_VIOLATIONS).map(
    ({ code, kind, step, path, message, hint }): JsonValue => ({
      code,
      kind,
      step,
      path,
      message,
      legal: hint,
    }),
  );
  const told: JsonValue[] = [
    { attempt, left },
    ...shown,
    ...(succeeded.length === 0 ? [] : [{ succeeded: [...succeeded] }]),
  ];
  return [
    "That plan does not hold. What is wrong with it, as data:",
    fences.around("errors", told),
    "Write the whole plan again, mended.",
  ].join("\n");
}

function messagesOf(input: PlannerInput, last: Setback | null): readonly ChatMessage[] {
  const asked: ChatMessage[] = [
    { role: "system", content: plannerSystem().text },
    { role: "user", content: questionText(input, "Plan for q.") },
  ];
  if (last === null) return asked;
  const written = last.written.slice(0, LONGEST_ATTEMPT);
  return [...asked, { role: "assistant", content: written }, { role: "user", content: repairText(input, last) }];
}

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const hasPlan = (value: JsonObject): boolean => Array.isArray(value.steps) && isObject(value.answer);

const wrongForm = (kind: string, path: string, message: string, hint: string): Violation => ({
  code: "E_SCHEMA",
  kind,
  step: null,
  path,
  message,
  hint,
});

/** Members that a plan of a model may have, at each of its levels. */
const PLAN_KEYS: readonly string[] = ["thought", "steps", "answer"];
const STEP_KEYS: readonly string[] = ["id", "op", "args", "depends_on"];
const ANSWER_KEYS: readonly string[] = ["kind", "from", "also"];

function unknownKeys(value: JsonObject, legal: readonly string[], path: string): Violation[] {
  return Object.keys(value)
    .filter((key) => !legal.includes(key))
    .map((key) =>
      wrongForm(
        "unknown_key",
        `${path}/${key.slice(0, 64)}`,
        `${JSON.stringify(key.slice(0, 64))} is no member here`,
        `legal: ${legal.join(", ")}`,
      ),
    );
}

/** What the profile of the agent forbids that plans in general may have. */
function profileViolations(value: JsonObject, mostSteps: number): readonly Violation[] {
  const steps = value.steps as readonly JsonValue[];
  const found = unknownKeys(value, PLAN_KEYS, "");
  if (steps.length > mostSteps) {
    found.push(
      wrongForm(
        "too_many_steps",
        "/steps",
        `${steps.length} steps are more than ${mostSteps}`,
        "group and count in one call",
      ),
    );
  }
  for (const [i, step] of steps.entries()) {
    if (!isObject(step)) continue;
    found.push(...unknownKeys(step, STEP_KEYS, `/steps/${i}`));
    if (typeof step.id === "string" && !STEP_ID.test(step.id)) {
      found.push(
        wrongForm(
          "bad_id",
          `/steps/${i}/id`,
          `${JSON.stringify(step.id.slice(0, 64))} is no id of a step`,
          "s1, s2, ...",
        ),
      );
    }
  }
  if (isObject(value.answer)) found.push(...unknownKeys(value.answer, ANSWER_KEYS, "/answer"));
  return found;
}

function judged(input: PlannerInput, value: JsonObject, written: string, isStrict: boolean): Draft {
  const { thought: _thought, ...plan } = value;
  const ofForm = profileViolations(value, input.mostSteps);
  const verification = input.verify(plan);
  const own = verification.valid ? agentViolations(plan as unknown as Plan, input.context, isStrict) : [];
  const violations = [...ofForm, ...verification.violations, ...own];
  if (violations.length > 0) return { kind: "wrong", violations, plan, written };
  return { kind: "plan", plan: plan as unknown as Plan, written };
}

export interface Planned {
  readonly draft: Draft;
  readonly answer: ModelAnswer;
}

/** Asks for a plan once. `isStrict`: mentions that the plan leaves out are told. */
export async function askForPlan(input: PlannerInput, last: Setback | null, isStrict: boolean): Promise<Planned> {
  const { provider, fences, versions, signal, onRetry, mostSteps } = input;
  const answer = await provider.ask({
    messages: messagesOf(input, last),
    schema: planShape(mostSteps),
    fits: hasPlan,
    keyed: (text) => fences.withoutTag(text),
    versions: { ...versions, prompt: plannerSystem().digest },
    signal,
    ...(onRetry === undefined ? {} : { onRetry }),
  });
  if (answer.kind === "wrong") {
    const violation = wrongForm(
      "no_plan",
      "",
      answer.message,
      'write {"thought": .., "steps": [..], "answer": {..}} and nothing else',
    );
    return { answer, draft: { kind: "wrong", violations: [violation], plan: null, written: answer.text } };
  }
  const written = canonicalJson(answer.value);
  if (!hasPlan(answer.value)) {
    const violation = wrongForm(
      "no_plan",
      "",
      "there are no steps, or there is no answer",
      "a plan has steps and an answer",
    );
    return { answer, draft: { kind: "wrong", violations: [violation], plan: answer.value, written } };
  }
  return { answer, draft: judged(input, answer.value, written, isStrict) };
}
