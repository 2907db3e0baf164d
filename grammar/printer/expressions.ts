// Expressions in their canonical spelling, with the parentheses that the tree needs and no others.
import {
  type Bound,
  type Expr,
  type Frame,
  type FunctionCall,
  isPatternBody,
  type Sort,
  type Span,
  type Window,
} from "../ast.js";
import { printAnyName, printCount, printName, printNumber, printString, printText } from "./names.js";
import { printBody } from "./patterns.js";
import { printQuery } from "./queries.js";

/** How tightly the outermost operator of an expression binds. */
const OR = 0;
const AND = 1;
const NOT = 2;
const PREDICATE = 3;
const SUM = 4;
const PRODUCT = 5;
const SIGN = 6;
const PRIMARY = 7;

const WORDS: Readonly<Record<string, string>> = {
  overlaps: "OVERLAPS",
  contains: "CONTAINS",
  equals: "EQUALS",
  precedes: "PRECEDES",
  succeeds: "SUCCEEDS",
  immediately_precedes: "IMMEDIATELY PRECEDES",
  immediately_succeeds: "IMMEDIATELY SUCCEEDS",
  starts_with: "STARTS WITH",
  ends_with: "ENDS WITH",
};

function strength(expr: Expr): number {
  switch (expr.kind) {
    case "logical":
      return expr.op === "or" ? OR : AND;
    case "unary":
      if (expr.op !== "not") return SIGN;
      return isWordTest(expr.of) ? PREDICATE : NOT;
    case "is":
    case "in":
    case "between":
    case "like":
      return PREDICATE;
    case "binary":
      if (expr.op === "+" || expr.op === "-" || expr.op === "||") return SUM;
      return expr.op === "*" || expr.op === "/" || expr.op === "%" ? PRODUCT : PREDICATE;
    case "integer":
      return expr.value < 0n ? SIGN : PRIMARY;
    default:
      return PRIMARY;
  }
}

/** `x NOT OVERLAPS y` is the short form of NOT around it. */
const isWordTest = (expr: Expr): expr is Extract<Expr, { kind: "binary" }> =>
  expr.kind === "binary" && WORDS[expr.op] !== undefined;

const EPOCH_WORD = /^epoch_(?:s|ms|us)$/i;

const inside = (expr: Expr, least: number): string =>
  strength(expr) < least ? `(${printExpr(expr)})` : printExpr(expr);

export function printExpr(expr: Expr): string {
  switch (expr.kind) {
    case "string":
      return printString(expr.value);
    case "integer":
      return String(expr.value);
    case "number":
      return printNumber(expr);
    case "boolean":
      return expr.value ? "TRUE" : "FALSE";
    case "null":
      return "NULL";
    case "named_instant":
      return expr.name.toUpperCase();
    case "instant":
      return `${expr.form.toUpperCase()} ${printText(expr.text)}`;
    case "epoch":
      return `EPOCH_${expr.unit.toUpperCase()} ${printCount(expr.value)}`;
    case "duration":
    case "interval":
      return printSpan(expr);
    case "parameter":
      return `$${expr.name}`;
    case "name":
      // `epoch_s - 5` would be read as an instant.
      return EPOCH_WORD.test(expr.name.text) ? `"${expr.name.text}"` : printName(expr.name);
    case "member": {
      // `1.x` would be read as a number.
      const isNumber = ["integer", "number", "epoch"].includes(expr.of.kind);
      return `${isNumber ? `(${printExpr(expr.of)})` : inside(expr.of, PRIMARY)}.${printAnyName(expr.name)}`;
    }
    case "index":
      return `${inside(expr.of, PRIMARY)}[${expr.index === "*" ? "*" : printExpr(expr.index)}]`;
    case "unary":
      return printUnary(expr);
    case "binary":
      return printBinary(expr, "");
    case "logical": {
      const least = expr.op === "or" ? AND : NOT;
      return expr.of.map((part) => inside(part, least)).join(expr.op === "or" ? " OR " : " AND ");
    }
    case "is":
      return `${inside(expr.of, SUM)} IS ${expr.not ? "NOT " : ""}${
        typeof expr.what === "string" ? expr.what.toUpperCase() : `DISTINCT FROM ${inside(expr.what.distinctFrom, SUM)}`
      }`;
    case "in":
      return `${inside(expr.of, SUM)} ${expr.not ? "NOT " : ""}IN ${printMembers(expr.in)}`;
    case "between":
      return `${inside(expr.of, SUM)} ${expr.not ? "NOT " : ""}BETWEEN ${inside(expr.from, SUM)} AND ${inside(expr.to, SUM)}`;
    case "like":
      return `${inside(expr.of, SUM)} ${expr.not ? "NOT " : ""}${expr.caseless ? "ILIKE" : "LIKE"} ${inside(expr.pattern, SUM)}${
        expr.escape === null ? "" : ` ESCAPE ${printString(expr.escape)}`
      }`;
    case "row":
      return `(${expr.of.map(printExpr).join(", ")})`;
    case "list":
      return `[${expr.of.map(printExpr).join(", ")}]`;
    case "map":
      return printMap(expr);
    case "case": {
      const of = expr.of === null ? "" : ` ${printExpr(expr.of)}`;
      const branches = expr.when.map(({ when, then }) => ` WHEN ${printExpr(when)} THEN ${printExpr(then)}`);
      const otherwise = expr.else === null ? "" : ` ELSE ${printExpr(expr.else)}`;
      return `CASE${of}${branches.join("")}${otherwise} END`;
    }
    case "cast":
      return `${expr.try ? "TRY_CAST" : "CAST"}(${printExpr(expr.of)} AS ${printAnyName(expr.type)}${expr.list ? "[]" : ""})`;
    case "exists":
      return `EXISTS ${isPatternBody(expr.of) ? `{ ${printBody(expr.of)} }` : `(${printQuery(expr.of)})`}`;
    case "count_pattern":
      return `COUNT { ${printBody(expr.of)} }`;
    case "subquery_value":
      return `(${printQuery(expr.query)})`;
    case "function":
      return printCall(expr);
  }
}

function printUnary(expr: Extract<Expr, { kind: "unary" }>): string {
  if (expr.op !== "not") {
    // Two signs side by side would begin a comment.
    const isSigned = strength(expr.of) === SIGN;
    return `${expr.op}${isSigned ? `(${printExpr(expr.of)})` : inside(expr.of, SIGN)}`;
  }
  return isWordTest(expr.of) ? printBinary(expr.of, "NOT ") : `NOT ${inside(expr.of, NOT)}`;
}

function printBinary(expr: Extract<Expr, { kind: "binary" }>, not: string): string {
  const own = strength(expr);
  // Predicates do not chain; sums and products do, from left to right.
  const left = inside(expr.left, own === PREDICATE ? SUM : own);
  const right = inside(expr.right, own + 1);
  return `${left} ${not}${WORDS[expr.op] ?? expr.op} ${right}`;
}

/** `x IN (1, 2)`; an empty list cannot be written so. */
function printMembers(members: Expr): string {
  if (members.kind !== "list" || members.of.length === 0) return inside(members, SUM);
  return `(${members.of.map(printExpr).join(", ")})`;
}

export const printMap = (map: Extract<Expr, { kind: "map" }>): string =>
  `{${map.entries.map(({ key, value }) => `${printAnyName(key)}: ${printExpr(value)}`).join(", ")}}`;

export const printSpan = (span: Span): string =>
  span.kind === "parameter" ? `$${span.name}` : `${span.kind.toUpperCase()} ${printText(span.text)}`;

export const printSorts = (sorts: readonly Sort[]): string =>
  sorts
    .map(({ expr, desc, nulls }) => {
      const last = nulls === null ? "" : ` NULLS ${nulls.toUpperCase()}`;
      return `${printExpr(expr)}${desc ? " DESC" : ""}${last}`;
    })
    .join(", ");

function printCall(call: FunctionCall): string {
  const parts = [
    call.distinct ? "DISTINCT" : "",
    call.star ? "*" : call.args.map(printExpr).join(", "),
    call.orderBy.length === 0 ? "" : `ORDER BY ${printSorts(call.orderBy)}`,
    call.ignoreNulls ? "IGNORE NULLS" : "",
  ];
  const filter = call.filter === null ? "" : ` FILTER (WHERE ${printExpr(call.filter)})`;
  const over = call.over === null ? "" : ` OVER ${"kind" in call.over ? printWindow(call.over) : printName(call.over)}`;
  return `${printName(call.name)}(${parts.filter((part) => part !== "").join(" ")})${filter}${over}`;
}

export function printWindow(window: Window): string {
  const parts = [
    window.partitionBy.length === 0 ? "" : `PARTITION BY ${window.partitionBy.map(printExpr).join(", ")}`,
    window.orderBy.length === 0 ? "" : `ORDER BY ${printSorts(window.orderBy)}`,
    window.frame === null ? "" : printFrame(window.frame),
  ];
  return `(${parts.filter((part) => part !== "").join(" ")})`;
}

const EXCLUDED = { current_row: "CURRENT ROW", group: "GROUP", ties: "TIES" } as const;

function printFrame({ unit, from, to, exclude }: Frame): string {
  const bounds = to === null ? printBound(from) : `BETWEEN ${printBound(from)} AND ${printBound(to)}`;
  return `${unit.toUpperCase()} ${bounds}${exclude === null ? "" : ` EXCLUDE ${EXCLUDED[exclude]}`}`;
}

function printBound(bound: Bound): string {
  if (bound.kind === "current_row") return "CURRENT ROW";
  const side = bound.side.toUpperCase();
  if (bound.kind === "unbounded") return `UNBOUNDED ${side}`;
  return `${bound.by.kind === "integer" ? String(bound.by.value) : printSpan(bound.by)} ${side}`;
}

/** Where an instant stands: sums, but no comparison. */
export const printPoint = (expr: Expr): string => inside(expr, SUM);
