// Micro-benchmarks: the one place that knows the package `benchmark`. For calls so short that single timings mislead.
// It chooses the number of turns by itself; we take mean and margin in microseconds.

import Benchmark from "benchmark";

/** A deferred cycle of the package costs some 20 µs of its own; it is shared by this many turns. */
const TURNS_PER_CYCLE = 100;

export interface MicroResult {
  readonly name: string;
  readonly mean_us: number;
  /** Half the 95 % confidence interval, in percent of the mean. */
  readonly margin_percent: number;
  readonly samples: number;
}

/** Runs the cases one after another; each is awaited if it gives a promise. Rejects with the first error of a case. */
export async function micro(cases: { readonly [name: string]: () => unknown }, maxSeconds = 5): Promise<MicroResult[]> {
  const results: MicroResult[] = [];
  for (const [name, run] of Object.entries(cases)) results.push(await measureOne(name, run, maxSeconds));
  return results;
}

function measureOne(name: string, run: () => unknown, maxSeconds: number): Promise<MicroResult> {
  return new Promise((resolve, reject) => {
    const bench = new Benchmark(name, {
      defer: true,
      async: true,
      maxTime: maxSeconds,
      fn: async (deferred: { resolve(): void }) => {
        try {
          for (let turn = 0; turn < TURNS_PER_CYCLE; turn++) await run();
          deferred.resolve();
        } catch (error) {
          bench.abort();
          reject(error);
        }
      },
    });
    bench.on("complete", () => {
      const { mean, rme, sample } = bench.stats;
      resolve({ name, mean_us: (mean * 1e6) / TURNS_PER_CYCLE, margin_percent: rme, samples: sample.length });
    });
    bench.run();
  });
}
