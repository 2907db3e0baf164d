// Snapshots and diffs on random stores: every pair of pins and instants, filters on both ends, scopes, projections.
import { comparisonSuite, type RandomCall } from "../support/engine-comparison.js";
import type { Random } from "../support/random.js";
import { randomInstant, randomProjection, randomWhere, UIDS } from "../support/random-store.js";

const CALLS = 25;
const CHANGES = ["nodes_added", "nodes_removed", "nodes_changed", "edges_added", "edges_removed", "edges_changed"];

const randomPin = (random: Random, head: number) => random.pick([null, null, `tx:${random.below(head + 1)}`]);
const randomLimit = (random: Random) => random.pick([1, 2, 3, 7, 100]);

function randomSearch(random: Random) {
  const seeds = random.some(UIDS).slice(0, 3);
  return {
    seeds: seeds.length > 0 ? seeds : [random.pick(UIDS)],
    hops: random.below(4),
    orientation: random.pick(["both", "out", "in"]),
  };
}

function snapshot(random: Random, head: number): RandomCall {
  return {
    op: "snapshot_subgraph",
    args: {
      ...randomSearch(random),
      at: randomInstant(random),
      nodes_must_exist: random.chance(1, 2),
      where: randomWhere(random),
      props: randomProjection(random),
      as_of_tt: randomPin(random, head),
      limit: randomLimit(random),
    },
  };
}

function diff(random: Random, head: number): RandomCall {
  const left = { at: randomInstant(random), as_of_tt: randomPin(random, head) };
  const right = {
    at: random.chance(1, 3) ? left.at : randomInstant(random),
    as_of_tt: random.chance(1, 3) ? left.as_of_tt : randomPin(random, head),
  };
  return {
    op: "diff_snapshots",
    args: {
      left,
      right,
      scope: random.chance(1, 2) ? randomSearch(random) : null,
      compare: random.pick(["content", "content_and_interval"]),
      ...(random.chance(1, 3) ? { include: random.some(CHANGES) } : {}),
      where: randomWhere(random),
      limit: randomLimit(random),
    },
  };
}

comparisonSuite("snapshots and diffs on random stores", CALLS, (random, head) =>
  random.chance(2, 5) ? snapshot(random, head) : diff(random, head),
);
