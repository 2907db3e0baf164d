// The columns of aggregate_events: which ones the arguments ask for, how each is typed, compared and read.
// Part of the operator's contract, apart because engines read it too.
import type { OutputKind } from "../contract/output-schemas.js";
import type { JsonObject } from "../contract/values.js";

export type Dimension =
  | { readonly dim: "bucket"; readonly stride: string; readonly zone: string }
  | { readonly dim: "trunc" | "calendar"; readonly unit: string; readonly zone: string }
  | { readonly dim: "type" }
  | { readonly dim: "node"; readonly role: "src" | "dst" | "either" }
  | { readonly dim: "pair"; readonly undirected: boolean }
  | { readonly dim: "labels"; readonly role: "src" | "dst" }
  | { readonly dim: "prop"; readonly of: "edge" | "src" | "dst"; readonly prop: string };

export interface Aggregate {
  readonly fn: string;
  readonly of?: string;
  readonly prop?: string;
  readonly as?: string;
  readonly p?: number;
  readonly span?: string;
  readonly gap?: string;
}

export interface AggregateColumn {
  readonly name: string;
  readonly kind: OutputKind;
  readonly description: string;
  readonly unit?: string;
  /** Only instants and durations are compared as time; everything else as it is. */
  readonly compared: "instant" | "duration" | "plain";
}

const TEXT_PARTS = new Set(["quarter", "month", "week", "date"]);
/** What each unit of the calendar shows of the local date and time. */
const CALENDAR_PARTS: Readonly<Record<string, string>> = {
  year: "year",
  quarter: 'quarter, such as "2004-Q2"',
  month: 'month, such as "2004-04"',
  week: 'week of ISO 8601, such as "2004-W16"',
  date: 'date, such as "2004-04-15"',
  month_of_year: "month, 1 to 12",
  day_of_month: "day, 1 to 31",
  day_of_week: "day, Monday = 1 to 7",
  hour_of_day: "hour, 0 to 23",
};

const plain = (name: string, kind: OutputKind, description: string, unit?: string): AggregateColumn => ({
  name,
  kind,
  description,
  compared: "plain",
  ...(unit === undefined ? {} : { unit }),
});
const instantColumn = (name: string, description: string): AggregateColumn => ({
  name,
  kind: "instant",
  description,
  compared: "instant",
});
const durationColumn = (name: string, description: string): AggregateColumn => ({
  name,
  kind: "duration",
  description,
  compared: "duration",
});

export function dimensionColumns(dim: Dimension): readonly AggregateColumn[] {
  switch (dim.dim) {
    case "bucket":
      return [instantColumn("from", "beginning of the bucket"), instantColumn("to", "end of the bucket")];
    case "trunc":
      return [instantColumn(`${dim.unit}_from`, `beginning of the ${dim.unit}`)];
    case "calendar": {
      const isText = TEXT_PARTS.has(dim.unit);
      return [
        plain(dim.unit, isText ? "string" : "int", `local ${CALENDAR_PARTS[dim.unit]}`, isText ? undefined : "1"),
      ];
    }
    case "type":
      return [plain("type", "string", "type of the edges")];
    case "node":
      return [plain(dim.role === "either" ? "node" : dim.role, "string", "uid of the node")];
    case "pair":
      return (dim.undirected ? ["node_1", "node_2"] : ["src", "dst"]).map((name) => plain(name, "string", "uid"));
    case "labels":
      return [plain(`${dim.role}_labels`, "json", "labels of the node, sorted by code point")];
    case "prop":
      return [plain(`${dim.of}.${dim.prop}`, "json", "value of the property, or null")];
  }
}

/** The name that an aggregate has when it is given none. */
export function aggregateName({ fn, of, prop, as }: Aggregate): string {
  if (as !== undefined) return as;
  if (fn === "max_in_span") return fn;
  const looked = prop ?? of;
  if (looked === undefined) return fn;
  return `${fn === "count_distinct" ? "distinct" : fn}_${looked}`;
}

function valueColumn(aggregate: Aggregate, name: string): AggregateColumn {
  const { fn, of, prop } = aggregate;
  if (prop !== undefined) {
    const isAny = fn === "first" || fn === "last";
    return plain(name, isAny ? "json" : "double", `${fn} of the property`);
  }
  if (of === "duration") return durationColumn(name, `${fn} of the durations of the facts`);
  if (of !== "at") return plain(name, "string", `${of} of the ${fn} event`);
  return fn === "stddev"
    ? durationColumn(name, "deviation of the instants")
    : instantColumn(name, `${fn} of the instants`);
}

export function aggregateColumns(aggregate: Aggregate): readonly AggregateColumn[] {
  const { fn, of } = aggregate;
  const name = aggregateName(aggregate);
  switch (fn) {
    case "count":
      return [plain(name, "int", "events of the group", "events")];
    case "count_distinct":
      return [plain(name, "int", "distinct values", "values")];
    case "max_in_span":
      return [
        plain(name, "int", "the most in any span", of === "events" ? "events" : "nodes"),
        instantColumn(`${name}_at`, "where the first such span begins"),
      ];
    case "longest_session":
      return [
        durationColumn(name, "from the first to the last event of the longest session"),
        plain(`${name}_events`, "int", "events of that session", "events"),
      ];
    case "min_gap":
    case "mean_gap":
    case "max_gap":
      return [durationColumn(name, "between consecutive events of the group")];
    default:
      return [valueColumn(aggregate, name)];
  }
}

/** The columns of the rows, in their order: those of the dimensions, then those of the aggregates. */
export function columnsOfCall(args: JsonObject): readonly AggregateColumn[] {
  const dims = args.group_by as unknown as readonly Dimension[];
  const aggregates = args.aggregates as unknown as readonly Aggregate[];
  return [...dims.flatMap(dimensionColumns), ...aggregates.flatMap(aggregateColumns)];
}

/** Per property that an aggregate names, whether only numbers are of use. */
export function countedProperties(args: JsonObject): ReadonlyMap<string, boolean> {
  const counted = new Map<string, boolean>();
  for (const { fn, prop } of args.aggregates as unknown as readonly Aggregate[]) {
    if (prop === undefined) continue;
    const isNumeric = fn !== "count_distinct" && fn !== "first" && fn !== "last";
    counted.set(prop, isNumeric || counted.get(prop) === true);
  }
  return counted;
}
