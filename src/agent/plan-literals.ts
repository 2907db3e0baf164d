// The literals of a plan: every value that no reference gives, those inside the text of a select, too.
import { parseSelect } from "../../grammar/index.js";
import type { JsonObject, JsonValue } from "../contract/values.js";
import { FUNCTIONS, type FunctionName } from "../operators/expressions/functions.js";
import type { PlanStep } from "../plan/index.js";
import { childrenOf, isTree, type PropertyColumns, propertyOfExpression } from "./property-columns.js";

export interface PlanLiteral {
  /** JSON pointer from the arguments of its step on. */
  readonly path: string;
  readonly value: JsonValue;
  /** The property that it is held against. */
  readonly prop?: string;
}

/** Texts that are read as something else. */
const TIMES: ReadonlySet<unknown> = new Set(["instant", "duration", "interval"]);
const TESTS: ReadonlySet<unknown> = new Set(["binary", "in", "between", "like"]);

/** The property that stands in a test, however it is looked at; undefined where there is none. */
function propertyIn(node: unknown, columns: PropertyColumns): string | undefined {
  if (isTree(node) && node.kind === "query") return undefined;
  const name = isTree(node) && (node.kind === "member" || node.kind === "name") ? node.name : undefined;
  const prop = isTree(name) ? columns.get(String(name.text)) : undefined;
  if (prop !== undefined) return prop;
  for (const child of childrenOf(node)) {
    const found = propertyIn(child, columns);
    if (found !== undefined) return found;
  }
  return undefined;
}

function* literalsOfText(node: unknown, columns: PropertyColumns, prop: string | undefined): Generator<PlanLiteral> {
  const path = "/query";
  if (!isTree(node)) {
    for (const child of childrenOf(node)) yield* literalsOfText(child, columns, prop);
    return;
  }
  const { kind, value, text } = node;
  if (TIMES.has(kind) && isTree(text)) yield { path, value: text.value as JsonValue };
  else if (kind === "string") yield { path, value: value as string, ...(prop === undefined ? {} : { prop }) };
  else if (kind === "integer" || kind === "number") yield { path, value: value as JsonValue };
  else {
    const tested = TESTS.has(kind) ? propertyIn(node, columns) : kind === "query" ? undefined : prop;
    for (const child of childrenOf(node)) yield* literalsOfText(child, columns, tested);
  }
}

/** Functions of expressions that hold one value against another. */
const isTest = (fn: unknown): boolean =>
  typeof fn === "string" &&
  Object.hasOwn(FUNCTIONS, fn) &&
  (FUNCTIONS[fn as FunctionName].family === "comparison" || TEXT_TESTS.has(fn));
const TEXT_TESTS: ReadonlySet<string> = new Set(["starts_with", "ends_with", "contains"]);

/** Members of expressions that are held against something; names of functions, columns and types are not. */
const OPERANDS: readonly string[] = ["args", "value"];

/** What the members of an object are held against: conditions `{prop, op, value}`, `{column, op, value}`, `{fn, args}`. */
function heldAgainst(value: JsonObject, outer: string | undefined, columns: PropertyColumns) {
  const isCondition =
    Object.hasOwn(value, "op") && (typeof value.prop === "string" || typeof value.column === "string");
  let prop = outer;
  if (isCondition) prop = typeof value.prop === "string" ? value.prop : columns.get(value.column as string);
  else if (isTest(value.fn)) prop = propertyOfExpression(value, columns);
  return (key: string) => (OPERANDS.includes(key) ? prop : undefined);
}

function* literalsOfJson(
  value: JsonValue | undefined,
  path: string,
  prop: string | undefined,
  columns: PropertyColumns,
): Generator<PlanLiteral> {
  if (value === undefined || value === null) return;
  if (typeof value !== "object") {
    yield { path, value, ...(prop === undefined ? {} : { prop }) };
    return;
  }
  if (!Array.isArray(value) && Object.hasOwn(value, "$ref")) return;
  const of = Array.isArray(value) ? () => prop : heldAgainst(value, prop, columns);
  for (const [key, member] of Object.entries(value)) {
    yield* literalsOfJson(member as JsonValue, `${path}/${key}`, of(key), columns);
  }
}

const NO_COLUMNS: PropertyColumns = new Map();

/**
 * Every literal of a step. The text of a select stands for the literals in it; `columns` are those of properties that it may
 * read.
 */
export function literalsOf({ op, args }: PlanStep, columns = NO_COLUMNS): readonly PlanLiteral[] {
  const { query, ...rest } = (args ?? {}) as JsonObject;
  if (op !== "select" || typeof query !== "string") return [...literalsOfJson(args, "", undefined, columns)];
  const parsed = parseSelect(query);
  const ofText = parsed.problem === null ? [...literalsOfText(parsed.query, columns, undefined)] : [];
  return [...ofText, ...literalsOfJson(rest, "", undefined, columns)];
}
