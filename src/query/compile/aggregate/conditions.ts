// HAVING and ORDER BY as arguments of `aggregate_events`: conditions and an order over its own columns.
// What is none of these is left for a `select` after the step.
import type { Expr, Sort } from "../../../../grammar/ast.js";
import type { JsonObject, JsonValue } from "../../../contract/values.js";
import type { TqlType } from "../../../relational/index.js";
import { COMPARISONS } from "../filters.js";
import type { RelationColumn } from "../relation.js";
import { conjuncts } from "../tree.js";
import type { Grouping } from "./grouping.js";

const MOST_CONDITIONS = 64;

/** Conditions on columns go along; others are left for a `select`. */
export function havingOf(grouping: Grouping): { readonly conditions: JsonValue[]; readonly rest: readonly Expr[] } {
  const conditions: JsonValue[] = [];
  const rest: Expr[] = [];
  for (const part of conjuncts(grouping.select.grouping.having)) {
    const one = condition(grouping, part);
    if (one === undefined || conditions.length === MOST_CONDITIONS) rest.push(part);
    else conditions.push(one);
  }
  return { conditions, rest };
}

function condition(grouping: Grouping, expr: Expr): JsonObject | undefined {
  if (expr.kind !== "binary") return undefined;
  const op = COMPARISONS[expr.op];
  const column = op === undefined ? undefined : grouping.columnOf(expr.left);
  if (op === undefined || column === undefined) return undefined;
  const value = comparand(grouping, expr.right, column.type);
  return value === undefined ? undefined : { column: column.from, op, value };
}

function comparand(grouping: Grouping, expr: Expr, type: TqlType): JsonValue | undefined {
  if (type.kind === "duration" && expr.kind === "duration")
    return expr.text.kind === "string" ? expr.text.value : undefined;
  if (type.kind === "instant" && expr.kind === "instant")
    return expr.text.kind === "string" ? expr.text.value : undefined;
  const value = grouping.constant(expr);
  const isNumber = typeof value === "number" || typeof value === "bigint";
  if (type.kind === "int" || type.kind === "double") return isNumber ? value : undefined;
  return (type.kind === "string" && typeof value === "string") || (type.kind === "bool" && typeof value === "boolean")
    ? value
    : undefined;
}

/** The written order, then all columns of the answer, as a `select` orders; undefined where an item is no column. */
export function orderOf(grouping: Grouping, columns: readonly (RelationColumn | undefined)[]): JsonValue[] | undefined {
  const order: JsonValue[] = [];
  const seen = new Set<string>();
  const add = (column: RelationColumn | undefined, desc: boolean, nulls: "first" | "last"): boolean => {
    if (column === undefined) return false;
    if (!seen.has(column.from)) order.push({ column: column.from, desc, nulls });
    seen.add(column.from);
    return true;
  };
  const isWritten = grouping.query.orderBy.every(({ expr, desc, nulls }: Sort) =>
    add(grouping.columnOf(expr), desc, nulls ?? "last"),
  );
  if (!isWritten || !columns.every((column) => add(column, false, "first"))) return undefined;
  // The keys decide every tie, and come in their order anyway.
  return isStandingOrder(grouping, order) ? [] : order;
}

function isStandingOrder(grouping: Grouping, order: readonly JsonValue[]): boolean {
  const dims = grouping.keys.map(({ dimension }) => dimension.column);
  return dims.every((name, i) => {
    const { column, desc, nulls } = (order[i] ?? {}) as JsonObject;
    return column === name && desc === false && nulls === "first";
  });
}
