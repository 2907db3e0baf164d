// Binds calls of functions: looks them up in the closed table, and gives aggregates and windows what stands around them.
// Where a kind of function may not stand is decided by its place.
import type { Bound as AstBound, Expr, Frame, FunctionCall, Sort, Window } from "../../../grammar/ast.js";
import type { AggregateNode, Bound, BoundFrame, BoundSort, FrameBound, Source, WindowNode } from "../bound.js";
import { checkDistinctOrder } from "../functions/aggregates.js";
import type { AggregateRule, Folded, FunctionRule, Site, WindowRule } from "../functions/rule.js";
import { FUNCTION_TABLE, functionRule, isPathFunction } from "../functions/table.js";
import { settled, someNode } from "../nodes.js";
import { problem, unknownName, wrongType } from "../problems.js";
import { shownType } from "../types.js";

/** Where an expression stands, as far as functions go. */
export interface Place {
  /** For messages: `WHERE`. */
  readonly clause: string;
  readonly aggregates: boolean;
  readonly windows: boolean;
  readonly namedWindows: ReadonlyMap<string, Window>;
  /** Whether a column of the rows can be seen where rows are grouped; left out where they are not. */
  readonly isSeen?: (column: Bound) => boolean;
}

/** What binding a call needs of the binder of expressions. */
interface Tools {
  readonly zone: string;
  readonly eventAggregates: boolean;
  bind(expr: Expr, place: Place): Bound;
  test(expr: Expr, place: Place, clause: string): Bound;
  span(expr: Expr): Bound;
  /** The source that an argument is the alias of. */
  element(expr: Expr): Source | undefined;
  elementColumn(source: Source, name: string, expr: Expr): Bound | undefined;
  aside<T>(work: () => T): T;
}

export function bindFunction(expr: FunctionCall, place: Place, tools: Tools): Bound {
  const name = expr.name.text.toUpperCase();
  const rule = functionRule(name);
  if (rule === undefined) return elementFunction(name, expr, tools);
  checkForm(rule, expr, place);
  switch (rule.kind) {
    case "scalar":
      return rule.bind(siteOf(name, expr, place, tools));
    case "event":
      return eventAggregate(rule, expr, place, tools);
    case "aggregate":
      return expr.over === null ? aggregate(rule, expr, place, tools) : overWindow(rule, expr, place, tools);
    case "window":
      return overWindow(rule, expr, place, tools);
  }
}

/** Arguments that are whole elements stand for their period, where a period is taken. */
function siteOf(name: string, expr: FunctionCall, place: Place, tools: Tools): Site {
  const args = expr.args.map((arg) => {
    const element = name === "INTERSECT_TIME" || name === "ALLEN" || name === "WIDTH" ? tools.element(arg) : undefined;
    const period = element === undefined ? undefined : tools.elementColumn(element, "valid_time", arg);
    return period ?? tools.bind(arg, place);
  });
  return { ast: expr, name, args, zone: tools.zone };
}

function elementFunction(name: string, expr: FunctionCall, tools: Tools): Bound {
  const [arg] = expr.args;
  if (name === "ID" && arg !== undefined && expr.args.length === 1) {
    const element = tools.element(arg);
    const uid = element === undefined ? undefined : tools.elementColumn(element, "uid", arg);
    if (uid !== undefined) return uid;
    throw wrongType("ID takes a node", arg, "an edge is named by its src, type, dst and key");
  }
  if (isPathFunction(name))
    throw wrongType(`${name} takes a path, and there is none here`, expr, "paths come from MATCH p = …");
  const known = FUNCTION_TABLE.map((each) => each.name);
  throw unknownName(
    "there is no function",
    expr.name.text,
    expr.name,
    known.includes(name) ? [] : known,
    "SHOW FUNCTIONS lists them",
  );
}

function checkForm(rule: FunctionRule, expr: FunctionCall, place: Place): void {
  const { name, kind } = rule;
  const given = expr.args.length;
  if (expr.star && name !== "COUNT")
    throw problem("wrong_arguments", `${name}(*) has no meaning`, expr, { hint: rule.signature });
  const least = expr.star ? 0 : Math.max(rule.least, name === "COUNT" ? 1 : 0);
  if (given < least || given > rule.most) {
    const takes = rule.least === rule.most ? `${rule.most}` : `${rule.least} to ${rule.most}`;
    throw problem("wrong_arguments", `${name} takes ${takes} arguments, not ${given}`, expr, { hint: rule.signature });
  }
  const isFolding = kind === "aggregate" || kind === "event";
  if (expr.distinct && (!isFolding || expr.star))
    throw problem("wrong_form", `${name} takes no DISTINCT`, expr, { hint: rule.signature });
  if (expr.filter !== null && !isFolding)
    throw problem("wrong_form", `${name} takes no FILTER`, expr, { hint: rule.signature });
  if (expr.orderBy.length > 0 && !(kind === "aggregate" && rule.ordered === true)) {
    const hint = kind === "window" ? `${name}(…) OVER (ORDER BY …)` : rule.signature;
    throw problem("wrong_form", `${name} takes no ORDER BY inside its parentheses`, expr, { hint });
  }
  if (expr.ignoreNulls && kind !== "window")
    throw problem("wrong_form", `${name} takes no IGNORE NULLS`, expr, { hint: rule.signature });
  if (expr.over !== null && (kind === "scalar" || kind === "event")) {
    throw problem(kind === "event" ? "event_aggregate" : "wrong_form", `${name} takes no OVER`, expr, {
      hint: rule.signature,
    });
  }
  if (expr.over === null && kind === "window") {
    throw problem("no_window", `${name} needs a window`, expr, { hint: `${name}(…) OVER (ORDER BY …)` });
  }
  if (expr.over === null && kind === "aggregate" && !place.aggregates) {
    throw problem("misplaced_aggregate", `${name} cannot stand in ${place.clause}`, expr, {
      hint:
        place.clause === "WHERE"
          ? "conditions on groups stand in HAVING"
          : "compute it in a WITH query or in FROM (SELECT …)",
    });
  }
  if (expr.over !== null && !place.windows) {
    throw problem("misplaced_window", `${name}(…) OVER cannot stand in ${place.clause}`, expr, {
      hint: "conditions on windows stand in QUALIFY",
    });
  }
}

/** Inside an aggregate there is neither another one nor a window. */
const inside = (place: Place, name: string): Place => {
  const { isSeen: _, ...rest } = place;
  return { ...rest, clause: name, aggregates: false, windows: false };
};

function sorts(orderBy: readonly Sort[], place: Place, tools: Tools): BoundSort[] {
  return orderBy.map(({ expr, desc, nulls }) => {
    const node = settled(tools.bind(expr, place));
    if (node.type.kind === "period" || node.type.kind === "row" || node.type.kind === "interval") {
      throw wrongType(`${shownType(node.type)} has no order`, expr);
    }
    return { expr: node, desc, nullsFirst: nulls === "first" };
  });
}

interface Parts extends Folded {
  readonly argumentOrder: readonly BoundSort[];
  readonly filter: Bound | null;
}

function parts(rule: AggregateRule | WindowRule, expr: FunctionCall, place: Place, tools: Tools): Parts {
  const inner = inside(place, rule.name);
  const site = siteOf(rule.name, expr, inner, tools);
  const folded = rule.bind(site);
  const written = sorts(expr.orderBy, inner, tools);
  checkDistinctOrder(site, written);
  const argumentOrder = expr.distinct && written.length > 0 ? written : [...written, ...(folded.orderBy ?? [])];
  const filter = expr.filter === null ? null : tools.test(expr.filter, inner, "FILTER");
  return { ...folded, argumentOrder, filter };
}

function aggregate(rule: AggregateRule, expr: FunctionCall, place: Place, tools: Tools): AggregateNode {
  const { args, type, sql, argumentOrder, filter, unrounded } = tools.aside(() => parts(rule, expr, place, tools));
  return {
    kind: "aggregate",
    name: rule.name,
    args,
    distinct: expr.distinct,
    orderBy: argumentOrder,
    filter,
    type,
    sql,
    ...(unrounded === true && { unrounded }),
  };
}

// ---------------------------------------------------------------- windows

function windowOf(expr: FunctionCall, place: Place): Window {
  const { over } = expr;
  if (over !== null && "kind" in over) return over;
  const named = place.namedWindows.get(over!.text);
  if (named !== undefined) return named;
  throw unknownName("there is no window", over!.text, over!, place.namedWindows.keys());
}

/** Window functions see the rows that are left, grouped ones where there are groups: so aggregates may stand in them. */
function overWindow(rule: AggregateRule | WindowRule, expr: FunctionCall, place: Place, tools: Tools): WindowNode {
  const inner: Place = { ...place, windows: false, clause: `${rule.name}(…) OVER` };
  const window = windowOf(expr, place);
  const site = siteOf(rule.name, expr, inner, tools);
  const folded = rule.bind(site);
  const argumentOrder = [...sorts(expr.orderBy, inner, tools), ...(folded.orderBy ?? [])];
  const filter = expr.filter === null ? null : tools.test(expr.filter, inner, "FILTER");
  const partitionBy = window.partitionBy.map((each) => settled(tools.bind(each, inner)));
  const orderBy = sorts(window.orderBy, inner, tools);
  const isAggregate = rule.kind === "aggregate";
  if (!isAggregate && rule.needsOrder && orderBy.length === 0) {
    throw problem("no_order", `${rule.name} needs an order`, expr, { hint: `${rule.name}(…) OVER (ORDER BY …)` });
  }
  if (window.frame !== null && !isAggregate && !rule.takesFrame) {
    throw problem("wrong_form", `${rule.name} takes no frame`, window.frame, {
      hint: "leave ROWS, RANGE or GROUPS out",
    });
  }
  if (expr.distinct && window.frame === null && orderBy.length > 0 && rule.name === "LIST")
    checkDistinctOrder(site, argumentOrder);
  const frame = window.frame === null ? null : frameOf(window.frame, orderBy, tools);
  const breaksTies = frame === null ? !isAggregate && rule.breaksTies : frame.unit === "rows";
  return {
    kind: "window",
    name: rule.name,
    args: folded.args,
    distinct: expr.distinct,
    argumentOrder: isAggregate ? argumentOrder : [],
    filter,
    ignoreNulls: expr.ignoreNulls,
    partitionBy,
    orderBy,
    frame,
    breaksTies,
    type: folded.type,
    sql: folded.sql,
    ...(folded.unrounded === true && { unrounded: true }),
  };
}

function frameOf(frame: Frame, orderBy: readonly BoundSort[], tools: Tools): BoundFrame {
  const { unit } = frame;
  const [from, to] = [frame.from, frame.to].map(
    (each): FrameBound => (each === null ? { kind: "current_row" } : bound(each, frame, orderBy, tools)),
  );
  if (unit === "groups" && orderBy.length === 0) throw problem("no_order", "GROUPS needs an order", frame);
  if (rank(from!) > rank(to!)) {
    throw problem("frame", "the frame ends before it begins", frame, {
      code: "E_INVALID_ARG",
      hint: "swap its bounds",
    });
  }
  return { unit, from: from!, to: to!, exclude: frame.exclude };
}

const rank = (each: FrameBound): number => {
  if (each.kind === "current_row") return 0;
  const size = each.kind === "unbounded" ? 2 : 1;
  return each.side === "preceding" ? -size : size;
};

function bound(each: AstBound, frame: Frame, orderBy: readonly BoundSort[], tools: Tools): FrameBound {
  if (each.kind !== "offset")
    return each.kind === "current_row" ? { kind: "current_row" } : { kind: "unbounded", side: each.side };
  const by = tools.span(each.by);
  const { type } = by;
  if (by.kind !== "constant" || by.value === null)
    throw wrongType("a frame reaches a literal number of rows or a DURATION", each);
  const value = BigInt(by.value as number | bigint);
  if (value < 0n) throw problem("frame", "a frame reaches no negative distance", each, { code: "E_INVALID_ARG" });
  if (frame.unit !== "range") {
    if (type.kind !== "int") throw wrongType(`${frame.unit.toUpperCase()} counts rows, and takes an integer`, each);
    return { kind: "offset", side: each.side, by: value };
  }
  const [key] = orderBy;
  if (key === undefined || orderBy.length > 1) {
    throw problem("no_order", "RANGE with a distance needs exactly one ORDER BY item", frame);
  }
  const kind = key.expr.type.kind;
  const fits =
    type.kind === "duration"
      ? ["instant", "instant_open", "duration"].includes(kind)
      : ["int", "double"].includes(kind);
  if (!fits) {
    const hint = type.kind === "int" ? "write DURATION 'P1D'" : "";
    throw wrongType(`a frame over ${shownType(key.expr.type)} does not reach by ${shownType(type)}`, each, hint);
  }
  return { kind: "offset", side: each.side, by: value };
}

// ---------------------------------------------------------------- events

function eventAggregate(rule: FunctionRule & { kind: "event" }, expr: FunctionCall, place: Place, tools: Tools): Bound {
  const site = siteOf(rule.name, expr, inside(place, rule.name), tools);
  const type = rule.type(site);
  if (!tools.eventAggregates) {
    throw problem(
      "event_aggregate",
      `${rule.name} needs one EVENTS or ENDPOINTS source grouped by its own columns`,
      expr,
      {
        hint:
          rule.name === "MAX_IN_SPAN"
            ? "COUNT(*) OVER (… RANGE BETWEEN DURATION … PRECEDING AND CURRENT ROW)"
            : "LAG(e.at) OVER (PARTITION BY … ORDER BY e.at)",
      },
    );
  }
  const sql = (): string => {
    throw new Error(`${rule.name} has no SQL`);
  };
  return {
    kind: "aggregate",
    name: rule.name,
    args: site.args,
    distinct: expr.distinct,
    orderBy: [],
    filter: null,
    type,
    sql,
  };
}

/** Whether an aggregate that is no window stands in the expression. */
export const hasAggregate = (node: Bound): boolean => someNode(node, ({ kind }) => kind === "aggregate");
export const hasWindow = (node: Bound): boolean => someNode(node, ({ kind }) => kind === "window");
