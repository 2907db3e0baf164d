// The system texts of planners, composed of the parts of a front. Byte-identical for equal sizes, so that caches of servers work.
import { LexicalIndex } from "./bm25.js";
import { JSON_FRONT } from "./json-system.js";
import type { PlannerExample, PlannerFront } from "./planner-front.js";
import { DATA_POLICY, type SystemPrompt, systemPrompt } from "./system-prompt.js";
import { TQL_FRONT } from "./tql-system.js";

/** The languages that plans are written in. */
export const FRONTS = { json: JSON_FRONT, tql: TQL_FRONT } as const satisfies Readonly<Record<string, PlannerFront>>;
/** By which callers choose one. */
export type FrontName = keyof typeof FRONTS;

export interface PlannerSize {
  readonly front: FrontName;
  /** The operators that the manual explains, briefly; null: all of them, at length. */
  readonly operators: ReadonlySet<string> | null;
  /** At most so many examples. */
  readonly examples: number;
  /** Where not all examples are shown, those nearest to it are, the nearest last; null: the first ones. */
  readonly question: string | null;
}

export const wholePlanner = (front: FrontName): PlannerSize => ({
  front,
  operators: null,
  examples: FRONTS[front].examples.length,
  question: null,
});

/** The examples, those that ask most like the question first; equal ones in their order. */
function nearestTo(question: string, examples: readonly PlannerExample[]): readonly PlannerExample[] {
  const documents = examples.map((each) => ({ name: each.kind, fields: [{ text: each.question, weight: 1 }] }));
  const ranked = new LexicalIndex(documents).ranked(question);
  const near = ranked.map((kind) => examples.find((each) => each.kind === kind)!);
  return [...new Set([...near, ...examples])];
}

/** The examples that a manual of these operators explains. */
export function examplesOf({ front, operators, examples: most, question }: PlannerSize): readonly PlannerExample[] {
  const isExplained = ({ operators: called }: PlannerExample): boolean =>
    operators === null || called.every((operator) => operators.has(operator));
  const explained = FRONTS[front].examples.filter(isExplained);
  if (question === null || most >= explained.length) return explained.slice(0, most);
  // What a model has read last it follows most.
  return [...nearestTo(question, explained).slice(0, most)].reverse();
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
  const { front, operators } = size;
  const kinds = examplesOf(size).map(({ kind }) => kind);
  const key = JSON.stringify([front, operators === null ? null : [...operators].sort(), kinds]);
  let system = made.get(key);
  if (system === undefined) {
    if (made.size >= MOST_KEPT) made.clear();
    system = compose(size);
    made.set(key, system);
  }
  return system;
}
