// P5: the longest sequence of events in which each leaves the node where the one before arrived, later in time.
// The whole contract of the operator; engines only give the rows.
import { Type } from "typebox";
import { parseDuration } from "../contract/duration.js";
import { duration, EDGE_IDENTITY, instant, int, orNull, PROPS } from "../contract/output-schemas.js";
import {
  COMMON_ARGUMENTS,
  choice,
  closed,
  Duration,
  described,
  nullable,
  Projection,
  Uid,
  Where,
  Window,
  withDefault,
} from "../contract/schemas.js";
import type { JsonObject } from "../contract/values.js";
import { invalid } from "./canonical-args.js";
import { windowUs } from "./cost-guard.js";
import { declareOperator } from "./declaration.js";
import type { Statistics } from "./engine.js";
import { at, S1, whole } from "./example-stores.js";
import { suggestType, suggestWindow, typeShare } from "./suggestions.js";

const DEFAULTS = {
  window: null,
  ties: "strict",
  max_wait: null,
  within: null,
  start: null,
  end: null,
  props: null,
};

/** An event of S1 in a chain. */
const link = (step: number, seq: number, src: string, dst: string, seconds: number): JsonObject => ({
  step,
  src,
  type: "M",
  dst,
  key: `k${seq}`,
  at: at(seconds),
  seq,
  props: null,
});
const chainOf = (
  args: JsonObject,
  rows: JsonObject[],
  distinct_nodes: number,
  [first, last, span]: readonly [number, number, string],
): JsonObject =>
  whole("longest_temporal_chain", 1, { ...DEFAULTS, ...args }, rows, {
    length: rows.length,
    nodes: rows.length + 1,
    distinct_nodes,
    departure: at(first),
    arrival: at(last),
    span,
  });

/** Events that lie, on average, within a duration of one. */
function eventsWithin(within: string, statistics: Statistics): number {
  const extent = statistics.extent();
  if (extent === null) return 0;
  const share = Number(parseDuration(within, "/within")) / Number(extent.toUs - extent.fromUs);
  return statistics.eventsIn({ fromUs: null, toUs: null }) * Math.min(1, share);
}

export const longestTemporalChain = declareOperator({
  name: "longest_temporal_chain",
  aliases: [],
  version: 1,
  summary: "The longest chronological chain of events, each leaving the node where the one before arrived.",
  doc: `Nodes may repeat in a chain, events cannot; loops may take part. \`ties\` says whether neighbours must be apart in
time (\`strict\`) or may share an instant in event order (\`by_seq\`). \`max_wait\` bounds the gap between neighbours,
\`within\` the time from the first event to the last, \`start\` and \`end\` fix the two ends. Of the longest chains the
one is shown whose sequence of (at, seq) is least.`,
  args: closed({
    window: described(
      withDefault(nullable(Window), null),
      "only what happens in this stretch of valid time; null: all of it",
    ),
    ties: described(
      withDefault(
        choice({
          strict: "each event is later than the one before",
          by_seq: "or at the same instant with a greater number",
        }),
        "strict",
      ),
      "whether neighbours in the chain may share an instant",
    ),
    max_wait: described(withDefault(nullable(Duration), null), "longest time between an event and the next; null: any"),
    within: described(
      withDefault(nullable(Duration), null),
      "longest time from the first event to the last; null: any",
    ),
    start: described(withDefault(nullable(Uid), null), "node at which the chain begins; null: any"),
    end: described(withDefault(nullable(Uid), null), "node at which it ends; null: any"),
    where: described(withDefault(Where, {}), "filter on edges and their ends; nodes are judged at the event"),
    props: described(withDefault(Projection, null), "properties to show of each event"),
    ...COMMON_ARGUMENTS,
  }),
  output: closed({
    length: int("events of the chain, 0 where there is none", "events"),
    nodes: int("nodes along the chain, a node as often as it is met", "nodes"),
    distinct_nodes: int("different nodes among them", "nodes"),
    departure: orNull(instant("when the first event began", { pair: ["departure", "arrival"] })),
    arrival: orNull(instant("when the last one began", { pair: ["departure", "arrival"] })),
    span: orNull(duration("from departure to arrival")),
    rows: Type.Array(
      closed({
        step: int("position in the chain, from 1", "1"),
        ...EDGE_IDENTITY,
        at: instant("when the event began"),
        seq: int("number of the edge identity", "1"),
        props: PROPS,
      }),
    ),
  }),
  lists: [{ field: "rows", order: "step", key: ["step"] }],
  subjects: { paths: ["start", "end"], introduces: false },
  pins: { envelope: "as_of_tt", other: null },
  reduces: false,
  determinism: "Events are ordered by (at, seq), which is total, and of the longest chains the least is shown.",
  errors: [
    { code: "E_NOT_FOUND", when: "start or end is not known at the pin", args: { start: "nobody" } },
    { code: "E_INVALID_ARG", when: "max_wait is negative", args: { max_wait: "-PT1S" } },
    { code: "E_INVALID_ARG", when: "within is negative", args: { within: "-PT1S" } },
    { code: "E_SCHEMA", when: 'ties is "allow": tied events could go round for ever', args: { ties: "allow" } },
  ],
  judge({ max_wait, within }, report) {
    if (max_wait?.startsWith("-")) {
      report(invalid(`the wait ${max_wait} is negative`, "/max_wait", "the least is PT0S; null waits for ever"));
    }
    if (within?.startsWith("-")) {
      report(invalid(`the span ${within} is negative`, "/within", "the least is PT0S; null is no limit"));
    }
  },
  cost({ window, where, within }, statistics) {
    const share = typeShare(where, statistics);
    const events = statistics.eventsIn(windowUs(window)) * share;
    const tried = within === null ? 0 : Math.min(events, eventsWithin(within, statistics) * share);
    return { rows: Math.ceil(events), steps: Math.ceil(events * (1 + tried)) };
  },
  suggest: ({ window, where, within }, statistics, fits) => [
    ...suggestWindow(window, statistics, fits),
    ...suggestType(where, statistics, fits),
    ...(within === null ? [] : [{ args_patch: { within: null }, why: "do not limit the time of the whole chain" }]),
  ],
  examples: [
    {
      title: "four events one after the other",
      store: S1,
      args: {},
      envelope: chainOf(
        {},
        [link(1, 1, "a", "b", 10), link(2, 2, "b", "c", 12), link(3, 4, "c", "a", 15), link(4, 5, "a", "b", 30)],
        3,
        [10, 30, "PT20S"],
      ),
    },
    {
      title: "no longer than three seconds between neighbours",
      store: S1,
      args: { max_wait: "PT3S" },
      envelope: chainOf(
        { max_wait: "PT3S" },
        [link(1, 1, "a", "b", 10), link(2, 2, "b", "c", 12), link(3, 4, "c", "a", 15)],
        3,
        [10, 15, "PT5S"],
      ),
    },
    {
      title: "within two seconds, and to a node that is named",
      store: S1,
      args: { within: "PT2S", start: "a", end: "a" },
      envelope: chainOf(
        { within: "PT2S", start: "a", end: "a" },
        [link(1, 1, "a", "b", 10), link(2, 3, "b", "a", 12)],
        2,
        [10, 12, "PT2S"],
      ),
    },
    {
      title: "no event has the type",
      store: S1,
      args: { where: { types: ["X"] } },
      envelope: whole(
        "longest_temporal_chain",
        1,
        { ...DEFAULTS, where: { types: ["X"], keys: null, edge: [], src: null, dst: null, node: null } },
        [],
        { length: 0, nodes: 0, distinct_nodes: 0, departure: null, arrival: null, span: null },
      ),
    },
  ],
});
