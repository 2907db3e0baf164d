// From a question to a plan: asks the model, has what it wrote read by the front, and holds it against the static verifier and
// the agent's own checks. Knows no results.
import { canonicalJson } from "../contract/canonical.js";
import type { JsonObject, JsonValue } from "../contract/values.js";
import type { Plan, Verification } from "../plan/index.js";
import { type Front, type Reading, type WrittenViolation, wrongForm } from "./fronts/front.js";
import { agentViolations } from "./plan-checks.js";
import { type PlannerContent, plannerMessages, type Setback } from "./planner-messages.js";
import { CutAnswer, type Provider } from "./provider/provider.js";
import type { Usage } from "./provider/usage.js";

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

export interface PlannerInput extends PlannerContent {
  readonly provider: Provider;
  readonly front: Front;
  readonly verify: (plan: unknown) => Verification;
  readonly versions: JsonObject;
  readonly signal: AbortSignal;
  readonly onRetry?: (attempt: number, kind: string) => void;
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

/** What the model wrote, and what it took. */
export interface AskedPlan {
  readonly draft: Draft;
  readonly usage: Usage;
}

function cutOff(error: unknown): CutAnswer {
  if (error instanceof CutAnswer) return error;
  throw error;
}

/** A plan that has no end: of what there is of it the model is shown nothing, as it would go on with that. */
function cutDraft({ code, message }: CutAnswer): Draft {
  const hint = "write a shorter plan: fewer steps, short thoughts, and nothing twice";
  return {
    kind: "wrong",
    violations: [{ ...wrongForm("output_cut", "", message, hint), code }],
    plan: null,
    written: "",
  };
}

/** Asks for a plan once. `isStrict`: mentions that the plan leaves out are told. */
export async function askForPlan(input: PlannerInput, last: Setback | null, isStrict: boolean): Promise<AskedPlan> {
  const { provider, front, fences, versions, signal, onRetry } = input;
  const { system, messages } = plannerMessages(input, last, await provider.room(signal));
  const asked = provider.ask({
    messages,
    schema: front.schema,
    fits: front.fits,
    keyed: (text) => fences.withoutTag(text),
    versions: { ...versions, prompt: system.digest },
    signal,
    ...(onRetry === undefined ? {} : { onRetry }),
  });
  const answer = await asked.catch(cutOff);
  if (answer instanceof CutAnswer) return { usage: answer.usage, draft: cutDraft(answer) };
  const { usage } = answer;
  const isWrong = answer.kind === "wrong";
  const written = isWrong ? answer.text : canonicalJson(answer.value);
  if (!isWrong && front.fits(answer.value)) return { usage, draft: judged(input, answer.value, written, isStrict) };
  const message = isWrong ? answer.message : "members are missing, or are not of their kind";
  const violations = [wrongForm("no_plan", "", message, `write ${front.form} and nothing else`)];
  return { usage, draft: { kind: "wrong", violations, plan: isWrong ? null : answer.value, written } };
}
