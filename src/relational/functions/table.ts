// The closed table of functions: every name that may stand before a parenthesis in an expression, and nothing else.
// SHOW FUNCTIONS prints it; names are looked up without regard to case.
import { AGGREGATE_RULES } from "./aggregates.js";
import { CALENDAR_RULES } from "./calendar.js";
import { LIST_RULES } from "./lists.js";
import { NUMBER_RULES } from "./numbers.js";
import type { FunctionRule } from "./rule.js";
import { TEXT_RULES } from "./text.js";
import { TIME_RULES } from "./time.js";
import { EVENT_RULES, WINDOW_RULES } from "./windows.js";

export interface FunctionEntry {
  readonly name: string;
  readonly kind: "scalar" | "aggregate" | "window" | "event" | "path";
  readonly signature: string;
}

/** Of patterns and elements: typed where patterns are, not here. */
const OF_ELEMENTS: readonly FunctionEntry[] = [
  ["ID", "ID(node) → STRING, its uid"],
  ["NODES", "NODES(path) → the nodes of a path, in order"],
  ["EDGES", "EDGES(path) → the edges of a path, in order"],
  ["COST", "COST(path) → the sum of the costs of its edges"],
  ["DEPARTURE", "DEPARTURE(path) → INSTANT"],
  ["ARRIVAL", "ARRIVAL(path) → INSTANT"],
  ["SPAN", "SPAN(path) → DURATION, arrival − departure"],
].map(([name, signature]) => ({ name: name!, signature: signature!, kind: "path" }));

const FUNCTION_RULES: readonly FunctionRule[] = [
  ...NUMBER_RULES,
  ...TEXT_RULES,
  ...LIST_RULES,
  ...CALENDAR_RULES,
  ...TIME_RULES,
  ...AGGREGATE_RULES,
  ...WINDOW_RULES,
  ...EVENT_RULES,
];

export const FUNCTION_TABLE: readonly FunctionEntry[] = [
  ...FUNCTION_RULES.map(({ name, kind, signature }) => ({ name, kind, signature })),
  ...OF_ELEMENTS,
];

const byName = new Map(FUNCTION_RULES.map((rule) => [rule.name, rule]));
const ofElements = new Set(OF_ELEMENTS.map(({ name }) => name));

export const functionRule = (name: string): FunctionRule | undefined => byName.get(name.toUpperCase());
export const isPathFunction = (name: string): boolean => ofElements.has(name.toUpperCase());
