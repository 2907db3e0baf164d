// What RETURN takes of journeys and longest chains: columns of the operator's answer, or a `select` over them.
// Only values of the whole path and the uids of its ends are there; everything else is refused with its place.
import type { Expr, FunctionCall, NodePattern, Select } from "../../../../grammar/ast.js";
import { STRING, type TqlType } from "../../../relational/index.js";
import { notSupported, refuse } from "../problem.js";
import type { Relation, RelationColumn } from "../relation.js";
import { ENVELOPE_FIELDS } from "../scope.js";
import { SelectCompiler } from "../select.js";
import { member, nameOf } from "../syntax.js";
import { replaced, type TreeNode } from "../tree.js";
import type { AskedPath } from "./asked-path.js";
import { freeEnd } from "./ends.js";

const PARTS = "ask for parts of the path: NODES(p), EDGES(p), LENGTH(p), DEPARTURE(p), ARRIVAL(p)";

/** Plain values of the paths are the step's own columns; anything else is a `select` over them. */
export function answerOf(
  path: AskedPath,
  step: string,
  values: ReadonlyMap<string, readonly [string, TqlType]>,
  free: NodePattern | null,
  kind: "rows" | "fields" = "rows",
): Relation {
  const { body, query, pattern } = path.question;
  const columnOf = (expr: Expr): RelationColumn | undefined => {
    if (expr.kind === "member" && expr.of.kind === "name" && free?.variable?.text === expr.of.name.text) {
      if (expr.name.text === "uid") return { name: "uid", from: "uid", type: STRING };
      return freeEnd(expr, "beside its value only the uid of the free end can be returned");
    }
    if (expr.kind === "name") return refuseWhole(path, expr);
    if (expr.kind !== "function") return undefined;
    const [of] = (expr as FunctionCall).args;
    if (of?.kind !== "name" || of.name.text !== pattern.variable?.text) return undefined;
    const found = values.get(expr.name.text);
    if (found === undefined) {
      return refuse(
        "E_INVALID_ARG",
        "pattern_not_supported",
        expr,
        `${expr.name.text} of such a path is not known`,
        `known: ${[...values.keys()].join(", ")}`,
      );
    }
    const [from, type] = found;
    return { name: expr.name.text.toLowerCase(), from, type };
  };
  const columns = body.items.map((item): RelationColumn | undefined => {
    if (item.kind !== "expr") return notSupported(item, "every part of such a path", PARTS);
    const column = columnOf(item.expr);
    return column === undefined ? undefined : { ...column, name: item.as?.text ?? column.name };
  });
  const isPlain =
    !columns.includes(undefined) && !body.distinct && body.grouping.groupBy === null && query.orderBy.length === 0;
  const isCut = query.limit !== null || query.offset !== null || query.withTies;
  const own = { table: step, fields: kind === "rows" ? ENVELOPE_FIELDS : new Map(), lists: new Map() };
  if (isPlain && !isCut && body.grouping.having === null) return { ...own, kind, columns: columns as RelationColumn[] };
  if (kind === "fields") {
    return refuse(
      "E_INVALID_ARG",
      "pattern_not_supported",
      body,
      "of the longest chain its LENGTH, DEPARTURE, ARRIVAL and SPAN are returned as they are",
      "put the MATCH into WITH, and compute with its columns",
    );
  }
  return over(path, { ...own, kind, columns: shown(values, free) }, columnOf);
}

/** A path, an end or an edge of it as a value; undefined for other names. */
function refuseWhole(path: AskedPath, expr: Extract<Expr, { kind: "name" }>): undefined {
  const { pattern } = path.question;
  const names = [pattern, path.link, ...pattern.chain.nodes].map(({ variable }) => variable?.text);
  if (names.includes(expr.name.text)) notSupported(expr, `the whole of ${expr.name.text} as a value`, PARTS);
}

function shown(values: ReadonlyMap<string, readonly [string, TqlType]>, free: NodePattern | null): RelationColumn[] {
  const columns = [...values.values()].map(([from, type]) => ({ name: from, from, type }));
  return free === null ? columns : [{ name: "uid", from: "uid", type: STRING }, ...columns];
}

function over(path: AskedPath, relation: Relation, columnOf: (expr: Expr) => RelationColumn | undefined): Relation {
  const { body, query } = path.question;
  const table = "paths";
  const replace = (node: TreeNode): unknown => {
    const expr = node as unknown as Expr;
    const column = columnOf(expr);
    if (column !== undefined) return member(table, column.from);
    const end = path.ends.find(
      ({ node: { variable } }) =>
        variable !== null && expr.kind === "member" && expr.of.kind === "name" && expr.of.name.text === variable.text,
    );
    if (end === undefined || expr.kind !== "member") return undefined;
    if (expr.name.text === "uid" && typeof end.uid === "string") return { kind: "string", value: end.uid } as Expr;
    return refuse(
      "E_INVALID_ARG",
      "pattern_not_supported",
      expr,
      "of the ends of such a path only the uid can be returned",
      "join NODES(…) in a query around it",
    );
  };
  const select: Select = {
    kind: "select",
    distinct: body.distinct,
    items: body.items.map((item) =>
      item.kind === "expr"
        ? { ...item, expr: replaced(item.expr, replace), as: item.as ?? nameOf(columnOf(item.expr)?.name ?? "value") }
        : item,
    ),
    from: [{ table: { kind: "named", path: [nameOf(table)], alias: null }, joins: [] }],
    where: null,
    grouping: replaced(body.grouping, replace),
  };
  const orderBy = query.orderBy.map((sort) => ({ ...sort, expr: replaced(sort.expr, replace) }));
  const common = { name: nameOf(table), query, scope: path.scope, relation };
  return new SelectCompiler(path.compiler).compile(
    { ...query, with: [], body: select, orderBy },
    path.scope.with(common),
  );
}
