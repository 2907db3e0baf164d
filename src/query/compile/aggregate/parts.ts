// Keys and aggregates of a SELECT as dimensions and measures of `aggregate_events`: which have one, and under what name.
// Gives undefined for whatever the operator does not answer exactly as a `select` would.
import type { Expr, FunctionCall } from "../../../../grammar/ast.js";
import { TRUNC_UNITS } from "../../../calendar/units.js";
import type { JsonObject } from "../../../contract/values.js";
import type { CALENDAR_UNITS } from "../../../operators/aggregate-arguments.js";
import type { TqlType } from "../../../relational/index.js";
import { type Folder, strideText } from "../fold.js";

/** Which column of the events an expression stands for; undefined for everything else. */
export type EventColumn = (expr: Expr) => { readonly name: string; readonly type: TqlType } | undefined;

const PROPERTY = "props.";
const CALENDAR: Readonly<Record<string, (typeof CALENDAR_UNITS)[number]>> = {
  year: "year",
  month: "month_of_year",
  day: "day_of_month",
  day_of_week: "day_of_week",
  hour: "hour_of_day",
};

export interface Dimension {
  readonly dim: JsonObject;
  /** What the operator calls the column of this key. */
  readonly column: string;
  /** LEAST or GREATEST of the ends: the two make one dimension. */
  readonly pair?: "node_1" | "node_2";
}

/** `zoneInForce` is that of functions that name none. */
export function dimensionOf(
  expr: Expr,
  column: EventColumn,
  isEndpoints: boolean,
  zoneInForce: string,
): Dimension | undefined {
  const found = column(expr);
  if (found !== undefined) return columnDimension(found.name, found.type, isEndpoints);
  if (expr.kind !== "function" || expr.over !== null || expr.distinct) return undefined;
  const { args } = expr;
  switch (expr.name.text) {
    case "DATE_TRUNC":
    case "DATE_PART": {
      const [unit, at, zone] = args;
      if (unit?.kind !== "string" || at === undefined || column(at)?.name !== "at") return undefined;
      if (zone !== undefined && zone.kind !== "string") return undefined;
      const ofZone = zone?.value ?? zoneInForce;
      const inZone = zone === undefined && ofZone === "UTC" ? {} : { zone: ofZone };
      const name = unit.value.toLowerCase();
      if (expr.name.text === "DATE_TRUNC") {
        if (!(TRUNC_UNITS as readonly string[]).includes(name)) return undefined;
        return { dim: { dim: "trunc", unit: name, ...inZone }, column: `${name}_from` };
      }
      const part = Object.hasOwn(CALENDAR, name) ? CALENDAR[name] : undefined;
      return part === undefined ? undefined : { dim: { dim: "calendar", unit: part, ...inZone }, column: part };
    }
    case "LEAST":
    case "GREATEST": {
      const ends = args.map((arg) => column(arg)?.name).sort();
      if (isEndpoints || ends.length !== 2 || ends[0] !== "dst" || ends[1] !== "src") return undefined;
      const pair = expr.name.text === "LEAST" ? "node_1" : "node_2";
      return { dim: { dim: "pair", undirected: true }, column: pair, pair };
    }
    default:
      return undefined;
  }
}

function columnDimension(name: string, type: TqlType, isEndpoints: boolean): Dimension | undefined {
  switch (name) {
    case "src":
    case "dst":
      return { dim: { dim: "node", role: name }, column: name };
    case "uid":
      return isEndpoints ? { dim: { dim: "node", role: "either" }, column: "node" } : undefined;
    case "type":
      return { dim: { dim: "type" }, column: "type" };
    default: {
      // Numbers of both classes would fall into one group or two, as the rounding of each engine has it.
      const isScalar = type.kind === "string" || type.kind === "int" || type.kind === "bool";
      if (!name.startsWith(PROPERTY) || !isScalar) return undefined;
      const prop = name.slice(PROPERTY.length);
      return { dim: { dim: "prop", of: "edge", prop }, column: `edge.${prop}` };
    }
  }
}

export interface Measure {
  readonly aggregate: JsonObject;
  /** What the operator says the column holds. */
  readonly declared: "int" | "double" | "instant" | "duration";
  readonly type: TqlType["kind"];
}

const STATISTICS: Readonly<Record<string, string>> = {
  SUM: "sum",
  AVG: "mean",
  MIN: "min",
  MAX: "max",
  MEDIAN: "median",
  STDDEV_POP: "stddev",
};
const GAPS: Readonly<Record<string, string>> = { MIN_GAP: "min_gap", MEAN_GAP: "mean_gap", MAX_GAP: "max_gap" };
const NEVER_NULL = new Set(["src", "dst", "type", "key", "seq", "at", "uid", "other"]);

export const EVENT_AGGREGATES: ReadonlySet<string> = new Set([...Object.keys(GAPS), "MAX_IN_SPAN", "LONGEST_SESSION"]);

/** `type` is what the language gives the aggregate. */
export function measureOf(call: FunctionCall, column: EventColumn, type: TqlType, folder: Folder): Measure | undefined {
  if (call.filter !== null || call.over !== null || call.orderBy.length > 0 || call.ignoreNulls) return undefined;
  const name = call.name.text;
  const [first, second, third] = call.args;
  const measured = first === undefined ? undefined : column(first);
  const made = (aggregate: JsonObject, declared: Measure["declared"]): Measure => ({
    aggregate,
    declared,
    type: type.kind,
  });
  if (name === "COUNT") {
    if (call.star) return made({ fn: "count" }, "int");
    if (measured === undefined || call.args.length !== 1) return undefined;
    if (!call.distinct) return NEVER_NULL.has(measured.name) ? made({ fn: "count" }, "int") : undefined;
    if (["src", "dst", "type", "other"].includes(measured.name)) {
      return made({ fn: "count_distinct", of: measured.name }, "int");
    }
    const isScalar = ["string", "int", "bool"].includes(measured.type.kind);
    if (!measured.name.startsWith(PROPERTY) || !isScalar) return undefined;
    return made({ fn: "count_distinct", prop: measured.name.slice(PROPERTY.length) }, "int");
  }
  if (Object.hasOwn(GAPS, name)) {
    return measured?.name === "at" && call.args.length === 1 && !call.distinct
      ? made({ fn: GAPS[name]! }, "duration")
      : undefined;
  }
  if (name === "MAX_IN_SPAN") {
    const [of, at, length] = call.distinct ? [measured?.name, second, third] : ["events", first, second];
    if (at === undefined || length === undefined || column(at)?.name !== "at") return undefined;
    if (of !== "events" && of !== "other" && of !== "dst") return undefined;
    const span = folder.span(length);
    if (span?.kind !== "exact") return undefined;
    const what = of === "events" ? of : `distinct_${of}`;
    return made({ fn: "max_in_span", of: what, span: strideText(span) }, "int");
  }
  if (name === "LONGEST_SESSION") {
    const gap = second === undefined ? undefined : folder.span(second);
    if (measured?.name !== "at" || gap?.kind !== "exact") return undefined;
    return made({ fn: "longest_session", gap: strideText(gap) }, "duration");
  }
  const fn = STATISTICS[name];
  if (fn === undefined || measured === undefined || call.distinct || call.args.length !== 1) return undefined;
  return statistic(fn, measured, made);
}

function statistic(
  fn: string,
  { name, type }: { readonly name: string; readonly type: TqlType },
  made: (aggregate: JsonObject, declared: Measure["declared"]) => Measure,
): Measure | undefined {
  if (name === "at") return fn === "min" || fn === "max" ? made({ fn, of: "at" }, "instant") : undefined;
  if (name === "duration") {
    return fn === "min" || fn === "max" || fn === "sum" ? made({ fn, of: "duration" }, "duration") : undefined;
  }
  const isNumber = type.kind === "int" || type.kind === "double";
  if (!name.startsWith(PROPERTY) || !isNumber) return undefined;
  return made({ fn, prop: name.slice(PROPERTY.length) }, "double");
}
