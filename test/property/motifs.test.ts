// Law 1 for count_temporal_motifs and find_temporal_motifs, on stores dense with ties. laws-of-motifs.test.ts sees to it
// that such stores have instances.
import { comparisonSuite } from "../support/engine-comparison.js";
import type { Random } from "../support/random.js";
import { denseBatch, findArguments, motifArguments } from "../support/random-motifs.js";
import { meshBatch, randomBatches } from "../support/random-store.js";

const batches = (random: Random) => [
  ...randomBatches(random, 3),
  ...(random.chance(1, 3) ? [meshBatch(random, 0)] : []),
  ...Array.from({ length: 1 + random.below(2) }, (_, i) => denseBatch(random, i)),
];

comparisonSuite(
  "motifs on dense random stores",
  8,
  (random, head) => {
    const pin = random.chance(1, 4) ? { as_of_tt: `tx:${random.below(head + 1)}` } : {};
    return random.chance(1, 2)
      ? { op: "find_temporal_motifs", args: { ...findArguments(random), ...pin } }
      : { op: "count_temporal_motifs", args: { ...motifArguments(random), limit: random.pick([10, 100]), ...pin } };
  },
  batches,
);
