// The arguments of aggregate_events that have parts of their own: dimensions, aggregates, conditions and orders.
// Part of the operator's contract; the columns that they give are in aggregate-columns.ts.

import { Type } from "typebox";
import { TRUNC_UNITS } from "../calendar/units.js";
import { choice, closed, Duration, described, Json, StrideText, withDefault, Zone } from "../contract/schemas.js";

export const CALENDAR_UNITS = [
  "year",
  "quarter",
  "month",
  "week",
  "date",
  "month_of_year",
  "day_of_month",
  "day_of_week",
  "hour_of_day",
] as const;

const zone = { zone: described(withDefault(Zone, "UTC"), "zone of local time") };
const unit = "the unit of the calendar";

export const Dim = Type.Union(
  [
    closed(
      {
        dim: described(Type.Literal("bucket"), "what events are grouped by"),
        stride: described(StrideText, "length of a bucket"),
        ...zone,
      },
      { description: "buckets of the window, cut to it" },
    ),
    closed(
      { dim: Type.Literal("trunc"), unit: described(Type.Enum([...TRUNC_UNITS]), unit), ...zone },
      { description: "the uncut period of the calendar that holds the event" },
    ),
    closed(
      { dim: Type.Literal("calendar"), unit: described(Type.Enum([...CALENDAR_UNITS]), unit), ...zone },
      { description: "a part of the local date or time; days of the week count from Monday = 1" },
    ),
    closed({ dim: Type.Literal("type") }, { description: "the type of the edge" }),
    closed(
      {
        dim: Type.Literal("node"),
        role: described(
          Type.Enum(["src", "dst", "either"]),
          "the end of the edge; either: an event counts for both, a self-loop once",
        ),
      },
      { description: "a node of the event" },
    ),
    closed(
      {
        dim: Type.Literal("pair"),
        undirected: described(withDefault(Type.Boolean(), false), "take both directions for one pair"),
      },
      { description: "its two nodes" },
    ),
    closed(
      { dim: Type.Literal("labels"), role: Type.Enum(["src", "dst"]) },
      { description: "the labels of a node at the event" },
    ),
    closed(
      {
        dim: Type.Literal("prop"),
        of: described(Type.Enum(["edge", "src", "dst"]), "what has the property"),
        prop: described(Type.String(), "name of the property"),
      },
      { description: "the value of a property at the event" },
    ),
  ],
  { title: "Dim" },
);

const as = { as: described(Type.Optional(Type.String()), "name of the column; percentile needs one") };
const prop = { prop: described(Type.String(), "the property that is measured") };
export const STATISTICS = ["min", "max", "sum", "mean", "median", "stddev"] as const;
const percentile = {
  fn: Type.Literal("percentile"),
  p: described(Type.Number({ minimum: 0, maximum: 100 }), "which percentile, by nearest rank"),
  as: Type.String(),
};
const measured = Type.Enum(["at", "duration"]);
const ends = { fn: Type.Enum(["first", "last"]), ...as };
export const Agg = Type.Union(
  [
    closed(
      {
        fn: described(
          Type.Enum(["count", "min_gap", "mean_gap", "max_gap"]),
          "the measure; the table says what each gives",
        ),
        ...as,
      },
      { description: "events, or the time between one and the next" },
    ),
    closed(
      {
        fn: Type.Literal("count_distinct"),
        of: described(
          Type.Enum(["src", "dst", "other", "pair", "type"]),
          "what of the event is measured; other is the far end as seen from the grouped node",
        ),
        ...as,
      },
      { description: "different nodes, pairs or types" },
    ),
    closed({ fn: Type.Literal("count_distinct"), ...prop, ...as }, { description: "different values of a property" }),
    closed(
      { fn: Type.Enum([...STATISTICS]), of: measured, ...as },
      { description: "of when events happened, or of how long their facts hold" },
    ),
    closed({ fn: Type.Enum([...STATISTICS]), ...prop, ...as }, { description: "of the numbers under a property" }),
    closed({ ...percentile, of: measured }, { description: "of instants or durations" }),
    closed({ ...percentile, ...prop }, { description: "of the numbers under a property" }),
    closed(
      { ...ends, of: Type.Enum(["at", "other", "src", "dst"]) },
      { description: "of the group's first or last event" },
    ),
    closed({ ...ends, ...prop }, { description: "a property of its first or last event" }),
    closed(
      {
        fn: Type.Literal("max_in_span"),
        span: described(Duration, "length of the span, its end excluded"),
        of: Type.Enum(["events", "distinct_other", "distinct_dst"]),
        ...as,
      },
      { description: "the most in any span of this length" },
    ),
    closed(
      {
        fn: Type.Literal("longest_session"),
        gap: described(Duration, "longest time between two events of a session"),
        ...as,
      },
      { description: "the longest run without a longer gap" },
    ),
  ],
  { title: "Agg" },
);

const column = { column: described(Type.String(), "a column of the answer") };
export const Having = Type.Union(
  [
    closed(
      {
        ...column,
        op: described(Type.Enum(["eq", "ne", "lt", "le", "gt", "ge", "contains"]), "the comparison"),
        value: described(Json, "what the column is held against"),
      },
      { description: "a comparison" },
    ),
    closed(
      { ...column, op: Type.Literal("in"), value: Type.Array(Json, { maxItems: 10_000 }) },
      { description: "one of several" },
    ),
    closed(
      { ...column, op: Type.Literal("between"), value: Type.Array(Json, { minItems: 2, maxItems: 2 }) },
      { description: "not below the first nor above the second" },
    ),
    closed(
      { ...column, op: Type.Enum(["starts_with", "ends_with"]), value: Type.String() },
      { description: "how a text begins or ends" },
    ),
  ],
  { title: "Having" },
);
export const Ordering = closed(
  {
    ...column,
    desc: described(withDefault(Type.Boolean(), false), "greatest first"),
    nulls: described(
      withDefault(choice({ first: "before all values", last: "after them" }), "first"),
      "where nulls stand, whatever desc says",
    ),
  },
  { title: "Ordering" },
);
