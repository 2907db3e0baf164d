// The agent's own checks of a plan, beside those of the verifier: who named what a search or a condition looks for, pins no
// later than the question, and mentions that are used nowhere.
import { parseInstant } from "../contract/parse-instant.js";
import type { JsonObject, JsonValue } from "../contract/values.js";
import type { Plan, PlanStep, Violation } from "../plan/index.js";
import { literalsOf } from "./plan-literals.js";
import { propertyColumns } from "./property-columns.js";
import type { Mention } from "./types.js";
import { type Forms, formsOfPlan, meaning } from "./value-forms.js";
import { folded } from "./words/names-in-prose.js";

export interface PlanContext {
  readonly question: string;
  readonly mentions: readonly Mention[];
  readonly entities: readonly string[];
  readonly askTx: number;
  readonly askTimeUs: bigint | null;
  /** The values that the card shows of a property. */
  readonly shownValues: (prop: string) => readonly JsonValue[];
}

const violation = (
  code: string,
  kind: string,
  step: string | null,
  path: string,
  message: string,
  hint: string,
): Violation => ({ code, kind, step, path, message, hint });

/** Whether a text stands in the question, or in an entity that its caller names. */
type IsNamed = (text: string) => boolean;

/** What is looked in is folded once for all texts of a plan, which may be thousands. */
function namedBy({ question, entities }: PlanContext): IsNamed {
  const given = [question, ...entities].map(folded);
  return (text) => {
    const sought = folded(text);
    return given.some((each) => each.includes(sought));
  };
}

const nobodyNamed = (text: string): string => `nobody named ${JSON.stringify(text.slice(0, 200))}`;

function searchProblems(step: PlanStep, position: number, isNamed: IsNamed): Violation[] {
  if (step.op !== "resolve_entities") return [];
  const query = (step.args as JsonObject | undefined)?.query;
  if (typeof query !== "string" || isNamed(query)) return [];
  const path = `/steps/${position}/args/query`;
  const hint = "search for a name that the question has";
  return [violation("E_GROUNDING", "ungrounded_query", step.id, path, nobodyNamed(query), hint)];
}

/** Texts that a property is held against, and that neither the question has nor the card shows. */
function textProblems(
  step: PlanStep,
  position: number,
  isNamed: IsNamed,
  shownValues: PlanContext["shownValues"],
  columns: ReadonlyMap<string, string>,
): Violation[] {
  return literalsOf(step, columns).flatMap(({ path, value, prop }) => {
    if (prop === undefined || typeof value !== "string" || isNamed(value)) return [];
    const shown = shownValues(prop);
    if (shown.includes(value)) return [];
    const values = shown.length === 0 ? "" : `, or what the card shows of ${prop}: ${shown.join(", ")}`;
    const hint = `hold ${prop} against a text of the question${values}`;
    return [
      violation("E_GROUNDING", "ungrounded_text", step.id, `/steps/${position}/args${path}`, nobodyNamed(value), hint),
    ];
  });
}

/** Whether a pin is later than the commit at which the question was asked. */
function pinProblems(step: PlanStep, position: number, { askTx, askTimeUs }: PlanContext): Violation[] {
  return literalsOf(step).flatMap(({ path, value }) => {
    if (typeof value !== "string" || !path.endsWith("/as_of_tt")) return [];
    const isLater = value.startsWith("tx:") ? Number(value.slice(3)) > askTx : isAfter(value, askTimeUs);
    if (!isLater) return [];
    const message = `${value} is after the question (tx:${askTx})`;
    const hint = "leave as_of_tt out for what is believed now";
    return [violation("E_TX_UNKNOWN", "pin_after_ask", step.id, `/steps/${position}/args${path}`, message, hint)];
  });
}

/** What is wrong with a pin the verifier says. */
function isAfter(text: string, askTimeUs: bigint | null): boolean {
  const us = meaning(parseInstant, text);
  return askTimeUs !== null && us !== null && BigInt(us) > askTimeUs;
}

/** The zone of operators that are told none. */
const DEFAULT_ZONE = "UTC";

const CALENDAR_STRIDE = /^P\d+[DWMY]$/;

/** Whether a plan cuts time where a calendar does, which is another place in each zone. */
const asksACalendar = (plan: Plan): boolean =>
  plan.steps.some((step) =>
    literalsOf(step).some(
      ({ path, value }) =>
        (path.endsWith("/stride") && typeof value === "string" && CALENDAR_STRIDE.test(value)) ||
        (path.endsWith("/dim") && (value === "trunc" || value === "calendar")),
    ),
  );

function isUsed(mention: Mention, forms: Forms, plan: Plan): boolean {
  const { kind, uid, value, text } = mention;
  const isUid = uid !== undefined && forms.hasText(uid);
  switch (kind) {
    case "window": {
      const { from, to } = value as { from: string; to: string };
      return forms.hasInstant(from) || forms.hasInstant(to);
    }
    case "instant":
      return forms.hasInstant(value as string);
    case "zone":
      // The times of the question are read in it already, and operators take UTC by themselves.
      return value === DEFAULT_ZONE || forms.hasText(value as string) || !asksACalendar(plan);
    case "duration":
      return forms.hasDuration(value as string);
    case "number":
      return forms.hasNamedNumber(mention);
    case "name":
      return isUid || [...forms.texts].some((written) => written.includes(folded(text)));
    default:
      return isUid || forms.hasText(text);
  }
}

/** The mentions that a plan uses nowhere. A bare number that is a uid, too, is used by either. */
export function unusedMentions(plan: Plan, mentions: readonly Mention[]): readonly Mention[] {
  const forms = formsOfPlan(plan);
  const used = new Set(mentions.filter((mention) => isUsed(mention, forms, plan)).map(({ span }) => span.join()));
  return mentions.filter(({ kind, span }) => kind !== "quoted" && !used.has(span.join()));
}

/** What is wrong with a plan beside what the verifier finds; unused mentions only where `isStrict`. */
export function agentViolations(plan: Plan, context: PlanContext, isStrict: boolean): readonly Violation[] {
  const columns = propertyColumns(plan);
  const isNamed = namedBy(context);
  const bySteps = plan.steps.flatMap((step, i) => [
    ...searchProblems(step, i, isNamed),
    ...textProblems(step, i, isNamed, context.shownValues, columns),
    ...pinProblems(step, i, context),
  ]);
  if (!isStrict) return bySteps;
  const unused = unusedMentions(plan, context.mentions).map(({ id, kind, text, value }) => {
    // A zone may be written in other forms than operators take.
    const hint = `${id} is the ${kind} ${JSON.stringify(kind === "zone" ? value : text)}`;
    return violation("E_PLAN_INVALID", "unused_mention", null, "", `the plan uses ${id} nowhere`, hint);
  });
  return [...bySteps, ...unused];
}
