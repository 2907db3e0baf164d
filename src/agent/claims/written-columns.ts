// Which columns of a query hold what its author wrote: an expression over literals alone, by whatever way it is handed on. An
// expression that reads a column, or counts rows, is the database's, whatever else stands in it.
import type { Expr, Query, QueryBody, Table } from "../../../grammar/index.js";
import { aliasOf, nameOf } from "./query-names.js";

/** Whether a column of a table holds literals alone. */
export type Written = (column: string) => boolean;
const NOTHING: Written = () => false;
type Tables = ReadonlyMap<string, Written>;
type Sources = readonly (readonly [alias: string | null, columns: Written])[];

/** Functions of which the rows are a part, whatever they are given. */
const READING: readonly string[] = ["COUNT", "SUM", "NTILE"];
const LITERALS: readonly Expr["kind"][] = [
  ...(["string", "integer", "number", "boolean", "null", "parameter"] as const),
  ...(["named_instant", "instant", "epoch", "duration", "interval"] as const),
];

export function columnsOf(query: Query, outer: Tables): Written {
  const tables = new Map(outer);
  for (const { name, query: common } of query.with) tables.set(name.text, columnsOf(common, tables));
  return columnsOfBody(query.body, tables);
}

function columnsOfBody(body: QueryBody, tables: Tables): Written {
  switch (body.kind) {
    case "query":
      return columnsOf(body, tables);
    case "set": {
      // Columns of a set operation have the names of its left side.
      const [left, right] = [columnsOfBody(body.left, tables), columnsOfBody(body.right, tables)];
      const [names, others] = [namesOf(body.left), namesOf(body.right)];
      return (column) => left(column) || right(others[names.indexOf(column)] ?? column);
    }
    case "select": {
      const from = body.from.flatMap(({ table, joins }) => [table, ...joins.map((join) => join.table)]);
      const sources: Sources = from.map((table) => [aliasOf(table), columnsOfTable(table, tables)]);
      const named = new Map<string, boolean>();
      let isWhole = false;
      const names = namesOf(body);
      for (const [i, item] of body.items.entries()) {
        if (item.kind !== "expr") isWhole = true;
        else named.set(names[i]!, isLiteral(item.expr, sources, tables));
      }
      return (column) => named.get(column) ?? (isWhole && sources.some(([, written]) => written(column)));
    }
    default:
      return NOTHING;
  }
}

function columnsOfTable(table: Table, tables: Tables): Written {
  if (table.kind === "subquery") return columnsOf(table.query, tables);
  if (table.kind !== "named" || table.path.length !== 1) return NOTHING;
  return tables.get(table.path[0]!.text) ?? NOTHING;
}

/** The name of each item; one that has none is told by its position. */
function namesOf(body: QueryBody): readonly string[] {
  if (body.kind === "query") return namesOf(body.body);
  if (body.kind === "set") return namesOf(body.left);
  if (body.kind !== "select") return [];
  return body.items.map((item, i) => {
    if (item.kind !== "expr") return `*${i}`;
    return item.as?.text ?? nameOf(item.expr) ?? `#${i}`;
  });
}

function isLiteral(expr: Expr, sources: Sources, tables: Tables): boolean {
  const all = (parts: readonly (Expr | null)[]): boolean =>
    parts.every((part) => part === null || isLiteral(part, sources, tables));
  switch (expr.kind) {
    case "name":
      return sources.some(([, written]) => written(expr.name.text));
    case "member": {
      if (expr.of.kind !== "name") return all([expr.of]);
      const qualifier = expr.of.name.text;
      return sources.some(([alias, written]) => alias === qualifier && written(expr.name.text));
    }
    case "unary":
    case "cast":
    case "index":
      return all([expr.of]);
    case "is":
      return all([expr.of, typeof expr.what === "string" ? null : expr.what.distinctFrom]);
    case "in":
      return all([expr.of, expr.in]);
    case "between":
      return all([expr.of, expr.from, expr.to]);
    case "like":
      return all([expr.of, expr.pattern]);
    case "logical":
    case "row":
    case "list":
      return all(expr.of);
    case "binary":
      return all([expr.left, expr.right]);
    case "case":
      // Which of them it is, is read; what it says is not.
      return all([...expr.when.map(({ then }) => then), expr.else]);
    case "function":
      return expr.args.length > 0 && !READING.includes(expr.name.text) && all(expr.args);
    case "subquery_value": {
      const [column] = namesOf(expr.query);
      return column !== undefined && columnsOf(expr.query, tables)(column);
    }
    default:
      return LITERALS.includes(expr.kind);
  }
}
