// From a question to a plan: asks the model, has what it wrote read by the front, and holds it against the static verifier and
// the agent's own checks. Knows no results.
import { canonicalJson } from "../contract/canonical.js";
import type { JsonObject, JsonValue } from "../contract/values.js";
import type { Plan, Verification } from "../plan/index.js";
import { type Front, type Reading, type WrittenViolation, wrongForm } from "./fronts/front.js";
import { agentViolations, type PlanContext } from "./plan-checks.js";
import type { Fences } from "./prompt/fence.js";
import { plannerSystem, wholePlanner } from "./prompt/systems.js";
import type { ModelAnswer, Provider } from "./provider/provider.js";
import type { ChatMessage } from "./provider/wire.js";

const MOST_SHOWN_VIOLATIONS = 8;

/** What came of asking once. */
export type Draft =
  | {
      readonly kind: "plan";
      readonly plan: Plan;
      readonly reading: Reading;
      /** What the model wrote, without its thoughts. */
      readonly shown: JsonValue;
      readonly written: string;
    }
  | {
      readonly kind: "wrong";
      readonly violations: readonly WrittenViolation[];
      readonly plan: JsonValue;
      readonly written: string;
    };

/** A plan that did not verify, or did not run: what the next attempt is told. */
export interface Setback {
  readonly written: string;
  readonly violations: readonly WrittenViolation[];
  readonly left: number;
  readonly attempt: number;
  /** Digests of steps that succeeded: they are not run again. */
  readonly succeeded: readonly JsonObject[];
}

export interface PlannerInput {
  readonly provider: Provider;
  readonly front: Front;
  readonly fences: Fences;
  readonly card: readonly JsonValue[];
  readonly notes: readonly JsonValue[];
  readonly context: PlanContext;
  readonly verify: (plan: unknown) => Verification;
  readonly versions: JsonObject;
  readonly signal: AbortSignal;
  readonly onRetry?: (attempt: number, kind: string) => void;
}

/** The user's message: card, notes and question in their fences, and what is to be done. */
export function questionText(
  { fences, card, notes, context }: Pick<PlannerInput, "fences" | "card" | "notes" | "context">,
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
    ...(notes.length === 0 ? [] : [fences.around("notes", notes)]),
    fences.around("question", [context.question, ...mentions]),
    task,
  ].join("\n");
}

function repairText({ fences }: PlannerInput, { violations, left, attempt, succeeded }: Setback): string {
  const shown = violations
    .slice(0, MOST_SHOWN_VIOLATIONS)
    .map(({ hint, ...violation }): JsonValue => ({ ...violation, legal: hint }));
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
    { role: "system", content: plannerSystem(wholePlanner(input.front.name)).text },
    { role: "user", content: questionText(input, "Plan for q.") },
  ];
  if (last === null) return asked;
  const written = input.fences.aroundAttempt(last.written);
  return [...asked, { role: "assistant", content: written }, { role: "user", content: repairText(input, last) }];
}

function judged(input: PlannerInput, value: JsonObject, written: string, isStrict: boolean): Draft {
  const { thought: _thought, ...shown } = value;
  const reading = input.front.read(value);
  const { plan } = reading;
  if (plan === null) return { kind: "wrong", violations: reading.violations, plan: shown, written };
  const verification = input.verify(plan);
  const own = verification.valid ? agentViolations(plan, input.context, isStrict) : [];
  const ofPlan = [...verification.violations, ...own].map((violation) => reading.told(violation));
  const violations = [...reading.violations, ...ofPlan];
  if (violations.length > 0) return { kind: "wrong", violations, plan: shown, written };
  return { kind: "plan", plan, reading, shown, written };
}

export interface Planned {
  readonly draft: Draft;
  readonly answer: ModelAnswer;
}

/** Asks for a plan once. `isStrict`: mentions that the plan leaves out are told. */
export async function askForPlan(input: PlannerInput, last: Setback | null, isStrict: boolean): Promise<Planned> {
  const { provider, front, fences, versions, signal, onRetry } = input;
  const answer = await provider.ask({
    messages: messagesOf(input, last),
    schema: front.schema,
    fits: front.fits,
    keyed: (text) => fences.withoutTag(text),
    versions: { ...versions, prompt: plannerSystem(wholePlanner(front.name)).digest },
    signal,
    ...(onRetry === undefined ? {} : { onRetry }),
  });
  const isWrong = answer.kind === "wrong";
  const written = isWrong ? answer.text : canonicalJson(answer.value);
  if (!isWrong && front.fits(answer.value)) return { answer, draft: judged(input, answer.value, written, isStrict) };
  const message = isWrong ? answer.message : "members are missing, or are not of their kind";
  const violations = [wrongForm("no_plan", "", message, `write ${front.form} and nothing else`)];
  return { answer, draft: { kind: "wrong", violations, plan: isWrong ? null : answer.value, written } };
}
