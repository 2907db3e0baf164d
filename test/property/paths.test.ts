// Law 1 for temporal_paths: on random stores full of ties the native core answers as the reference engine does.
import { comparisonSuite } from "../support/engine-comparison.js";
import { pathsCall } from "../support/random-calls.js";
import { meshBatch, randomBatches } from "../support/random-store.js";

comparisonSuite("temporal_paths on random stores", 8, pathsCall, (random) => [
  ...randomBatches(random, 4),
  ...Array.from({ length: 1 + random.below(2) }, (_, i) => meshBatch(random, i)),
]);

// Enough ways that a search gives up, learns more of what leads to its goal, and starts over.
const NODES = Array.from({ length: 16 }, (_, i) => `n${i}`);
comparisonSuite(
  "temporal_paths between more nodes",
  1,
  (random) => ({
    op: "temporal_paths",
    args: {
      src: "n0",
      dst: "n1",
      criterion: random.pick(["foremost", "fastest", "shortest", "latest_departure"]),
      k: random.pick([1, 5, 1000]),
      min_hops: random.pick([1, 1, 3, 4]),
      max_hops: 4,
      ties: random.pick(["allow", "strict"]),
      limit: 10_000,
      ...(random.chance(1, 2) ? { max_wait: random.pick(["PT0.000002S", "PT0.000020S"]) } : {}),
    },
  }),
  (random) => {
    const instants = random.chance(1, 2);
    const at = (tick: number) => `2020-01-01T00:00:00.${String(tick).padStart(6, "0")}Z`;
    const ops = Array.from({ length: 150 }, (_, i) => {
      const from = random.below(60);
      return {
        op: "assert_edge",
        src: random.pick(NODES),
        type: "M",
        dst: random.pick(NODES),
        key: `k${i}`,
        valid_from: at(from),
        valid_to: at(from + (instants ? 1 : 1 + random.below(12))),
      };
    });
    const ends = ["n0", "n1"].map((uid) => ({ op: "assert_node", uid, valid_from: at(0) }));
    return [{ ops: [...ends, ...ops], txTime: "2021-01-01T00:00:00Z" }];
  },
);
