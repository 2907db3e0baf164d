// What could have stood there, in words: rules by their names, not thirty tokens.
import type { Expectation } from "../expectations.js";
import type { Slot } from "../slots.js";
import { MARKS, type Mark } from "../vocabulary.js";

/** Rules that are named as a whole; the outermost of them that begins at the place counts. */
const RULES: Readonly<Record<string, string>> = {
  statement: "a statement",
  top: "a query",
  query: "a query",
  explained: "a statement",
  items: "an item",
  source: "a table",
  table: "a table",
  alias: "an alias",
  sourceTail: "an alias",
  body: "a pattern",
  pattern: "a pattern",
  chain: "a node",
  node: "a node",
  edge: "an edge",
  group: "a group in parentheses",
  quantifier: "a quantifier",
  labels: "a label or type",
  labelFactor: "a label or type",
  labelTerm: "a label or type",
  map: "a map",
  sorts: "an expression",
  expr: "an expression",
  predicate: "an expression",
  additive: "an expression",
  operand: "an expression",
  primary: "an expression",
  reference: "an expression",
  point: "an instant",
  count: "a number or a parameter",
  span: "a duration",
  period: "a period",
  time: "a time clause",
  window: "a window",
  bound: "a bound",
  frame: "a frame",
  write: "a write",
};

const SLOTS: Readonly<Record<Slot, string>> = {
  label_or_type: "a label or type",
  property: "a property",
  argument: "an argument's name",
  operator: "an operator's name",
  function: "a function",
  value: "an expression",
  variable: "a variable",
  new_name: "a name",
  table: "a table",
  column: "a column",
  cohort: "a name of WITH",
  window: "a window",
  unit: "a unit",
  type_name: "a type",
  key: "a key",
};

const TOKENS: Readonly<Record<string, string>> = {
  String: "a string",
  Integer: "an integer",
  Number: "a number",
  Parameter: "a parameter",
  End: "the end of the statement",
};

/** Rules that are named by their first token alone, where it must come. */
const OPENERS: Readonly<Record<string, string>> = { node: "LeftParen", window: "LeftParen", map: "LeftBrace" };

/** Rules whose own tokens join or extend expressions. */
const OPERATOR_RULES = new Set(["expr", "predicate", "additive", "operand"]);
const PREFIXES = new Set(["NOT", "Minus", "Plus"]);

function nameOf({ type, slot, rules, entered, isRequired, isFresh }: Expectation): string {
  const current = rules[rules.length - 1 - entered.length] ?? "";
  if (current === "primary")
    return rules.at(-4 - entered.length) === "point" && isFresh ? "an instant" : "an expression";
  for (const rule of entered) if (RULES[rule] !== undefined) return RULES[rule];
  if (isRequired && OPENERS[current] === type.name) return RULES[current]!;
  if (slot !== null && entered.length === 0 && current !== "reference") return SLOTS[slot];
  if (OPERATOR_RULES.has(current) && !isRequired) {
    const beginsOperand = current === "operand" ? type.name === "Minus" || type.name === "Plus" : type.name === "NOT";
    if (!beginsOperand || !PREFIXES.has(type.name) || current === "predicate") return "an operator";
    return rules.at(-3) === "point" && isFresh ? "an instant" : "an expression";
  }
  if (slot !== null) return SLOTS[slot];
  return TOKENS[type.name] ?? (Object.hasOwn(MARKS, type.name) ? MARKS[type.name as Mark] : type.name);
}

/** In the order in which the parser asked: what stands nearest comes first. */
export const expectedNames = (expected: readonly Expectation[]): string[] => [...new Set(expected.map(nameOf))];

/** "a, b or c", of the first few. */
export function listed(names: readonly string[]): string {
  const few = names.slice(0, 6).map((name) => (/\w/.test(name) ? name : `'${name}'`));
  if (few.length < 2) return few.join("");
  const rest = names.length > few.length ? " and others" : "";
  return rest === "" ? `${few.slice(0, -1).join(", ")} or ${few.at(-1)}` : `${few.join(", ")}${rest}`;
}
