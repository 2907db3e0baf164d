// Whether a column of a SELECT counts: its expression is COUNT, or SUM of a column that counts.
// Follows names through WITH, subqueries and joins; knows no step.
import type { Expr, Query, QueryBody, Source, Table } from "../../../grammar/index.js";

/** Whether a column of a table counts. */
type Counted = (column: string) => boolean;
type Tables = ReadonlyMap<string, Counted>;

const NONE: Counted = () => false;

export function queryCounts(query: Query, column: string, outer: Tables): boolean {
  const known = new Map(outer);
  for (const { name, query: inner } of query.with) {
    const before = new Map(known);
    known.set(name.text, (asked) => queryCounts(inner, asked, before));
  }
  return bodyCounts(query.body, column, known);
}

function bodyCounts(body: QueryBody, column: string, known: Tables): boolean {
  if (body.kind === "query") return queryCounts(body, column, known);
  if (body.kind === "set") return bodyCounts(body.left, column, known) && bodyCounts(body.right, column, known);
  if (body.kind !== "select") return false;
  const sources = sourcesOf(body.from, known);
  const isCountedColumn = (expr: Expr): boolean => {
    if (expr.kind === "member" && expr.of.kind === "name") {
      return (sources.get(expr.of.name.text) ?? NONE)(expr.name.text);
    }
    return expr.kind === "name" && sources.size === 1 && [...sources.values()][0]!(expr.name.text);
  };
  const counts = (expr: Expr): boolean => {
    // A column that counts is handed on as one.
    if (expr.kind !== "function") return isCountedColumn(expr);
    const [argument] = expr.args;
    return expr.name.text === "COUNT" || (expr.name.text === "SUM" && argument !== undefined && counts(argument));
  };
  return body.items.some(
    (item) => item.kind === "expr" && (item.as?.text ?? ownName(item.expr)) === column && counts(item.expr),
  );
}

const ownName = (expr: Expr): string | undefined =>
  expr.kind === "name" || expr.kind === "member" ? expr.name.text : undefined;

function sourcesOf(from: readonly Source[], known: Tables): Tables {
  const tables = from.flatMap(({ table, joins }) => [table, ...joins.map((join) => join.table)]);
  return new Map(tables.flatMap((table) => sourceOf(table, known)));
}

function sourceOf(table: Table, known: Tables): (readonly [string, Counted])[] {
  const alias = table.alias?.name.text;
  if (table.kind === "named") {
    const name = table.path[0]!.text;
    return [[alias ?? name, known.get(name) ?? NONE]];
  }
  if (table.kind !== "subquery" || alias === undefined) return [];
  return [[alias, (asked) => queryCounts(table.query, asked, known)]];
}
