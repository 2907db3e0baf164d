// What each metric of graph_metric_timeseries is, for readers.

import { ALIAS, METRICS, type Metric } from "../../contract/graph-metrics.js";
import type { ManualTable } from "../declaration.js";

type Meaning = readonly [value: string, ofAnEmptyBucket: string];

const MEANINGS: Readonly<Record<Metric, Meaning>> = {
  edge_event_count: ["events in the bucket", "0"],
  edge_end_count: ["facts that stop in it", "0"],
  active_edge_count: ["edges that hold at its beginning", "0"],
  node_count: ["nodes with a version valid at its beginning, if it passes `where.node`", "0"],
  active_node_count: ["different ends of its events", "0"],
  distinct_pair_count: ["different pairs of src and dst of its events", "0"],
  new_node_count: [`nodes whose first version, over all time, begins in it; also called \`${ALIAS}\``, "0"],
  new_pair_count: ["pairs of src and dst whose first event that passes, over all time, is in it", "0"],
  mean_out_degree: ["`active_edge_count` by `node_count`", "null if there is no node"],
  reciprocity: [
    "share of its pairs, src and dst different, whose reverse is among them too",
    "null if there is no pair",
  ],
};

export const METRIC_TABLE: ManualTable = {
  title: "Metrics",
  head: ["metric", "over nothing", "value of a bucket"],
  rows: METRICS.map((metric) => {
    const [value, ofNothing] = MEANINGS[metric];
    return [`\`${metric}\``, ofNothing, value];
  }),
};
