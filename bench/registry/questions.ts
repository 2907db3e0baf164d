// The sixteen questions of the benchmark with their exact parameters: thirteen on interval edges, three on power-law events.
// Instants and durations are ticks (microseconds), `tx` is a commit, nodes are numbers. Knows nothing of operators.

import { commitBeforeCorrections } from "../data/corrected-intervals.js";

interface Span {
  readonly from: number;
  readonly to: number;
}

interface Buckets extends Span {
  readonly stride: number;
}

export type HistoryQuestion = {
  readonly id: "hist.single" | "hist.asof";
  readonly node: number;
  readonly tx: number | null;
};
export type SnapshotQuestion = {
  readonly id: "snap.hop2";
  readonly node: number;
  readonly hops: number;
  readonly at: number;
};
export type DiffQuestion = { readonly id: "diff.global"; readonly left: number; readonly right: number };
export type ReachQuestion = Span & { readonly id: "reach.window"; readonly node: number };
export type PathsQuestion = Span & {
  readonly id: "paths.k";
  readonly src: number;
  readonly dst: number;
  readonly k: number;
  readonly maxHops: number;
};
export type SeriesQuestion = Buckets & { readonly id: "series.count" };
export type BurstQuestion = Buckets & {
  readonly id: "burst.zscore";
  readonly z: number;
  readonly history: number;
  readonly minHistory: number;
};
export type EvolutionQuestion = {
  readonly id: "nbr.evolution";
  readonly node: number;
  readonly left: number;
  readonly right: number;
  /** Degrees are wanted at left, left + step, … before right. */
  readonly step: number;
};
export type CoActiveQuestion = { readonly id: "coactive.narrow"; readonly aSrc: number; readonly bSrc: number };
export type ResolveQuestion = { readonly id: "resolve.substr"; readonly text: string };
export type AggregateQuestion = Buckets & { readonly id: "agg.rel_bucket" };
export type CycleQuestion = Span & {
  readonly id: "motif.filtered";
  readonly motif: "a>b,b>c,c>a";
  readonly delta: number;
  readonly nodes: readonly number[];
};

/** A question on corrected interval edges. */
export type IntervalQuestion =
  | HistoryQuestion
  | SnapshotQuestion
  | DiffQuestion
  | ReachQuestion
  | PathsQuestion
  | SeriesQuestion
  | BurstQuestion
  | EvolutionQuestion
  | CoActiveQuestion
  | ResolveQuestion
  | AggregateQuestion
  | CycleQuestion;

/** A question on power-law events, over the whole history. */
export type PowerLawQuestion =
  | { readonly id: "motifs36.3600" | "motifs36.86400"; readonly deltaSeconds: number }
  | { readonly id: "arrival.node0"; readonly node: number };

export type Question = IntervalQuestion | PowerLawQuestion;
export type QuestionId = Question["id"];

export function intervalQuestions(scale: number): IntervalQuestion[] {
  const mid = Math.floor(scale / 2);
  const stride = Math.max(1, Math.floor(scale / 100));
  const evolutionEnd = mid + Math.floor(scale / 10);
  const whole = { from: 0, to: scale };
  return [
    { id: "hist.single", node: 1, tx: null },
    { id: "hist.asof", node: 1, tx: commitBeforeCorrections(scale) },
    { id: "snap.hop2", node: 1, hops: 2, at: mid },
    { id: "diff.global", left: mid, right: mid + Math.floor(scale / 40) },
    { id: "reach.window", node: 1, from: 0, to: Math.floor(scale / 10) },
    { id: "paths.k", src: 1, dst: 2, k: 3, maxHops: 3, from: 0, to: Math.floor(scale / 4) },
    { id: "series.count", ...whole, stride },
    { id: "burst.zscore", ...whole, stride, z: 3, history: 10, minHistory: 1 },
    {
      id: "nbr.evolution",
      node: 1,
      left: mid,
      right: evolutionEnd,
      step: Math.max(1, Math.floor((evolutionEnd - mid) / 20)),
    },
    { id: "coactive.narrow", aSrc: 1, bSrc: 2 },
    { id: "resolve.substr", text: "n1" },
    { id: "agg.rel_bucket", ...whole, stride },
    {
      id: "motif.filtered",
      motif: "a>b,b>c,c>a",
      delta: Math.floor(scale / 50),
      ...whole,
      nodes: Array.from({ length: 200 }, (_, node) => node),
    },
  ];
}

export function powerLawQuestions(): PowerLawQuestion[] {
  return [
    { id: "motifs36.3600", deltaSeconds: 3_600 },
    { id: "motifs36.86400", deltaSeconds: 86_400 },
    { id: "arrival.node0", node: 0 },
  ];
}
