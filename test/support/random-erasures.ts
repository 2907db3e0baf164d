// Random batches with erasures among them, of nodes and of edges, known or not; and the canary that a log must not hold.
import type { LawBatch } from "./law-store.js";
import type { Random } from "./random.js";
import { meshBatch, randomBatches, randomRef } from "./random-store.js";

/** Beliefs of every kind; every third batch or so is an erasure. */
export function batchesWithErasures(random: Random): LawBatch[] {
  const batches: { ops: Record<string, unknown>[] }[] = [...randomBatches(random, 10), meshBatch(random, 0)];
  return batches
    .flatMap((batch) => {
      if (!random.chance(1, 3)) return [batch];
      const ref = random.chance(1, 4)
        ? { src: "a", type: "M", dst: "b", key: `#${1 + random.below(9)}` }
        : randomRef(random);
      return [batch, { ops: [{ op: "erase", ref, ...(random.chance(1, 2) ? { reason: "request" } : {}) }] }];
    })
    .map(({ ops }, i) => ({ ops, txTime: `2021-01-01T${String(i).padStart(2, "0")}:00:00Z` }));
}
