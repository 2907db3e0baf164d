// The columns of a plan that hold a property, by every name that they are given on the way: a scan hands them on, an
// aggregation groups by them, and what reads rows may rename them. By names alone: what bears the name of one is one.
import { parseSelect } from "../../grammar/index.js";
import type { JsonObject, JsonValue } from "../contract/values.js";
import { type Aggregate, aggregateName } from "../operators/aggregate-columns.js";
import { propertyOfColumn } from "../operators/scan-columns.js";
import type { Plan, PlanStep } from "../plan/index.js";

/** The property of each column. */
export type PropertyColumns = ReadonlyMap<string, string>;
type Renamed = readonly [name: string, property: string];

export type Tree = Readonly<Record<string, unknown>>;

export const isTree = (value: unknown): value is Tree =>
  typeof value === "object" && value !== null && !Array.isArray(value);
export const childrenOf = (node: unknown): readonly unknown[] =>
  Array.isArray(node) ? node : isTree(node) ? Object.values(node) : [];

const treesIn = (value: JsonValue | undefined): readonly Tree[] =>
  Array.isArray(value) ? (value as readonly unknown[]).filter(isTree) : [];

/** Aggregates that give one of the values that they are given. */
const HANDING_ON: readonly unknown[] = ["first", "last", "min", "max"];

const columnOfScan = (column: JsonValue): Renamed[] => {
  const prop = typeof column === "string" ? propertyOfColumn(column) : undefined;
  return prop === undefined
    ? []
    : [
        [column as string, prop],
        [prop, prop],
      ];
};

function ofAggregation({ group_by: dims, aggregates }: JsonObject): Renamed[] {
  const grouped = treesIn(dims).flatMap(({ dim, of, prop }): Renamed[] =>
    dim === "prop" && typeof prop === "string"
      ? [
          [`${String(of)}.${prop}`, prop],
          [prop, prop],
        ]
      : [],
  );
  const taken = treesIn(aggregates).flatMap((each): Renamed[] =>
    HANDING_ON.includes(each.fn) && typeof each.prop === "string"
      ? [[aggregateName(each as unknown as Aggregate), each.prop]]
      : [],
  );
  return [...grouped, ...taken];
}

/** The property that an expression over columns looks at, however it does; undefined where it is none. */
export function propertyOfExpression(expr: unknown, columns: PropertyColumns): string | undefined {
  if (!isTree(expr)) return undefined;
  if (typeof expr.field === "string") return columns.get(expr.field);
  for (const argument of Array.isArray(expr.args) ? expr.args : []) {
    const found = propertyOfExpression(argument, columns);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The column of a list of single cells: `s1.rows[*].channel`. */
function ofCells(input: JsonValue | undefined, columns: PropertyColumns): Renamed[] {
  const path = isTree(input) && typeof input.$ref === "string" ? input.$ref : "";
  const prop = columns.get(path.slice(path.indexOf("[*].") + 4));
  return path.includes("[*].") && prop !== undefined ? [["value", prop]] : [];
}

function ofComputation(args: JsonObject, columns: PropertyColumns): Renamed[] {
  const made = [args.fields, args.columns, args.aggregates].flatMap((list) => treesIn(list));
  const renamed = made.flatMap(({ as, from, field, fn, expr }): Renamed[] => {
    const isHandedOn = fn === undefined || HANDING_ON.includes(fn);
    const prop = expr === undefined ? columns.get(String(from ?? field)) : propertyOfExpression(expr, columns);
    return typeof as === "string" && isHandedOn && prop !== undefined ? [[as, prop]] : [];
  });
  return [...renamed, ...ofCells(args.input, columns), ...ofCells(args.other, columns)];
}

/** Kinds of expressions of TQL that hand a column on, be it in other letters. */
const CARRYING: ReadonlySet<unknown> = new Set(["function", "cast"]);

/** The property of an expression of TQL that hands it on. */
function propertyHandedOn(expr: unknown, columns: PropertyColumns): string | undefined {
  if (!isTree(expr)) return undefined;
  const { kind, name } = expr;
  if ((kind === "name" || kind === "member") && isTree(name)) return columns.get(String(name.text));
  if (!CARRYING.has(kind) || (isTree(name) && name.text === "COUNT")) return undefined;
  for (const part of childrenOf(expr).flat()) {
    const found = propertyHandedOn(part, columns);
    if (found !== undefined) return found;
  }
  return undefined;
}

function* aliasesIn(node: unknown, columns: PropertyColumns): Generator<Renamed> {
  if (isTree(node) && node.kind === "expr" && isTree(node.as)) {
    const prop = propertyHandedOn(node.expr, columns);
    if (prop !== undefined) yield [String(node.as.text), prop];
  }
  for (const child of childrenOf(node)) yield* aliasesIn(child, columns);
}

function ofSelect({ query }: JsonObject, columns: PropertyColumns): Renamed[] {
  const parsed = typeof query === "string" ? parseSelect(query) : null;
  return parsed === null || parsed.problem !== null ? [] : [...aliasesIn(parsed.query, columns)];
}

function renamedBy({ op, args = {} }: PlanStep, columns: PropertyColumns): readonly Renamed[] {
  switch (op) {
    case "scan":
      return Array.isArray(args.columns) ? args.columns.flatMap(columnOfScan) : [];
    case "aggregate_events":
      return ofAggregation(args);
    case "compute":
      return ofComputation(args, columns);
    case "select":
      return ofSelect(args, columns);
    default:
      return [];
  }
}

/** A step may stand before those that it reads: until no step adds a name. */
export function propertyColumns({ steps }: Plan): PropertyColumns {
  const columns = new Map<string, string>();
  for (let known = -1; known < columns.size; ) {
    known = columns.size;
    for (const step of steps) {
      for (const [name, prop] of renamedBy(step, columns)) if (!columns.has(name)) columns.set(name, prop);
    }
  }
  return columns;
}
