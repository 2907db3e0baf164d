// The questions as calls of this project's operators: names and arguments as a user would write them.

import { nodeName } from "../data/corrected-intervals.js";
import { durationOf, instantOf, type Json } from "./normal-forms.js";
import type { Question } from "./questions.js";

export interface Call {
  readonly op: string;
  readonly args: { readonly [name: string]: Json };
}

function windowOf({ from, to }: { readonly from: number; readonly to: number }): Json {
  return { from: instantOf(from), to: instantOf(to) };
}

export function callOf(question: Question): Call {
  switch (question.id) {
    case "hist.single":
    case "hist.asof": {
      const pin = question.tx === null ? {} : { as_of_tt: `tx:${question.tx}` };
      return { op: "entity_history", args: { uid: nodeName(question.node), ...pin } };
    }
    case "snap.hop2":
      return {
        op: "snapshot_subgraph",
        args: { seeds: [nodeName(question.node)], hops: question.hops, at: instantOf(question.at) },
      };
    case "diff.global":
      return {
        op: "diff_snapshots",
        args: { left: { at: instantOf(question.left) }, right: { at: instantOf(question.right) } },
      };
    case "reach.window":
      return { op: "temporal_reachability", args: { uid: nodeName(question.node), window: windowOf(question) } };
    case "paths.k":
      return {
        op: "temporal_paths",
        args: {
          src: nodeName(question.src),
          dst: nodeName(question.dst),
          criterion: "foremost",
          k: question.k,
          max_hops: question.maxHops,
          ties: "allow",
          window: windowOf(question),
        },
      };
    case "series.count":
      return {
        op: "graph_metric_timeseries",
        args: { metric: "edge_event_count", window: windowOf(question), stride: durationOf(question.stride) },
      };
    case "burst.zscore":
      return {
        op: "burst_detection",
        args: {
          window: windowOf(question),
          stride: durationOf(question.stride),
          method: "zscore",
          sides: "both",
          w: question.history,
          min_history: question.minHistory,
          z: question.z,
        },
      };
    case "nbr.evolution":
      return {
        op: "neighborhood_evolution",
        args: {
          uid: nodeName(question.node),
          t1: instantOf(question.left),
          t2: instantOf(question.right),
          stride: durationOf(question.step),
        },
      };
    case "coactive.narrow":
      return {
        op: "co_active",
        args: {
          a: { src: nodeName(question.aSrc) },
          b: { src: nodeName(question.bSrc) },
          relations: ["overlaps"],
        },
      };
    case "resolve.substr":
      return { op: "resolve_entities", args: { query: question.text, min_tier: "substring" } };
    case "agg.rel_bucket":
      return {
        op: "aggregate_events",
        args: {
          group_by: [{ dim: "type" }, { dim: "bucket", stride: durationOf(question.stride), zone: "UTC" }],
          aggregates: [{ fn: "count" }, { fn: "count_distinct", of: "dst" }],
          window: windowOf(question),
        },
      };
    case "motif.filtered":
      return {
        op: "count_temporal_motifs",
        args: {
          motif: question.motif,
          delta: durationOf(question.delta),
          window: windowOf(question),
          where: { node: { uids: question.nodes.map(nodeName) } },
        },
      };
    case "motifs36.3600":
    case "motifs36.86400":
      return {
        op: "count_temporal_motifs",
        args: { motif: "all", delta: durationOf(question.deltaSeconds * 1_000_000) },
      };
    case "arrival.node0":
      return { op: "temporal_reachability", args: { uid: String(question.node) } };
  }
}
