// Whether the first row of a list is known to be the greatest or the least by a field.
// What orders a list is said by the arguments of its step, or by its operator.
import { type Expr, printExpr, type QueryBody } from "../../../grammar/index.js";
import type { Rank } from "../../../src/agent/claims/claim.js";
import type { EvidenceStep } from "../../../src/agent/claims/evidence.js";
import type { JsonObject, JsonValue } from "../../../src/contract/values.js";
import { readQuery } from "../../../src/relational/index.js";
import { heldRows, listIn, type Place, rowOf, spotAt } from "./cells.js";
import { type Finding, partial, unverifiable } from "./findings.js";
import { equals, kindOf } from "./values.js";

interface Order {
  readonly by: string;
  readonly side: "max" | "min";
}

const PATH_ORDER: Readonly<Record<string, Order>> = {
  foremost: { by: "arrival", side: "min" },
  fastest: { by: "duration", side: "min" },
  shortest: { by: "hops", side: "min" },
  latest_departure: { by: "departure", side: "max" },
};

/** The field that decides first which row stands first; nothing where none is known to. */
function orderOf({ record }: EvidenceStep): Order | undefined {
  const args = record.args as JsonObject;
  const first = <T>(list: JsonValue | undefined): T | undefined => (list as unknown as T[] | undefined)?.[0];
  switch (record.op) {
    case "aggregate_events": {
      const item = first<{ column: string; desc: boolean }>(args.order_by);
      return item && { by: item.column, side: item.desc ? "max" : "min" };
    }
    case "compute": {
      if (args.fn !== "sort" && args.fn !== "topk") return undefined;
      // The last rows of an order begin with none of its ends.
      if (args.fn === "topk" && args.side !== "top") return undefined;
      const item = first<{ field: string; desc: boolean }>(args.order);
      return item && { by: item.field, side: item.desc ? "max" : "min" };
    }
    case "select": {
      const query = readQuery(args.query as string);
      const item = query.orderBy[0];
      const by = item === undefined ? undefined : outputOf(item.expr, query.body);
      return item === undefined || by === undefined || query.offset !== null
        ? undefined
        : { by, side: item.desc ? "max" : "min" };
    }
    case "version_history":
      return { by: "tx", side: "min" };
    case "temporal_reachability":
      if ((args.uid as JsonValue[]).length > 1) return undefined;
      return args.direction === "backward" ? { by: "departure", side: "max" } : { by: "arrival", side: "min" };
    case "temporal_paths":
      return PATH_ORDER[args.criterion as string];
    case "count_temporal_motifs":
      return { by: "motif", side: "min" };
    case "graph_metric_timeseries":
      return { by: "from", side: "min" };
    default:
      return undefined;
  }
}

/** The output column that orders a select: by its own name, or as the expression that it shows. */
function outputOf(expr: Expr, body: QueryBody): string | undefined {
  const nameOf = (each: Expr): string | undefined =>
    each.kind === "name" || each.kind === "member" ? each.name.text : undefined;
  const items = body.kind === "select" ? body.items : [];
  const shown = items.find(
    (item) =>
      item.kind === "expr" &&
      (printExpr(item.expr) === printExpr(expr) ||
        (expr.kind === "name" && (item.as?.text ?? nameOf(item.expr)) === expr.name.text)),
  );
  return shown?.kind === "expr" ? (shown.as?.text ?? nameOf(shown.expr)) : nameOf(expr);
}

/** Whether rows behind the last one were left out by what the arguments ask for, so that a tie may be among them. */
function asksForFewer({ record, result }: EvidenceStep): boolean {
  const args = record.args as JsonObject;
  if (record.op === "compute") return args.fn === "topk";
  if (record.op === "select") return readQuery(args.query as string).limit !== null;
  return record.op === "temporal_paths" && result!.envelope.more_paths === true;
}

export function rankFindings(step: EvidenceStep, places: readonly Place[], { by, side }: Rank): Finding[] {
  const order = orderOf(step);
  const isFirst = places.every((place) => rowOf(place)?.list === "rows" && rowOf(place)?.index === 0);
  const isWholeFront = (step.step.slice?.[0] ?? 0) === 0 && (step.record.args?.cursor ?? null) === null;
  const rows = heldRows(step);
  if (order?.by !== by || order.side !== side || !isFirst || !isWholeFront || rows === null) {
    return [unverifiable("rank")];
  }
  const fieldOfRow = (index: number): Place | undefined => {
    const segments = [
      { name: "rows", index },
      { name: by, index: null },
    ];
    return spotAt(step, { step: step.record.id, segments })?.places[0];
  };
  const top = fieldOfRow(0);
  if (top === undefined || top.value === null) return [unverifiable("rank")];
  const next = fieldOfRow(1);
  if (next === undefined) {
    const isOnly = step.record.rows_total === 1 && !asksForFewer(step);
    return isOnly ? [] : [unverifiable("rank")];
  }
  return equals(kindOf(top.type, top.value), top.value, next.value) ? [partial("tied")] : [];
}

export const hasWholeList = (step: EvidenceStep, list: string): boolean => {
  if (list === "rows") return step.record.rows_held === step.record.rows_total;
  const held = (step.result!.envelope as Record<string, unknown>)[list];
  const total = (held as { rows_total?: number } | null)?.rows_total;
  return total === undefined || listIn(held)?.length === total;
};
