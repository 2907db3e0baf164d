// What goes beyond `aggregate_events`: the query over its rows, with keys and aggregates replaced by their columns.
// Its LIMIT, and whatever the step could not take, stand there.
import type { Expr, Item, Query, Select } from "../../../../grammar/ast.js";
import { castColumn, type Relation } from "../relation.js";
import type { Scope } from "../scope.js";
import { conjunction, member, nameOf } from "../syntax.js";
import { replaced, type TreeNode } from "../tree.js";
import type { Grouping } from "./grouping.js";

/** A query over the rows of steps, and where it finds their names. */
export interface Onward {
  readonly query: Query;
  readonly scope: Scope;
}

export function onwardOf(grouping: Grouping, step: string, rest: readonly Expr[], scope: Scope): Onward {
  const alias = "g";
  const columns = grouping.columns();
  const relation: Relation = { table: step, kind: "rows", columns, fields: new Map(), lists: new Map() };
  const common = {
    name: nameOf(alias),
    query: grouping.query,
    scope,
    relation,
  };
  const replace = (node: TreeNode): unknown => {
    const column = grouping.columnOf(node as unknown as Expr);
    return column === undefined ? undefined : castColumn(member(alias, column.from), column);
  };
  const items = grouping.select.items.map((item, i) => {
    const { expr } = item as Extract<Item, { kind: "expr" }>;
    return { kind: "expr", expr: replaced(expr, replace), as: nameOf(grouping.bound.columns[i]!.name) } as const;
  });
  const names = new Set(grouping.bound.columns.map(({ name }) => name));
  const orderBy = grouping.query.orderBy.map((sort) => {
    // The name of an item stays a name: what stands under it may be an expression.
    const isName =
      sort.expr.kind === "name" &&
      names.has(sort.expr.name.text) &&
      grouping.bound.referenceOf(sort.expr) === undefined;
    return isName ? sort : { ...sort, expr: replaced(sort.expr, replace) };
  });
  const body: Select = {
    kind: "select",
    distinct: false,
    items,
    from: [{ table: { kind: "named", path: [nameOf(alias)], alias: null }, joins: [] }],
    where: conjunction(rest.map((expr) => replaced(expr, replace))),
    grouping: { groupBy: null, having: null, windows: [], qualify: null },
  };
  return { query: { ...grouping.query, with: [], body, orderBy }, scope: scope.with(common) };
}
