// What this project set itself per question, in milliseconds by number of edges: a gate must be met, a goal is where it should get.
// Printed beside each figure, never asserted: a busy machine is no fault of the code.

import type { QuestionId } from "./questions.js";

interface Limits {
  readonly gate: number;
  readonly goal: number;
}

const MILLION = 1_000_000;
const TEN_MILLION = 10_000_000;

/** [gate, goal] at a million, then at ten million. */
const LIMITS: { readonly [id in QuestionId]: readonly [number, number, number, number] } = {
  "hist.single": [0.1, 0.05, 0.1, 0.05],
  "hist.asof": [0.1, 0.05, 0.1, 0.05],
  "snap.hop2": [1, 0.5, 2, 0.8],
  "diff.global": [10, 4, 60, 15],
  "reach.window": [6, 3, 60, 30],
  "paths.k": [1, 0.5, 1, 0.5],
  "series.count": [1, 0.4, 2, 0.5],
  "burst.zscore": [1, 0.4, 2, 0.5],
  "nbr.evolution": [1, 0.5, 2, 0.8],
  "coactive.narrow": [1, 0.5, 2, 0.8],
  "resolve.substr": [2, 0.6, 15, 4],
  "agg.rel_bucket": [6, 3, 50, 20],
  "motif.filtered": [6, 3, 8, 3],
  "arrival.node0": [4, 2.5, 40, 25],
  "motifs36.3600": [90, 65, 800, 530],
  "motifs36.86400": [180, 120, 2_000, 1_300],
};

/** Null at a scale for which none was set. */
export function limitsOf(id: QuestionId, scale: number): Limits | null {
  const [gateAtMillion, goalAtMillion, gateAtTen, goalAtTen] = LIMITS[id];
  if (scale === MILLION) return { gate: gateAtMillion, goal: goalAtMillion };
  return scale === TEN_MILLION ? { gate: gateAtTen, goal: goalAtTen } : null;
}

/** With a fifth of the edges corrected a question may grow as the believed rows do, times this. */
export const VARIANT_GATE_FACTOR = 1.3;

/** Answers per second of readers of all questions in one process, by number of edges. */
export const READERS_GATE: { readonly [scale: number]: number } = { [MILLION]: 600, [TEN_MILLION]: 120 };
export const SLOWER_BESIDE_WRITER_GATE_PERCENT = 15;
export const CANCEL_GATE_MS = 50;
export const EVENTS_BY_COLUMNS_GATE_MS: { readonly [scale: number]: number } = { [MILLION]: 60 };
