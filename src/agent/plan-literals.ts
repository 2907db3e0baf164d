// The literals of a plan: every value that no reference gives, those inside the text of a select, too.
import { parseSelect } from "../../grammar/index.js";
import type { JsonObject, JsonValue } from "../contract/values.js";
import { propertyOfColumn } from "../operators/scan-columns.js";
import type { Plan, PlanStep } from "../plan/index.js";

export interface PlanLiteral {
  /** JSON pointer from the arguments of its step on. */
  readonly path: string;
  readonly value: JsonValue;
  /** The property that it is held against. */
  readonly prop?: string;
}

type Tree = Readonly<Record<string, unknown>>;

const isTree = (value: unknown): value is Tree => typeof value === "object" && value !== null && !Array.isArray(value);
const childrenOf = (node: unknown): readonly unknown[] =>
  Array.isArray(node) ? node : isTree(node) ? Object.values(node) : [];

/** Texts that are read as something else. */
const TIMES: ReadonlySet<unknown> = new Set(["instant", "duration", "interval"]);
const TESTS: ReadonlySet<unknown> = new Set(["binary", "in", "between", "like"]);

/** The columns of properties that the scans of a plan hand on, by the names that texts may give them. */
export function propertyColumns({ steps }: Plan): ReadonlyMap<string, string> {
  const columns = steps.flatMap(({ args }) => (Array.isArray(args?.columns) ? args.columns : []));
  const named = columns.flatMap((column) => {
    const prop = typeof column === "string" ? propertyOfColumn(column) : undefined;
    return prop === undefined ? [] : [[column as string, prop] as const, [prop, prop] as const];
  });
  return new Map(named);
}

/** The property that stands in a test, however it is looked at; undefined where there is none. */
function propertyIn(node: unknown, columns: ReadonlyMap<string, string>): string | undefined {
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

function* literalsOfText(
  node: unknown,
  columns: ReadonlyMap<string, string>,
  prop: string | undefined,
): Generator<PlanLiteral> {
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

function* literalsOfJson(value: JsonValue | undefined, path: string, prop: string | undefined): Generator<PlanLiteral> {
  if (value === undefined || value === null) return;
  if (typeof value !== "object") {
    yield { path, value, ...(prop === undefined ? {} : { prop }) };
    return;
  }
  if (!Array.isArray(value) && Object.hasOwn(value, "$ref")) return;
  // A condition on a property: {prop, op, value}.
  const held =
    Array.isArray(value) || typeof value.prop !== "string" || !Object.hasOwn(value, "op") ? undefined : value;
  for (const [key, member] of Object.entries(value)) {
    const of = held === undefined ? prop : key === "value" ? (held.prop as string) : undefined;
    yield* literalsOfJson(member as JsonValue, `${path}/${key}`, of);
  }
}

const NO_COLUMNS: ReadonlyMap<string, string> = new Map();

/**
 * Every literal of a step. The text of a select stands for the literals in it; `columns` are those of properties that it may
 * read.
 */
export function literalsOf({ op, args }: PlanStep, columns = NO_COLUMNS): readonly PlanLiteral[] {
  const { query, ...rest } = (args ?? {}) as JsonObject;
  if (op !== "select" || typeof query !== "string") return [...literalsOfJson(args, "", undefined)];
  const parsed = parseSelect(query);
  const ofText = parsed.problem === null ? [...literalsOfText(parsed.query, columns, undefined)] : [];
  return [...ofText, ...literalsOfJson(rest, "", undefined)];
}
