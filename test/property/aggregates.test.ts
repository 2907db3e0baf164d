// Law 1 for aggregate_events: every dimension and measure on random stores, native core against reference engine.
import { comparisonSuite } from "../support/engine-comparison.js";
import { aggregateArguments } from "../support/random-aggregates.js";

const CALLS = 25;

comparisonSuite("aggregates of events on random stores", CALLS, (random, head) => ({
  op: "aggregate_events",
  args: {
    ...aggregateArguments(random),
    as_of_tt: random.pick([null, null, `tx:${random.below(head + 1)}`]),
    limit: random.pick([1, 2, 3, 7, 100]),
  },
}));
