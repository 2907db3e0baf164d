// The names of the metrics of graph_metric_timeseries, in the order of Metric in native/core/kernels/series/series.h.

export const METRICS = [
  "edge_event_count",
  "edge_end_count",
  "active_edge_count",
  "node_count",
  "active_node_count",
  "distinct_pair_count",
  "new_node_count",
  "new_pair_count",
  "mean_out_degree",
  "reciprocity",
] as const;
export type Metric = (typeof METRICS)[number];
/** Another name of `new_node_count`. */
export const ALIAS = "new_node_rate";
