// RETURN of a pattern of one node or one edge as the items of a `select`: names, keys of groups, and what `*` stands for.
import type { Expr, FunctionCall, Item, MatchQuery, Name, Select, Source } from "../../../grammar/ast.js";
import type { Elements } from "./elements.js";
import { notSupported, refuse } from "./problem.js";
import { conjunction, member, nameOf } from "./syntax.js";
import { replaced, type TreeNode, visit } from "./tree.js";

const AGGREGATES = new Set([
  ...["COUNT", "SUM", "AVG", "MIN", "MAX", "MEDIAN", "QUANTILE", "QUANTILE_DISC", "STDDEV_POP", "STDDEV_SAMP"],
  ...["BOOL_AND", "BOOL_OR", "ARG_MIN", "ARG_MAX", "LIST", "STRING_AGG"],
]);

function holdsAggregate(tree: unknown): boolean {
  let holds = false;
  visit(tree, (node) => {
    const call = node as unknown as FunctionCall;
    if (node.kind === "function" && call.over === null && AGGREGATES.has(call.name.text)) holds = true;
    return !holds && node.kind !== "query";
  });
  return holds;
}

/** The columns that `x.*` shows, as the table of the element calls them: `src`, `props.hours`. */
type ColumnsOf = (element: string) => readonly string[];

type ExprItem = Extract<Item, { kind: "expr" }>;

/** `a.uid` is called uid also where it is read from the edge, and an element by its name. */
function itemName(expr: Expr): Name | null {
  if (expr.kind === "name") return nameOf(expr.name.text);
  if (expr.kind === "function" && expr.name.text === "ID") return nameOf("id");
  return expr.kind === "member" ? nameOf(expr.name.text) : null;
}

export class ReturnItems {
  constructor(
    private readonly elements: Elements,
    private readonly columnsOf: ColumnsOf,
    private readonly path: Name | null,
  ) {}

  select(body: MatchQuery, from: readonly Source[], conditions: readonly Expr[]): Select {
    const replace = (node: TreeNode): unknown => this.elements.replacement(node);
    const isFolded = body.items.some((item) => item.kind === "expr" && holdsAggregate(item.expr));
    const isGrouped = body.grouping.groupBy === null && (isFolded || body.grouping.having !== null);
    const items = body.items.flatMap((item): Item[] => {
      if (item.kind === "star") return this.all(item);
      if (item.kind === "qualified_star") return this.columns(item, isGrouped);
      return [{ ...item, expr: replaced(item.expr, replace), as: item.as ?? itemName(item.expr) }];
    });
    const grouping = replaced(body.grouping, replace);
    const keys = items.flatMap((item) => (item.kind === "expr" && !holdsAggregate(item.expr) ? [item.expr] : []));
    return {
      kind: "select",
      distinct: body.distinct,
      items,
      from,
      where: conjunction(conditions.map((condition) => replaced(condition, replace))),
      grouping: isGrouped && keys.length > 0 ? { ...grouping, groupBy: keys } : grouping,
    };
  }

  /** `RETURN *`: every variable, in the order of the pattern. */
  private all(star: Extract<Item, { kind: "star" }>): ExprItem[] {
    if (this.path !== null)
      return notSupported(star, `RETURN * with the path ${this.path.text}`, "name what is returned");
    const named = this.elements.named();
    if (named.length === 0) {
      return refuse(
        "E_SCHEMA",
        "no_variable",
        star,
        "the pattern names nothing that * could stand for",
        "name a part: (n)",
      );
    }
    return named.map((element) => ({
      kind: "expr",
      expr: this.elements.value(element, star),
      as: nameOf(element.name),
    }));
  }

  /** `x.*`: each column by itself where they are keys, or may be missing, as those of an end that nobody asserted. */
  private columns(item: Extract<Item, { kind: "qualified_star" }>, isGrouped: boolean): Item[] {
    const element = this.elements.get(item.name.text);
    if (element === undefined || (element.kind !== "end" && !isGrouped)) return [item];
    if (element.kind === "row") {
      return notSupported(item, `${element.name}.* beside an aggregate`, `name the keys: ${element.name}.src`);
    }
    return this.columnsOf(element.name).map((column): ExprItem => {
      const key = column.startsWith("props.") ? column.slice("props.".length) : null;
      if (key === null) return { kind: "expr", expr: this.elements.field(element, column), as: nameOf(column) };
      const expr: Expr = { kind: "index", of: member(element.name, "props"), index: { kind: "string", value: key } };
      return { kind: "expr", expr, as: nameOf(key) };
    });
  }
}
