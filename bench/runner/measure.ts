// Timing of one call: warm-ups, repetitions within a budget of seconds, median and nearest-rank 95th percentile.
// Knows nothing of what it times.

import { type Disturbance, watch } from "./disturbance.js";

export interface Statistics {
  readonly median: number;
  readonly p95: number;
  readonly least: number;
  readonly repetitions: number;
}

export interface Timing extends Statistics, Disturbance {
  /** Processor time of the whole process per call: on a busy machine it says more than the clock. */
  readonly cpu_ms: number;
}

export interface MeasureOptions {
  readonly warmUps?: number;
  readonly repetitions?: number;
  /** Repeats end early after this many seconds, but not before three of them. */
  readonly budgetSeconds?: number;
}

const LEAST_REPETITIONS = 3;

export function statistics(samples: readonly number[]): Statistics {
  if (samples.length === 0) throw new Error("no samples");
  const sorted = [...samples].sort((a, b) => a - b);
  const at = (rank: number) => sorted[Math.min(sorted.length - 1, Math.max(0, rank))] as number;
  const middle = sorted.length >> 1;
  return {
    median: sorted.length % 2 === 1 ? at(middle) : (at(middle - 1) + at(middle)) / 2,
    p95: at(Math.ceil(0.95 * sorted.length) - 1),
    least: at(0),
    repetitions: sorted.length,
  };
}

export async function elapsedMs(call: () => unknown): Promise<number> {
  const begun = performance.now();
  await call();
  return performance.now() - begun;
}

/** Milliseconds per call. */
export async function measure(call: () => unknown, options: MeasureOptions = {}): Promise<Timing> {
  const { warmUps = 3, repetitions = 20, budgetSeconds = 20 } = options;
  for (let round = 0; round < warmUps; round++) await call();
  const samples: number[] = [];
  const ended = watch();
  const cpuBefore = process.cpuUsage();
  const begun = performance.now();
  while (
    samples.length < LEAST_REPETITIONS ||
    (samples.length < repetitions && performance.now() - begun < budgetSeconds * 1e3)
  ) {
    samples.push(await elapsedMs(call));
  }
  const { user, system } = process.cpuUsage(cpuBefore);
  return { ...statistics(samples), cpu_ms: (user + system) / 1e3 / samples.length, ...ended() };
}

/** The quietest of several rounds: the one with the least median. */
export interface RoundsTiming extends Timing {
  readonly round_medians_ms: readonly number[];
}

export function withRound(before: RoundsTiming | undefined, timing: Timing): RoundsTiming {
  const round_medians_ms = [...(before?.round_medians_ms ?? []), timing.median];
  const best = before === undefined || timing.median < before.median ? timing : before;
  return { ...best, round_medians_ms };
}
