// Steps that several of the tables of claims ask.
import { aggregate, type Step, WINDOW } from "../small-store.js";

/** A query over the rows of who sent how often. */
export const ofSenders = (items: string, rest = ""): Step => ({
  id: "s3",
  op: "select",
  args: { query: `SELECT ${items} FROM t ${rest}`, tables: { t: { $ref: "s1" } } },
});

/** The first and the last that each sent, the earliest sender first. */
export const byTime = aggregate("s1", {
  group_by: [{ dim: "node", role: "src" }],
  aggregates: [
    { fn: "min", of: "at", as: "first" },
    { fn: "max", of: "at", as: "last" },
    { fn: "count", as: "n" },
  ],
  order_by: [{ column: "first" }],
});

/** Counts of ten seconds each. */
export const series = (args: object = {}): Step => ({
  id: "s1",
  op: "graph_metric_timeseries",
  args: { metric: "edge_event_count", window: WINDOW, stride: "PT10S", ...args },
});
