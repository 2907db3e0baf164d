// What puts a list in order: the column and the side that its first row has, out of arguments and contract.
import type { Expr, Query, QueryBody } from "../../../grammar/index.js";
import { sameValue } from "../../contract/canonical.js";
import type { JsonObject, JsonValue } from "../../contract/values.js";
import { readQuery } from "../../relational/index.js";
import type { Cell } from "./cells.js";
import type { Rank, Reason } from "./claim.js";
import type { EvidenceStep } from "./evidence.js";
import { rowsOf, totalOf } from "./held-values.js";
import { nameOf } from "./query-names.js";

/** Null where no order by a column is known. */
export function orderOf(op: string, args: JsonObject): Rank | null {
  switch (op) {
    case "aggregate_events":
      return sorted((args.order_by as unknown as readonly Ordering[])[0]);
    case "compute":
      return orderOfCompute(args);
    case "select":
      return orderOfQuery(readQuery(args.query as string));
    case "version_history":
      return { by: "tx", side: "min" };
    case "count_temporal_motifs":
      return { by: "motif", side: "min" };
    case "temporal_reachability":
      if (Array.isArray(args.uid) && args.uid.length !== 1) return null;
      return args.direction === "forward" ? { by: "arrival", side: "min" } : { by: "departure", side: "max" };
    case "temporal_paths":
      return PATH_ORDER[args.criterion as string] ?? null;
    case "graph_metric_timeseries":
      return { by: "from", side: "min" };
    default:
      return null;
  }
}

interface Ordering {
  readonly column?: string;
  readonly field?: string;
  readonly desc: boolean;
}

const PATH_ORDER: Readonly<Record<string, Rank>> = {
  foremost: { by: "arrival", side: "min" },
  fastest: { by: "duration", side: "min" },
  shortest: { by: "hops", side: "min" },
  latest_departure: { by: "departure", side: "max" },
};

function sorted(first: Ordering | undefined): Rank | null {
  const by = first?.column ?? first?.field;
  return first === undefined || by === undefined ? null : { by, side: first.desc ? "max" : "min" };
}

function orderOfCompute({ fn, order, side }: JsonObject): Rank | null {
  if (fn !== "sort" && fn !== "topk") return null;
  const rank = sorted((order as unknown as readonly Ordering[])[0]);
  // The last rows of an order stand in that order, so that row 0 is not the last of all.
  return fn === "topk" && side === "bottom" ? null : rank;
}

function orderOfQuery({ orderBy, body, offset }: Query): Rank | null {
  const [first] = orderBy;
  if (first === undefined || offset !== null) return null;
  const by = outputName(first.expr, body);
  return by === null ? null : { by, side: first.desc ? "max" : "min" };
}

/** The output column that an item of ORDER BY names. */
function outputName(expr: Expr, body: QueryBody): string | null {
  if (body.kind !== "select") return expr.kind === "name" ? expr.name.text : null;
  const text = textOf(expr);
  for (const item of body.items) {
    if (item.kind !== "expr") continue;
    const own = item.as?.text ?? nameOf(item.expr);
    if (own !== null && (text === textOf(item.expr) || (expr.kind === "name" && expr.name.text === own))) return own;
  }
  return nameOf(expr);
}

/** An expression without its places. */
const textOf = (expr: Expr): string =>
  JSON.stringify(expr, (key, value) => (key === "at" ? undefined : typeof value === "bigint" ? `${value}n` : value));

const cellOf = (row: JsonValue, by: string): JsonValue | undefined =>
  typeof row === "object" && row !== null && !Array.isArray(row) ? row[by] : undefined;

/** Whether a cell is first in its list by a column: what speaks against it, or only for a part of it. */
export function rankProblem(cell: Cell, rank: Rank): Reason | null {
  const { step, list, index } = cell;
  const { op, args } = step.record;
  const order = list === "rows" && index === 0 ? orderOf(op, args ?? {}) : null;
  if (order === null || order.by !== rank.by || order.side !== rank.side) return "rank";
  const [first, second] = rowsOf(step, "rows");
  const best = first === undefined ? undefined : cellOf(first, rank.by);
  // A row without a value is not the greatest or the least.
  if (best === undefined || best === null) return "rank";
  if (isContinued(step)) return "rank";
  if (second === undefined) return totalOf(step, "rows") === 1 && !isCutByArguments(step) ? null : "rank";
  return sameValue(cellOf(second, rank.by) ?? null, best) ? "tied" : null;
}

/** Whether the rows begin behind the first one of the list. */
const isContinued = ({ step, result }: EvidenceStep): boolean =>
  typeof result!.envelope.args.cursor === "string" || (step.slice?.[0] ?? 0) > 0;

/** Whether the arguments ask for the first rows alone: what is equal to the last of them is not seen. */
export function isCutByArguments({ record, result }: EvidenceStep): boolean {
  const { op, args } = record;
  if (op === "compute") return args?.fn === "topk";
  if (op === "select") return readQuery(args?.query as string).limit !== null;
  return op === "temporal_paths" && result!.envelope.more_paths === true;
}
