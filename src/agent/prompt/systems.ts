// The system texts of planners, composed of the parts of a front. Byte-identical for equal sizes, so that caches of servers work.
import { JSON_FRONT } from "./json-system.js";
import type { PlannerExample, PlannerFront } from "./planner-front.js";
import { DATA_POLICY, type SystemPrompt, systemPrompt } from "./system-prompt.js";
import { TQL_FRONT } from "./tql-system.js";

/** The languages that plans are written in. */
export const FRONTS = { json: JSON_FRONT, tql: TQL_FRONT } as const satisfies Readonly<Record<string, PlannerFront>>;
export type Front = keyof typeof FRONTS;

export interface PlannerSize {
  readonly front: Front;
  /** The operators that the manual explains, briefly; null: all of them, at length. */
  readonly operators: ReadonlySet<string> | null;
  /** At most so many examples. */
  readonly examples: number;
}

export const wholePlanner = (front: Front): PlannerSize => ({
  front,
  operators: null,
  examples: FRONTS[front].examples.length,
});

/** The examples that a manual of these operators explains, in their order. */
export function examplesOf({ front, operators, examples }: PlannerSize): readonly PlannerExample[] {
  const isExplained = ({ operators: called }: PlannerExample): boolean =>
    operators === null || called.every((operator) => operators.has(operator));
  return FRONTS[front].examples.filter(isExplained).slice(0, examples);
}

function examplesText(examples: readonly PlannerExample[]): string {
  if (examples.length === 0) return "";
  // In the order in which they are written: the thought comes first.
  const texts = examples.map(({ question, written }) => `Q: ${question}\n${JSON.stringify(written)}`);
  return ["EXAMPLES (of another store)", ...texts].join("\n");
}

const made = new Map<string, SystemPrompt>();
const MOST_KEPT = 64;

function compose(size: PlannerSize): SystemPrompt {
  const { version, role, form, briefForm, manual }: PlannerFront = FRONTS[size.front];
  return systemPrompt(version, [
    { name: "role", text: role },
    { name: "form", text: size.operators === null ? form : briefForm },
    { name: "policy", text: DATA_POLICY },
    { name: "manual", text: manual(size.operators) },
    { name: "examples", text: examplesText(examplesOf(size)) },
  ]);
}

/** The system text of a planner. */
export function plannerSystem(size: PlannerSize = wholePlanner("json")): SystemPrompt {
  const { front, operators, examples } = size;
  const key = JSON.stringify([front, operators === null ? null : [...operators].sort(), examples]);
  let system = made.get(key);
  if (system === undefined) {
    if (made.size >= MOST_KEPT) made.clear();
    system = compose(size);
    made.set(key, system);
  }
  return system;
}
