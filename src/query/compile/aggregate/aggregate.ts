// A SELECT of keys and aggregates over one EVENTS or ENDPOINTS source as `aggregate_events`, where that operator gives
// the same columns and rows; what goes beyond it stands in a `select` after it.
import type { FunctionCall, Item, Query, Select } from "../../../../grammar/ast.js";
import type { JsonObject, JsonValue } from "../../../contract/values.js";
import type { Compiler } from "../compiler.js";
import { windowValue } from "../periods.js";
import type { Relation, RelationColumn } from "../relation.js";
import { ENVELOPE_FIELDS, type Scope } from "../scope.js";
import { visit } from "../tree.js";
import { havingOf, orderOf } from "./conditions.js";
import { Grouping } from "./grouping.js";
import { type Onward, onwardOf } from "./onward.js";

export type Aggregated = { readonly relation: Relation } | { readonly onward: Onward };

/** Undefined where the query is a `select` from the beginning. `isAnswer`: nobody reads its rows but the answer. */
export function aggregated(query: Query, scope: Scope, compiler: Compiler, isAnswer = false): Aggregated | undefined {
  const { body } = query;
  if (body.kind !== "select" || query.with.length > 0) return undefined;
  if (!isCandidate(body)) return undefined;
  const grouping = new Grouping(query, body, compiler);
  const where = grouping.read();
  return where === undefined ? undefined : build(grouping, where, scope, compiler, isAnswer);
}

function isCandidate(select: Select): boolean {
  const source = select.from[0]?.table;
  if (select.from.length !== 1 || select.from[0]!.joins.length > 0) return false;
  if (source?.kind !== "base" || (source.of !== "events" && source.of !== "endpoints")) return false;
  if (select.distinct || select.grouping.qualify !== null || select.grouping.windows.length > 0) return false;
  let isPlain = true;
  let hasAggregate = false;
  visit([select.items, select.where, select.grouping], (node) => {
    if (["star", "qualified_star", "query", "exists", "count_pattern", "subquery_value"].includes(node.kind))
      isPlain = false;
    if (node.kind === "function") {
      const call = node as unknown as FunctionCall;
      if (call.over !== null) isPlain = false;
      hasAggregate = true;
    }
    return isPlain;
  });
  return isPlain && hasAggregate;
}

function build(
  grouping: Grouping,
  where: JsonObject,
  scope: Scope,
  compiler: Compiler,
  isAnswer: boolean,
): Aggregated | undefined {
  const items = grouping.select.items as Extract<Item, { kind: "expr" }>[];
  const columns = items.map(({ expr }) => grouping.columnOf(expr));
  const having = havingOf(grouping);
  const order = orderOf(grouping, columns);
  const isWhole = !columns.includes(undefined) && having.rest.length === 0 && order !== undefined;
  const isCut = grouping.query.limit !== null || grouping.query.offset !== null || grouping.query.withTies;
  const goesOn = !isWhole || isCut;
  // A whole number that the operator calls a double would lose its last digits on the way into a table.
  const isLossy = grouping.measured.some(({ measure, type }) => type.kind === "int" && measure.declared === "double");
  if ((goesOn || !isAnswer) && isLossy) return undefined;
  const args = argsOf(grouping, where, having.conditions, goesOn ? [] : order!);
  const step = compiler.steps.add("aggregate_events", args);
  const named = (column: RelationColumn, i: number): RelationColumn => ({
    ...column,
    name: grouping.bound.columns[i]!.name,
  });
  const none = { fields: ENVELOPE_FIELDS, lists: new Map() };
  if (goesOn) return { onward: onwardOf(grouping, step, having.rest, scope) };
  return { relation: { table: step, kind: "rows", columns: (columns as RelationColumn[]).map(named), ...none } };
}

function argsOf(grouping: Grouping, where: JsonObject, having: JsonValue[], orderBy: JsonValue[]): JsonObject {
  const dims = grouping.keys.filter(({ dimension }, i) => dimension.pair === undefined || isFirstOfPair(grouping, i));
  const args: JsonObject = {
    group_by: dims.map(({ dimension }) => dimension.dim),
    aggregates: grouping.measured.map(({ measure, name }) => ({ ...measure.aggregate, as: name })),
    as_of_tt: grouping.scan.asOf,
  };
  const valid = grouping.scan.times?.valid;
  if (valid?.kind === "window") args.window = windowValue(valid);
  if (Object.keys(where).length > 0) args.where = where;
  if (having.length > 0) args.having = having;
  if (orderBy.length > 0) args.order_by = orderBy;
  return args;
}

function isFirstOfPair(grouping: Grouping, i: number): boolean {
  return grouping.keys.findIndex(({ dimension }) => dimension.pair !== undefined) === i;
}
