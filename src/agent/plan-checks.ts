// The agent's own checks of a plan, beside those of the verifier: who named what a search looks for, pins no later than the
// question, mentions that are used nowhere; and what the plan takes for granted.
import { parseInstant } from "../contract/parse-instant.js";
import type { JsonObject, JsonValue } from "../contract/values.js";
import type { Plan, PlanStep, Violation } from "../plan/index.js";
import type { Mention } from "./types.js";

const folded = (text: string): string => text.normalize("NFC").toLowerCase();

/** Every value of the arguments that is no reference, with its place. */
function* literals(value: JsonValue | undefined, path: string): Generator<readonly [string, JsonValue]> {
  if (value === undefined || value === null) return;
  if (typeof value !== "object") {
    yield [path, value];
    return;
  }
  if (!Array.isArray(value) && Object.hasOwn(value, "$ref")) return;
  for (const [key, member] of Object.entries(value)) yield* literals(member as JsonValue, `${path}/${key}`);
}

const violation = (
  code: string,
  kind: string,
  step: string | null,
  path: string,
  message: string,
  hint: string,
): Violation => ({
  code,
  kind,
  step,
  path,
  message,
  hint,
});

function searchProblems(step: PlanStep, position: number, question: string, entities: readonly string[]): Violation[] {
  if (step.op !== "resolve_entities") return [];
  const query = (step.args as JsonObject | undefined)?.query;
  if (typeof query !== "string") return [];
  const isNamed = [question, ...entities].some((text) => folded(text).includes(folded(query)));
  if (isNamed) return [];
  const message = `nobody named ${JSON.stringify(query.slice(0, 200))}`;
  const hint = "search for a name that the question has";
  return [violation("E_GROUNDING", "ungrounded_query", step.id, `/steps/${position}/args/query`, message, hint)];
}

/** Whether a pin is later than the commit at which the question was asked. */
function pinProblems(step: PlanStep, position: number, askTx: number, askTimeUs: bigint | null): Violation[] {
  const found: Violation[] = [];
  for (const [path, value] of literals(step.args, `/steps/${position}/args`)) {
    if (typeof value !== "string" || !path.endsWith("/as_of_tt")) continue;
    const isLater = value.startsWith("tx:") ? Number(value.slice(3)) > askTx : isAfter(value, askTimeUs);
    if (!isLater) continue;
    const hint = "leave as_of_tt out for what is believed now";
    found.push(
      violation("E_TX_UNKNOWN", "pin_after_ask", step.id, path, `${value} is after the question (tx:${askTx})`, hint),
    );
  }
  return found;
}

function isAfter(text: string, askTimeUs: bigint | null): boolean {
  try {
    return askTimeUs !== null && parseInstant(text, "as_of_tt") > askTimeUs;
  } catch {
    // The verifier says what is wrong with it.
    return false;
  }
}

/** The texts that stand for a mention in a plan: any of them uses it. */
function formsOf({ kind, uid, value, text }: Mention): readonly string[] {
  if (kind === "window") {
    const { from, to } = value as { from: string; to: string };
    return [from, to];
  }
  const forms = [
    uid,
    typeof value === "string" || typeof value === "number" || typeof value === "bigint" ? String(value) : undefined,
    text,
  ];
  return forms.filter((form) => form !== undefined);
}

function planTexts(plan: Plan): ReadonlySet<string> {
  const texts = new Set<string>();
  for (const { args } of plan.steps) for (const [, value] of literals(args, "")) texts.add(folded(String(value)));
  return texts;
}

/** Instants in one form: texts of a plan may leave parts out. */
function instantForm(text: string): string {
  try {
    return String(parseInstant(text, ""));
  } catch {
    return folded(text);
  }
}

/** The mentions that a plan uses nowhere. A bare number that is a uid, too, is used by either. */
export function unusedMentions(plan: Plan, mentions: readonly Mention[]): readonly Mention[] {
  const texts = planTexts(plan);
  const instants = new Set([...texts].map(instantForm));
  const isUsed = (mention: Mention): boolean =>
    formsOf(mention).some(
      (form) =>
        texts.has(folded(form)) ||
        instants.has(instantForm(form)) ||
        [...texts].some((text) => text.includes(folded(form))),
    );
  const used = new Set(mentions.filter(isUsed).map(({ span }) => span.join()));
  return mentions.filter((mention) => mention.kind !== "quoted" && !used.has(mention.span.join()) && !isUsed(mention));
}

export interface PlanContext {
  readonly question: string;
  readonly mentions: readonly Mention[];
  readonly entities: readonly string[];
  readonly askTx: number;
  readonly askTimeUs: bigint | null;
}

/** What is wrong with a plan beside what the verifier finds; unused mentions only where `isStrict`. */
export function agentViolations(plan: Plan, context: PlanContext, isStrict: boolean): readonly Violation[] {
  const { question, entities, askTx, askTimeUs, mentions } = context;
  const bySteps = plan.steps.flatMap((step, i) => [
    ...searchProblems(step, i, question, entities),
    ...pinProblems(step, i, askTx, askTimeUs),
  ]);
  if (!isStrict) return bySteps;
  const unused = unusedMentions(plan, mentions).map(({ id, kind, text }) =>
    violation(
      "E_PLAN_INVALID",
      "unused_mention",
      null,
      "",
      `the plan uses ${id} nowhere`,
      `${id} is the ${kind} ${JSON.stringify(text)}`,
    ),
  );
  return [...bySteps, ...unused];
}

const INSTANT = /^\d{4}-\d{2}-\d{2}/;

/** Instants and numbers of a plan that the question does not name. */
export function assumptionsOf(plan: Plan, mentions: readonly Mention[]): readonly string[] {
  const named = new Set(mentions.flatMap(formsOf).flatMap((form) => [folded(form), instantForm(form)]));
  const found = new Set<string>();
  for (const { id, args } of plan.steps) {
    for (const [path, value] of literals(args, "")) {
      const isTime = typeof value === "string" && INSTANT.test(value);
      const isNumber = typeof value === "number" || typeof value === "bigint";
      if (!(isTime || isNumber) || named.has(folded(String(value))) || (isTime && named.has(instantForm(value))))
        continue;
      found.add(`${id} ${path.slice(1).replaceAll("/", ".")} = ${String(value)}`);
    }
  }
  return [...found];
}
