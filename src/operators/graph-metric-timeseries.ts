// O8: metrics of the graph per bucket of time.
// The whole contract of the operator; engines only give the values.
import { type Static, Type } from "typebox";
import { MAX_BUCKETS } from "../calendar/buckets.js";
import { ALIAS, METRICS, type Metric } from "../contract/graph-metrics.js";
import { bool, instant, int, oneOf, orNull } from "../contract/output-schemas.js";
import {
  COMMON_ARGUMENTS,
  choice,
  closed,
  described,
  nullable,
  StrideText,
  Uid,
  Where,
  type WhereArgument,
  Window,
  type WindowArgument,
  withDefault,
  Zone,
} from "../contract/schemas.js";
import type { JsonObject } from "../contract/values.js";
import { countOfWindow, judgeBuckets, withResolvedWindow } from "./bucketed-window.js";
import { invalid } from "./canonical-args.js";
import { windowUs } from "./cost-guard.js";
import { declareOperator } from "./declaration.js";
import type { EventQuestion, WindowUs } from "./engine.js";
import { at, S1, S2, whole } from "./example-stores.js";
import { METRIC_TABLE } from "./manual-tables/metrics.js";
import { isTrivial, suggestStride, suggestWindow, typeShare } from "./suggestions.js";

const MetricName = Type.Enum([...METRICS, ALIAS], { title: "Metric" });

/** What each group of metrics reads. */
const OF_PAIRS: readonly Metric[] = ["distinct_pair_count", "reciprocity", "new_pair_count"];
const OF_EVENTS: readonly Metric[] = ["active_node_count", "distinct_pair_count", "reciprocity"];
const OF_NODES: readonly Metric[] = ["node_count", "new_node_count", "mean_out_degree"];

/** Two binary searches, as native/core/kernels/series/event_metrics.cc counts them. */
export const STEPS_PER_COUNT = 16;

/** Shared with burst_detection: whose events are counted. */
export const Role = choice({ src: "the tail", dst: "the head", either: "one of both; a self-loop counts once" });

/** Of the argument `metric` in canonical form: an array without duplicates, aliases replaced. */
function metricsOf(metric: string | readonly string[]): Metric[] {
  const names = typeof metric === "string" ? [metric] : metric;
  return [...new Set(names.map((name) => (name === ALIAS ? "new_node_count" : (name as Metric))))];
}

const DEFAULTS = { window: { from: at(0), to: at(40) }, zone: "UTC", node: null };
const row = (from: number, to: number, metric: Metric, value: number | null, partial = false): JsonObject => ({
  from: at(from),
  to: at(to),
  partial,
  metric,
  value,
});

const args = closed({
  metric: described(
    Type.Union([MetricName, Type.Array(MetricName, { minItems: 1, maxItems: 8 })]),
    "what is counted in each bucket: names of the table below",
  ),
  window: described(
    withDefault(nullable(Window), null),
    "the stretch that is cut into buckets; an open end becomes that of the events",
  ),
  stride: described(StrideText, "length of a bucket"),
  zone: described(withDefault(Zone, "UTC"), "zone whose local days, weeks, months and years a calendar stride means"),
  node: described(
    withDefault(
      nullable(
        closed({
          uid: described(Uid, "the node"),
          role: described(withDefault(Role, "either"), "the end of the edge at which it stands"),
        }),
      ),
      null,
    ),
    "only events and edges at this node; null: all",
  ),
  where: described(withDefault(Where, {}), "filter on edges and their ends"),
  ...COMMON_ARGUMENTS,
});
type Args = Static<typeof args>;

export const graphMetricTimeseries = declareOperator({
  name: "graph_metric_timeseries",
  aliases: [],
  version: 1,
  summary: "Metrics of the graph per bucket of time.",
  doc: `Every bucket is emitted, also an empty one, once for each metric. Counts of events add up to that of the window.
\`new_node_count\` and \`new_pair_count\` count what appears for the first time over all time. Edge metrics do not depend on
node versions. A self-loop is an event and an edge, but no pair for \`reciprocity\`.`,
  args,
  tables: [METRIC_TABLE],
  output: closed({
    rows: Type.Array(
      closed({
        from: instant("where the bucket begins", { pair: ["from", "to"] }),
        to: instant("where it ends", { pair: ["from", "to"] }),
        partial: bool("cut by an end of the window"),
        metric: oneOf([...METRICS], "what was counted", { echoes: "metric" }),
        value: orNull(
          Type.Number({ kind: "double", description: "the count or ratio; null over nothing", unit: "of the metric" }),
        ),
      }),
    ),
    n_buckets: int("buckets of the window", "buckets"),
  }),
  lists: [{ field: "rows", order: "from, then metric in the order of the argument", key: ["from", "metric"] }],
  subjects: { paths: ["node.uid"], introduces: false },
  pins: { envelope: "as_of_tt", other: null },
  reduces: false,
  determinism: "Each pair of bucket and metric has one row.",
  errors: [
    {
      code: "E_NOT_FOUND",
      when: "node.uid is not known at the pin",
      args: { metric: "edge_event_count", stride: "PT1H", node: { uid: "nobody" } },
    },
    {
      code: "E_INVALID_ARG",
      when: "a metric of nodes is asked for at one node",
      args: { metric: "node_count", stride: "PT1H", node: { uid: "a" } },
    },
    {
      code: "E_INVALID_ARG",
      when: "the stride mixes units",
      args: { metric: "edge_event_count", stride: "P1M2D" },
    },
    {
      code: "E_LIMIT",
      when: `more than ${MAX_BUCKETS} buckets`,
      args: { metric: "edge_event_count", stride: "PT1S", window: { from: "2020-01-01", to: "2022-01-01" } },
    },
  ],
  judge(given, report) {
    const metrics = metricsOf(given.metric);
    const ofNodes = metrics.filter((metric) => OF_NODES.includes(metric));
    if (given.node !== null && ofNodes.length > 0) {
      report(invalid(`${ofNodes.join(", ")} cannot be asked at one node`, "/node", "leave node or these metrics out"));
    }
    judgeBuckets(given.stride, given.zone, given.window, report);
  },
  complete: (given) => ({ ...given, metric: metricsOf(given.metric as string | string[]) }),
  resolve(given, pinned, limits) {
    const question = {
      where: given.where as unknown as WhereArgument,
      node: given.node as unknown as EventQuestion["node"],
    };
    const window = given.window as unknown as WindowArgument | null;
    return withResolvedWindow(window, question, pinned, limits, (resolved) => {
      countOfWindow(given.stride as string, given.zone as string, resolved);
      return { ...given, window: resolved as unknown as JsonObject };
    });
  },
  cost(given, statistics) {
    const metrics = metricsOf(given.metric);
    const wants = (some: readonly Metric[]): boolean => metrics.some((metric) => some.includes(metric));
    const window = windowUs(given.window);
    const buckets = countOfWindow(given.stride, given.zone, given.window);
    const share = typeShare(given.where, statistics);
    const eventsIn = (stretch: WindowUs): number =>
      given.node === null ? statistics.eventsIn(stretch) : statistics.degree(given.node.uid, stretch);
    const touching = given.node === null ? statistics.edgesTouching(window) : statistics.degree(given.node.uid, window);
    const events = eventsIn(window);
    const rows = Math.ceil(events * share) * (wants(OF_PAIRS) ? 2 : 1) + buckets;
    const isSwept = metrics.some((metric) => OF_EVENTS.includes(metric));
    const isCounted = given.node === null && isTrivial(given.where) && wants(["edge_event_count"]);
    const steps =
      buckets * (isCounted && !isSwept ? STEPS_PER_COUNT : 1) +
      (isSwept || (wants(["edge_event_count"]) && !isCounted) ? events : 0) +
      // A pair is new only where it never was before: the look back may reach the beginning.
      (wants(["new_pair_count"]) ? eventsIn({ fromUs: null, toUs: window.toUs }) : 0) +
      (wants(["active_edge_count", "mean_out_degree"]) ? touching : 0) +
      (wants(["edge_end_count"]) ? touching : 0) +
      (wants(OF_NODES) ? statistics.nodesTouching(window) : 0);
    return { rows, steps };
  },
  suggest: (given: Args, statistics, fits) => [
    ...suggestWindow(given.window, statistics, fits),
    ...suggestStride(given.stride, fits),
  ],
  examples: [
    {
      title: "events per ten seconds",
      store: S1,
      args: { metric: "edge_event_count", window: { from: at(0), to: at(40) }, stride: "PT10S" },
      envelope: whole(
        "graph_metric_timeseries",
        1,
        { ...DEFAULTS, metric: ["edge_event_count"], stride: "PT10S" },
        [
          row(0, 10, "edge_event_count", 0),
          row(10, 20, "edge_event_count", 4),
          row(20, 30, "edge_event_count", 0),
          row(30, 40, "edge_event_count", 1),
        ],
        { n_buckets: 4 },
      ),
    },
    {
      title: "the last bucket is cut by the window",
      store: S1,
      args: { metric: "edge_event_count", window: { from: at(0), to: at(40) }, stride: "PT15S" },
      envelope: whole(
        "graph_metric_timeseries",
        1,
        { ...DEFAULTS, metric: ["edge_event_count"], stride: "PT15S" },
        [
          row(0, 15, "edge_event_count", 3),
          row(15, 30, "edge_event_count", 1),
          row(30, 40, "edge_event_count", 1, true),
        ],
        { n_buckets: 3 },
      ),
    },
    {
      title: "facts that last: what holds, what ends, how many edges a node has",
      store: S2,
      args: {
        metric: ["active_edge_count", "edge_end_count", "mean_out_degree"],
        window: { from: at(60), to: at(120) },
        stride: "PT30S",
      },
      envelope: whole(
        "graph_metric_timeseries",
        5,
        {
          ...DEFAULTS,
          metric: ["active_edge_count", "edge_end_count", "mean_out_degree"],
          window: { from: at(60), to: at(120) },
          stride: "PT30S",
        },
        [
          // Both edges hold at @60, only node a has a version; b S c ends at @70, a R b at @100.
          row(60, 90, "active_edge_count", 2),
          row(60, 90, "edge_end_count", 1),
          row(60, 90, "mean_out_degree", 2),
          row(90, 120, "active_edge_count", 1),
          row(90, 120, "edge_end_count", 1),
          row(90, 120, "mean_out_degree", 1),
        ],
        { n_buckets: 2 },
      ),
    },
    {
      title: "an open window resolves to the events at one node",
      store: S1,
      args: { metric: ["new_pair_count", "reciprocity"], stride: "PT10S", node: { uid: "c" } },
      envelope: whole(
        "graph_metric_timeseries",
        1,
        {
          ...DEFAULTS,
          metric: ["new_pair_count", "reciprocity"],
          window: { from: at(12), to: "2020-01-01T00:00:15.000001Z" },
          stride: "PT10S",
          node: { uid: "c", role: "either" },
        },
        [
          {
            from: at(12),
            to: "2020-01-01T00:00:15.000001Z",
            partial: true,
            metric: "new_pair_count",
            value: 2,
          },
          { from: at(12), to: "2020-01-01T00:00:15.000001Z", partial: true, metric: "reciprocity", value: 0 },
        ],
        { n_buckets: 1 },
      ),
    },
  ],
});
