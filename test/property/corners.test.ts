// Snapshots and diffs on random stores: every pair of pins and instants, filters on both ends, scopes, projections.
import { comparisonSuite } from "../support/engine-comparison.js";
import { diffCall, snapshotCall } from "../support/random-calls.js";

const CALLS = 25;

comparisonSuite("snapshots and diffs on random stores", CALLS, (random, head) =>
  random.chance(2, 5) ? snapshotCall(random, head) : diffCall(random, head),
);
