// Plans of every kind of answer and most kinds of arguments, over a store in memory that holds what they ask for.
import type { JsonObject } from "../../src/contract/values.js";
import { type Database, open } from "../../src/index.js";
import { S1, S2 } from "../../src/operators/example-stores.js";

export const ref = ($ref: string) => ({ $ref });
const AT = "2020-01-01T00:00:10Z";
const WINDOW = { from: "2020-01-01", to: "2020-01-02" };

export const PLANS: readonly JsonObject[] = [
  {
    steps: [
      {
        id: "s1",
        op: "aggregate_events",
        args: {
          group_by: [{ dim: "node", role: "src" }],
          aggregates: [
            { fn: "count", as: "n" },
            { fn: "min", of: "at" },
          ],
          order_by: [{ column: "n", desc: true }],
          limit: 2,
        },
      },
      {
        id: "s2",
        op: "temporal_reachability",
        args: { uid: ref("s1.rows[0].src"), window: WINDOW, max_wait: "PT5S", hops: true },
      },
      { id: "s3", op: "compute", args: { fn: "max", input: ref("s2.rows[*].hops") } },
    ],
    answer: {
      kind: "value",
      from: "s3.value",
      also: [
        { kind: "count", from: "s2.rows_total" },
        { kind: "entity_set", from: "s2.rows[*].uid" },
      ],
    },
  },
  {
    steps: [
      {
        id: "e",
        op: "scan",
        args: {
          of: "edges",
          columns: ["src", "dst", "valid_from", "props.w"],
          where: { edge: [{ prop: "w", op: "ge", value: 1 }] },
        },
        slice: [0, 3],
      },
      {
        id: "t",
        op: "select",
        args: { query: "SELECT e.src, COUNT(*) AS n, SUM(e.w) AS w FROM e GROUP BY e.src", tables: { e: ref("e") } },
        depends_on: ["e"],
      },
    ],
    answer: {
      kind: "table",
      from: "t",
      columns: [
        { from: "src", as: "who" },
        { from: "n", as: "n" },
      ],
    },
  },
  {
    steps: [
      { id: "n", op: "snapshot_subgraph", args: { seeds: ["a"], at: AT, hops: 2 } },
      { id: "h", op: "entity_history", args: { uid: ref("n.nodes.rows[0].uid"), include_edges: true } },
      {
        id: "r",
        op: "compute",
        args: {
          fn: "interval_relation",
          a: { from: ref("h.rows[0].valid_from"), to: ref("h.rows[0].valid_to") },
          b: { from: AT, to: null },
        },
      },
    ],
    answer: { kind: "ordering", from: "r.value", also: [{ kind: "interval", from: "h.rows[0]" }] },
  },
  {
    steps: [
      { id: "m", op: "count_temporal_motifs", args: { motif: "all", delta: "PT5S", window: WINDOW } },
      {
        id: "f",
        op: "compute",
        args: { fn: "filter", input: ref("m"), test: { fn: "gt", args: [{ field: "count" }, { value: 0 }] } },
      },
      { id: "j", op: "compute", args: { fn: "join", input: ref("f"), other: ref("m.rows"), on: [["motif", "motif"]] } },
      {
        id: "g",
        op: "graph_metric_timeseries",
        args: { metric: ["edge_event_count"], window: WINDOW, stride: "PT6H" },
        unknown: "empty",
      },
    ],
    answer: { kind: "series", from: "g.rows", also: [{ kind: "table", from: "j" }] },
  },
];

/** The store that the plans are about. */
export async function storeOfPlans(): Promise<Database> {
  const db = await open(":memory:");
  for (const { ops, txTime } of [
    ...S1.batches,
    ...S2.batches.map((batch, i) => ({ ...batch, txTime: `2021-02-0${i + 1}T00:00:00Z` })),
  ]) {
    await db.write([...ops] as never, { txTime });
  }
  return db;
}
