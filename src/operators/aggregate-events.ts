// P1: events put into groups, and each group measured.
// The whole contract of the operator but its columns, which are in aggregate-columns.ts.
import { type TSchema, Type } from "typebox";
import { MAX_BUCKETS } from "../calendar/buckets.js";
import { nearestNames } from "../contract/nearest.js";
import { int } from "../contract/output-schemas.js";
import {
  COMMON_ARGUMENTS,
  choice,
  closed,
  described,
  nullable,
  Where,
  type WhereArgument,
  Window,
  type WindowArgument,
  withDefault,
} from "../contract/schemas.js";
import type { JsonObject, JsonValue } from "../contract/values.js";
import { Agg, Dim, Having, Ordering } from "./aggregate-arguments.js";
import { type Aggregate, aggregateName, columnsOfCall, type Dimension, dimensionColumns } from "./aggregate-columns.js";
import { countOfWindow, judgeBuckets, withResolvedWindow } from "./bucketed-window.js";
import { invalid } from "./canonical-args.js";
import { windowUs } from "./cost-guard.js";
import { declareOperator, type Report } from "./declaration.js";
import { at, S1, S2, whole } from "./example-stores.js";
import { AGGREGATE_TABLES } from "./manual-tables/aggregates.js";
import { suggestType, suggestWindow, typeShare } from "./suggestions.js";

const DEFAULTS = { group_by: [], having: [], order_by: [], pairs: "all", window: null };
const count = { fn: "count", as: "count" };

/** What refuses two dimensions or two columns that are alike, and columns that are not there. */
function judgeColumns(args: { group_by: unknown; having: unknown; order_by: unknown }, report: Report): void {
  const names = new Set<string>();
  for (const [i, { name }] of columnsOfCall(args as unknown as JsonObject).entries()) {
    if (names.has(name)) {
      report(
        invalid(`two columns are called ${JSON.stringify(name)} (column ${i})`, "", "give one another name by as"),
      );
    }
    names.add(name);
  }
  for (const path of ["having", "order_by"] as const) {
    for (const [i, named] of (args[path] as { column: string }[]).entries()) {
      if (names.has(named.column)) continue;
      const nearest = nearestNames(named.column, names, 1);
      report(
        invalid(
          `there is no column ${JSON.stringify(named.column)}`,
          `/${path}/${i}/column`,
          nearest.length > 0 ? `did you mean ${nearest[0]}?` : `the columns are ${[...names].join(", ")}`,
        ),
      );
    }
  }
}

function judgeAggregate(aggregate: Aggregate, path: string, dims: readonly Dimension[], report: Report): void {
  const { fn, of } = aggregate;
  if (fn === "sum" && of === "at") {
    report(invalid("instants have no sum", `${path}/of`, "take their mean, or sum the durations"));
  }
  if ((of === "other" || of === "distinct_other") && dims.filter(({ dim }) => dim === "node").length !== 1) {
    report(
      invalid(
        "the other end is that of the grouped node, so there must be just one dimension of nodes",
        `${path}/of`,
        'group by {"dim": "node", "role": "either"}',
      ),
    );
  }
  for (const key of ["span", "gap"] as const) {
    const length = aggregate[key];
    if (length === "PT0S" || length?.startsWith("-")) {
      report(invalid(`${length} is not above PT0S`, `${path}/${key}`, "write PT1S or more"));
    }
  }
}

export const aggregateEvents = declareOperator({
  name: "aggregate_events",
  aliases: [],
  version: 1,
  summary: "Grouped aggregates and sequence measures over events.",
  doc: `Events of the window that pass \`where\` fall into groups by up to six dimensions, and each group is measured:
counts, distinct values, statistics of instants, durations and properties, first and last values, gaps between events,
the busiest span, the longest session. Nodes are judged at the event. With \`pairs: "reciprocal"\` only events count
whose pair of nodes has events in both directions. Without dimensions there is one row, also over nothing; groups
without events have none.

\`other\` is the far end as seen from the grouped node. \`skipped\` says, for each
property that an aggregate names, how many events had no usable value.`,
  args: closed({
    group_by: described(
      withDefault(Type.Array(Dim, { maxItems: 6 }), []),
      "what events are grouped by; empty: one group",
    ),
    aggregates: described(Type.Array(Agg, { minItems: 1, maxItems: 16 }), "what is measured of each group"),
    window: described(withDefault(nullable(Window), null), "only events in it; null: all of valid time"),
    where: described(withDefault(Where, {}), "filter on edges and their ends, judged at the event"),
    pairs: described(
      withDefault(choice({ all: "every one", reciprocal: "only those with events in both directions" }), "all"),
      "which pairs of nodes take part",
    ),
    having: described(withDefault(Type.Array(Having, { maxItems: 64 }), []), "conditions on the rows; all must hold"),
    order_by: described(
      withDefault(Type.Array(Ordering, { maxItems: 64 }), []),
      "columns that order the rows before the standing order",
    ),
    ...COMMON_ARGUMENTS,
  }),
  tables: AGGREGATE_TABLES,
  output: closed({
    rows: Type.Array(
      Type.Unsafe<Record<string, unknown>>({ description: "one value per column of the dimensions and aggregates" }),
    ),
    events: int("events that pass, each counted once", "events"),
    skipped: Type.Unsafe<Record<string, number>>({
      kind: "json",
      description: "by property, the events that pass without a value that its aggregates can use",
      unit: "events",
    }),
  }),
  lists: [
    {
      key: (args) =>
        (args.group_by as unknown as readonly Dimension[]).flatMap((dim) =>
          dimensionColumns(dim).map(({ name }) => name),
        ),
      field: "rows",
      order: "order_by, then the dimensions in their order: null, bools, numbers, strings, arrays",
    },
  ],
  subjects: { paths: [], introduces: false },
  pins: { envelope: "as_of_tt", other: null },
  reduces: false,
  determinism: "Two groups differ in some dimension, and the dimensions order them.",
  errors: [
    {
      code: "E_INVALID_ARG",
      when: "two dimensions or two names are alike",
      args: { group_by: [{ dim: "type" }, { dim: "type" }], aggregates: [{ fn: "count" }] },
    },
    {
      code: "E_INVALID_ARG",
      when: "having or order_by names a column that is not there",
      args: { aggregates: [{ fn: "count" }], order_by: [{ column: "number" }] },
    },
    {
      code: "E_INVALID_ARG",
      when: "a span or a gap is not above PT0S",
      args: { aggregates: [{ fn: "longest_session", gap: "PT0S" }] },
    },
    {
      code: "E_INVALID_ARG",
      when: "other without just one dimension of nodes",
      args: { aggregates: [{ fn: "count_distinct", of: "other" }] },
    },
    {
      code: "E_LIMIT",
      when: `more than ${MAX_BUCKETS} buckets, more than 1,000,000 groups, or a sum out of range`,
      args: {
        group_by: [{ dim: "bucket", stride: "PT1S" }],
        aggregates: [{ fn: "count" }],
        window: { from: "2020-01-01", to: "2022-01-01" },
      },
    },
  ],
  judge(args, report) {
    const dims = args.group_by as readonly Dimension[];
    const aggregates = args.aggregates as readonly Aggregate[];
    for (const [i, aggregate] of aggregates.entries()) judgeAggregate(aggregate, `/aggregates/${i}`, dims, report);
    judgeColumns(args, report);
    for (const dim of dims) {
      if (dim.dim === "bucket") judgeBuckets(dim.stride, dim.zone, args.window, report);
    }
  },
  complete(args) {
    const named = (args.aggregates as unknown as readonly Aggregate[]).map((aggregate) => ({
      ...aggregate,
      as: aggregateName(aggregate),
    }));
    return { ...args, aggregates: named as unknown as JsonValue };
  },
  resolve(args, pinned, limits) {
    const buckets = (args.group_by as unknown as readonly Dimension[]).filter((dim) => dim.dim === "bucket");
    if (buckets.length === 0) return args;
    const given = args.window as unknown as WindowArgument | null;
    const question = { where: args.where as unknown as WhereArgument, node: null };
    return withResolvedWindow(given, question, pinned, limits, (window) => {
      for (const { stride, zone: name } of buckets) countOfWindow(stride, name, window);
      return { ...args, window: window as unknown as JsonValue };
    });
  },
  rowSchema: (args) => {
    const columns = columnsOfCall(args as unknown as JsonObject);
    const properties = columns.map(({ name, kind, description, unit }) => [name, { kind, description, unit }] as const);
    return { type: "object", properties: Object.fromEntries(properties) } as unknown as TSchema;
  },
  cost(args, statistics) {
    const isDoubled = (args.group_by as readonly Dimension[]).some(
      (dim) => (dim.dim === "node" && dim.role === "either") || (dim.dim === "pair" && dim.undirected),
    );
    const events = statistics.eventsIn(windowUs(args.window));
    const rows = events * typeShare(args.where as WhereArgument, statistics) * (isDoubled ? 2 : 1);
    return { rows: Math.ceil(rows), steps: events * (args.pairs === "reciprocal" ? 2 : 1) };
  },
  suggest: (args, statistics, fits) => [
    ...suggestWindow(args.window, statistics, fits),
    ...suggestType(args.where, statistics, fits),
  ],
  examples: [
    {
      title: "each node's events, partners and longest silence",
      store: S1,
      args: {
        group_by: [{ dim: "node", role: "either" }],
        aggregates: [{ fn: "count" }, { fn: "count_distinct", of: "other" }, { fn: "max_gap" }],
      },
      envelope: whole(
        "aggregate_events",
        1,
        {
          ...DEFAULTS,
          group_by: [{ dim: "node", role: "either" }],
          aggregates: [
            count,
            { fn: "count_distinct", of: "other", as: "distinct_other" },
            { fn: "max_gap", as: "max_gap" },
          ],
        },
        [
          { node: "a", count: 4, distinct_other: 2, max_gap: "PT15S" },
          { node: "b", count: 4, distinct_other: 2, max_gap: "PT18S" },
          { node: "c", count: 2, distinct_other: 2, max_gap: "PT3S" },
        ],
        { events: 5, skipped: {} },
      ),
    },
    {
      title: "five seconds at a time, the busiest first",
      store: S1,
      args: {
        group_by: [{ dim: "bucket", stride: "PT5S" }],
        aggregates: [{ fn: "count" }, { fn: "first", of: "src" }, { fn: "mean", of: "at" }],
        window: { from: at(10), to: null },
        having: [{ column: "count", op: "ge", value: 1 }],
        order_by: [{ column: "count", desc: true }],
      },
      envelope: whole(
        "aggregate_events",
        1,
        {
          ...DEFAULTS,
          group_by: [{ dim: "bucket", stride: "PT5S", zone: "UTC" }],
          aggregates: [count, { fn: "first", of: "src", as: "first_src" }, { fn: "mean", of: "at", as: "mean_at" }],
          window: { from: at(10), to: "2020-01-01T00:00:30.000001Z" },
          having: [{ column: "count", op: "ge", value: 1 }],
          order_by: [{ column: "count", desc: true, nulls: "first" }],
        },
        [
          // Events at 10, 12 and 12: the mean is 11⅓ seconds.
          { from: at(10), to: at(15), count: 3, first_src: "a", mean_at: "2020-01-01T00:00:11.333333Z" },
          { from: at(15), to: at(20), count: 1, first_src: "c", mean_at: at(15) },
          { from: at(30), to: "2020-01-01T00:00:30.000001Z", count: 1, first_src: "a", mean_at: at(30) },
        ],
        { events: 5, skipped: {} },
      ),
    },
    {
      title: "a property and the lengths of facts, by type and by day",
      store: S2,
      args: {
        group_by: [{ dim: "calendar", unit: "date" }, { dim: "type" }],
        aggregates: [
          { fn: "sum", prop: "w" },
          { fn: "mean", of: "duration" },
          { fn: "min", prop: "v" },
        ],
      },
      envelope: whole(
        "aggregate_events",
        5,
        {
          ...DEFAULTS,
          group_by: [{ dim: "calendar", unit: "date", zone: "UTC" }, { dim: "type" }],
          aggregates: [
            { fn: "sum", prop: "w", as: "sum_w" },
            { fn: "mean", of: "duration", as: "mean_duration" },
            { fn: "min", prop: "v", as: "min_v" },
          ],
        },
        [
          // The correction inside the fact makes no event: its first version has w = 1.
          { date: "2020-01-01", type: "R", sum_w: 1, mean_duration: "PT1M40S", min_v: null },
          { date: "2020-01-01", type: "S", sum_w: 2, mean_duration: "PT50S", min_v: null },
        ],
        { events: 2, skipped: { w: 0, v: 2 } },
      ),
    },
    {
      title: "the busiest five seconds and the longest session of pairs that answer each other",
      store: S1,
      args: {
        group_by: [{ dim: "pair", undirected: true }],
        aggregates: [
          { fn: "max_in_span", span: "PT5S", of: "events" },
          { fn: "longest_session", gap: "PT2S" },
        ],
        pairs: "reciprocal",
      },
      envelope: whole(
        "aggregate_events",
        1,
        {
          ...DEFAULTS,
          group_by: [{ dim: "pair", undirected: true }],
          aggregates: [
            { fn: "max_in_span", span: "PT5S", of: "events", as: "max_in_span" },
            { fn: "longest_session", gap: "PT2S", as: "longest_session" },
          ],
          pairs: "reciprocal",
        },
        [
          {
            node_1: "a",
            node_2: "b",
            max_in_span: 2,
            max_in_span_at: at(10),
            longest_session: "PT2S",
            longest_session_events: 2,
          },
        ],
        { events: 3, skipped: {} },
      ),
    },
  ],
});
