// Conditions that a scan can test: which parts of `where` a condition becomes, and how parts are put together.
// Only where the three-valued result is kept: a condition passes a row here exactly when it is true there.
import type { Expr } from "../../../grammar/ast.js";
import type { JsonObject, JsonValue } from "../../contract/values.js";
import type { TqlType } from "../../relational/index.js";
import type { ConstantReader } from "./constant-reader.js";
import type { Element } from "./scan-source.js";

/** Which column of the table an expression stands for, with its type; undefined for everything else. */
export type ColumnReader = (expr: Expr) => { readonly name: string; readonly type: TqlType } | undefined;

interface Tested {
  readonly column: string;
  readonly type: TqlType;
  readonly op: string;
  readonly value: JsonValue;
}

/** Comparisons of the language, by their names in arguments. */
export const COMPARISONS: Readonly<Record<string, string>> = {
  "=": "eq",
  "<>": "ne",
  "<": "lt",
  "<=": "le",
  ">": "gt",
  ">=": "ge",
};
const MIRRORED: Readonly<Record<string, string>> = { eq: "eq", ne: "ne", lt: "gt", le: "ge", gt: "lt", ge: "le" };
const OPPOSITE: Readonly<Record<string, string>> = { eq: "ne", ne: "eq", lt: "ge", le: "gt", gt: "le", ge: "lt" };
const TEXT_OPS: Readonly<Record<string, string>> = {
  starts_with: "starts_with",
  ends_with: "ends_with",
  contains: "contains",
};

const MOST_UIDS = 10_000;
const LONGEST_UID_BYTES = 1024;
const MOST_PREDICATES = 64;
const PROPERTY = "props.";

/** The parts of `where` that hold exactly where the condition is true; undefined where there are none such. */
export function whereOf(
  expr: Expr,
  element: Element,
  column: ColumnReader,
  constant: ConstantReader,
): JsonObject | undefined {
  const tests = testsOf(expr, false, column, constant);
  if (tests === undefined || element === "none") return undefined;
  const names = new Set(tests.map((test) => test.column));
  const [name] = names;
  if (names.size === 1 && !name!.startsWith(PROPERTY)) return identityWhere(name!, tests, element);
  if (![...names].every((each) => each.startsWith(PROPERTY)) || tests.length > MOST_PREDICATES) return undefined;
  const preds = tests.map(predicate);
  if (preds.includes(undefined)) return undefined;
  const pred = (preds.length === 1 ? preds[0] : { any: preds }) as JsonValue;
  return element === "node" ? { node: { props: [pred] } } : { edge: [pred] };
}

/** Tests of which one must hold; undefined where the condition is none of the kind. */
function testsOf(expr: Expr, isNegated: boolean, column: ColumnReader, constant: ConstantReader): Tested[] | undefined {
  switch (expr.kind) {
    case "unary":
      return expr.op === "not" ? testsOf(expr.of, !isNegated, column, constant) : undefined;
    case "logical": {
      // Only what is true of one member is true of the whole.
      if ((expr.op === "or") === isNegated) return undefined;
      const parts = expr.of.map((part) => testsOf(part, isNegated, column, constant));
      return parts.includes(undefined) ? undefined : (parts as Tested[][]).flat();
    }
    case "binary":
      return comparisonTests(expr, isNegated, column, constant);
    case "is": {
      const of = column(expr.of);
      if (of === undefined || expr.what !== "null") return undefined;
      return [{ column: of.name, type: of.type, op: expr.not === isNegated ? "is_null" : "not_null", value: null }];
    }
    case "in": {
      const of = column(expr.of);
      const values = constant(expr.in);
      if (of === undefined || values === undefined || values === null) return undefined;
      const isList = Array.isArray(values) ? !values.includes(null) : isReference(values);
      if (!isList) return undefined;
      // NOT IN would be a conjunction.
      return expr.not === isNegated ? [{ column: of.name, type: of.type, op: "in", value: values }] : undefined;
    }
    case "between": {
      const of = column(expr.of);
      const from = constant(expr.from);
      const to = constant(expr.to);
      if (of === undefined || from === undefined || to === undefined || from === null || to === null) return undefined;
      const test = { column: of.name, type: of.type };
      if (expr.not === isNegated) return [{ ...test, op: "between", value: [from, to] }];
      return [
        { ...test, op: "lt", value: from },
        { ...test, op: "gt", value: to },
      ];
    }
    default:
      return undefined;
  }
}

function comparisonTests(
  expr: Extract<Expr, { kind: "binary" }>,
  isNegated: boolean,
  column: ColumnReader,
  constant: ConstantReader,
): Tested[] | undefined {
  const { left, right } = expr;
  const textOp = TEXT_OPS[expr.op];
  if (textOp !== undefined) {
    const of = column(left);
    const value = constant(right);
    if (of?.type.kind !== "string" || typeof value !== "string" || isNegated) return undefined;
    return [{ column: of.name, type: of.type, op: textOp, value }];
  }
  const op = COMPARISONS[expr.op];
  if (op === undefined) return undefined;
  const onLeft = column(left);
  const of = onLeft ?? column(right);
  const value = constant(onLeft === undefined ? left : right);
  if (of === undefined || value === undefined || value === null) return undefined;
  const forward = onLeft === undefined ? MIRRORED[op]! : op;
  return [{ column: of.name, type: of.type, op: isNegated ? OPPOSITE[forward]! : forward, value }];
}

/** Whether the operators compare such values as the language does. */
function fits(type: TqlType, op: string, value: JsonValue): boolean {
  switch (type.kind) {
    case "int":
    case "double":
      return typeof value === "number" || typeof value === "bigint";
    case "string":
      return typeof value === "string";
    case "bool":
      return typeof value === "boolean" && (op === "eq" || op === "ne" || op === "in");
    default:
      return false;
  }
}

function predicate({ column, type, op, value }: Tested): JsonObject | undefined {
  const prop = column.slice(PROPERTY.length);
  if (op === "is_null" || op === "not_null") return { prop, op };
  const values = Array.isArray(value) ? value : [value];
  if (values.length > MOST_UIDS || !values.every((each) => fits(type, op, each))) return undefined;
  return { prop, op, value };
}

/** Conditions on what an element is: uids, types, keys. */
function identityWhere(column: string, tests: readonly Tested[], element: Element): JsonObject | undefined {
  const [first] = tests;
  if (tests.length === 1 && isReference(first!.value)) {
    const end = { uid: "node", src: "src", dst: "dst" }[column as "uid"];
    const isOwn = (column === "uid") === (element === "node");
    return end === undefined || !isOwn ? undefined : { [end]: { uids: first!.value } };
  }
  const values: JsonValue[] = [];
  for (const { op, value } of tests) {
    if (isReference(value)) return undefined;
    if (op === "eq") values.push(value);
    else if (op === "in") for (const each of value as JsonValue[]) values.push(each);
    else return undefined;
    if (values.length > MOST_UIDS) return undefined;
  }
  if (!values.every((value) => typeof value === "string")) return undefined;
  const texts = [...new Set(values as string[])];
  if (element === "node") {
    return column === "uid" && texts.every(isUid) ? { node: { uids: texts } } : undefined;
  }
  switch (column) {
    case "src":
    case "dst":
      return texts.every(isUid) ? { [column]: { uids: texts } } : undefined;
    case "type":
      return texts.length <= 256 ? { types: texts } : undefined;
    case "key":
      return { keys: texts };
    default:
      return undefined;
  }
}

/** What an argument may hold: other texts name no node, and are left to the rows to find out. */
const isUid = (uid: string): boolean =>
  uid !== "" && uid.length <= LONGEST_UID_BYTES && Buffer.byteLength(uid, "utf8") <= LONGEST_UID_BYTES;

const isReference = (value: JsonValue): boolean =>
  typeof value === "object" && value !== null && !Array.isArray(value) && Object.hasOwn(value, "$ref");

const LISTS = new Set(["uids", "types", "keys", "any_labels"]);

/** Both filters; undefined where one cannot say it. */
export function bothWheres(a: JsonObject, b: JsonObject): JsonObject | undefined {
  const both: JsonObject = { ...a };
  for (const [key, value] of Object.entries(b)) {
    const given = both[key];
    if (given === undefined) {
      both[key] = value;
    } else if (isReference(given) || isReference(value)) {
      return undefined;
    } else if (Array.isArray(given) && Array.isArray(value)) {
      if (key === "any_labels") return undefined;
      const others = new Set(value);
      both[key] = LISTS.has(key) ? given.filter((each) => others.has(each)) : [...given, ...value];
      const isOfPredicates = key === "edge" || key === "props";
      if (isOfPredicates && countOf(both[key]) > MOST_PREDICATES) return undefined;
    } else {
      const inner = bothWheres(given as JsonObject, value as JsonObject);
      if (inner === undefined) return undefined;
      both[key] = inner;
    }
  }
  return both;
}

function countOf(preds: JsonValue | undefined): number {
  return (preds as JsonObject[]).reduce(
    (count, pred) => count + ("any" in pred ? (pred.any as JsonValue[]).length + 1 : 1),
    0,
  );
}
