// What a plan takes for granted: instants, numbers and zones that nobody gave.
import { zoneNameOf } from "../calendar/zones.js";
import type { Plan } from "../plan/index.js";
import { literalsOf, type PlanLiteral } from "./plan-literals.js";
import { propertyColumns } from "./property-columns.js";
import type { Mention } from "./types.js";
import { type Forms, formsOfMentions } from "./value-forms.js";

/** Whether a literal is a zone: as an argument, or in the text of a select, where nothing is held against it. */
const isZone = ({ path, value, prop }: PlanLiteral): boolean =>
  typeof value === "string" &&
  (path.endsWith("/zone") || (path === "/query" && prop === undefined && zoneNameOf(value) === value));

/** Years may have a sign. */
const INSTANT = /^(?:\d{4}|[+-]\d{4,5})-\d{2}-\d{2}/;
/** A pin that names a commit by its number. */
const COMMIT = /^tx:(\d+)$/;

/** Whether nobody gave a literal of a plan that says when, how much or where clocks are read. */
function isAssumed(literal: PlanLiteral, named: Forms, zoneInForce: string): boolean {
  const { value } = literal;
  if (typeof value === "number" || typeof value === "bigint") return !named.hasNumber(value);
  if (typeof value !== "string") return false;
  const commit = literal.path.endsWith("/as_of_tt") ? COMMIT.exec(value)?.[1] : undefined;
  if (commit !== undefined) return !(named.hasNumber(BigInt(commit)) || named.hasText(value));
  if (INSTANT.test(value)) return !(named.hasInstant(value) || named.hasText(value));
  return isZone(literal) && value !== zoneInForce && !named.hasText(value);
}

/** Instants, numbers and zones of a plan that neither the question names nor, as the zone in force, its caller. */
export function assumptionsOf(plan: Plan, mentions: readonly Mention[], zoneInForce: string): readonly string[] {
  const named = formsOfMentions(mentions);
  const columns = propertyColumns(plan);
  const found = new Set<string>();
  for (const step of plan.steps) {
    for (const literal of literalsOf(step, columns)) {
      if (!isAssumed(literal, named, zoneInForce)) continue;
      const { path, value } = literal;
      found.add(`${step.id} ${path.slice(1).replaceAll("/", ".")} = ${String(value)}`);
    }
  }
  return [...found];
}
