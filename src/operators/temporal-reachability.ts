// O4: whom a node can reach, or who can reach it, by walks that respect time.
// The whole contract of the operator; engines only give the rows.
import { Type } from "typebox";
import { instant, int, orNull, text } from "../contract/output-schemas.js";
import {
  Arrival,
  COMMON_ARGUMENTS,
  choice,
  closed,
  Duration,
  described,
  nullable,
  Orientation,
  setOf,
  Uid,
  WalkTies,
  Where,
  Window,
  withDefault,
} from "../contract/schemas.js";
import type { JsonObject } from "../contract/values.js";
import { invalid } from "./canonical-args.js";
import { windowUs } from "./cost-guard.js";
import { declareOperator } from "./declaration.js";
import { at, S1, whole } from "./example-stores.js";
import { suggestType, suggestWindow, typeShare } from "./suggestions.js";

const MOST_HOPS = 64;

const DEFAULTS = {
  window: { from: at(0), to: at(100) },
  direction: "forward",
  orientation: "out",
  arrival: "instant",
  ties: "allow",
  max_wait: null,
  max_hops: null,
  hops: false,
  to: null,
};
const arrives = (of: string, uid: string, seconds: number): JsonObject => ({
  of,
  uid,
  arrival: at(seconds),
  departure: null,
  hops: null,
});
const departs = (of: string, uid: string, seconds: number, hops: number): JsonObject => ({
  of,
  uid,
  arrival: null,
  departure: at(seconds),
  hops,
});

export const temporalReachability = declareOperator({
  name: "temporal_reachability",
  aliases: [],
  version: 1,
  summary: "Whom a node can reach, or who can reach it, in time order inside a window.",
  doc: `Forward: every other node to which a time-respecting walk leads, with the least arrival over all walks. Backward:
every other node from which a walk leads to the subject, with the greatest departure. Departures are free inside each
fact; \`max_wait\` bounds the stay between two steps, \`max_hops\` the steps of every walk considered. Subjects are
answered independently.`,
  args: closed({
    uid: described(
      Type.Union([Uid, setOf(Uid, { minItems: 1, maxItems: 64 })]),
      "the subjects; each is answered on its own",
    ),
    window: described(
      withDefault(nullable(Window), null),
      "only steps that leave and arrive in it; null: all of valid time",
    ),
    direction: described(
      withDefault(
        choice({
          forward: "walks from the subject, with their least arrival",
          backward: "walks to the subject, with their greatest departure",
        }),
        "forward",
      ),
      "whom the subject reaches, or who reaches it",
    ),
    orientation: described(withDefault(Orientation, "out"), "how steps cross edges, as they are travelled"),
    arrival: described(withDefault(Arrival, "instant"), "when a fact can be crossed"),
    ties: described(withDefault(WalkTies, "allow"), "whether a step may leave at the instant of the last arrival"),
    max_wait: described(withDefault(nullable(Duration), null), "longest stay at a node between two steps; null: any"),
    max_hops: described(
      withDefault(nullable(Type.Integer({ minimum: 1, maximum: MOST_HOPS })), null),
      "most steps of a walk; null: any",
    ),
    hops: described(withDefault(Type.Boolean(), false), "also tell the fewest steps of a walk"),
    to: described(
      withDefault(nullable(setOf(Uid, { minItems: 1, maxItems: 10_000 })), null),
      "report only these nodes; null: all",
    ),
    where: described(
      withDefault(Where, {}),
      "filter on edges and their ends; the subject itself is spared by `where.node`",
    ),
    ...COMMON_ARGUMENTS,
  }),
  output: closed({
    rows: Type.Array(
      closed({
        of: text("the subject", { echoes: "uid" }),
        uid: text("the node reached, or reaching"),
        arrival: orNull(instant("forward: the least arrival", { pair: ["departure", "arrival"] })),
        departure: orNull(instant("backward: the greatest departure", { pair: ["departure", "arrival"] })),
        hops: orNull(int("the least number of steps, when asked for", "steps")),
      }),
    ),
    reached: Type.Array(
      closed({ of: text("a subject", { echoes: "uid" }), count: int("its rows in the whole answer", "nodes") }),
      { description: "how many rows each subject has" },
    ),
  }),
  lists: [{ field: "rows", order: "of, then arrival ascending or departure descending, then uid", key: ["of", "uid"] }],
  subjects: { paths: ["uid", "to"], introduces: false },
  pins: { envelope: "as_of_tt", other: null },
  reduces: false,
  determinism: "A subject reaches each node at most once, so (of, time, uid) has no ties.",
  errors: [
    { code: "E_NOT_FOUND", when: "a uid of uid or to is not known at the pin", args: { uid: "nobody" } },
    { code: "E_INVALID_ARG", when: "max_wait is negative", args: { uid: "a", max_wait: "-PT1S" } },
    {
      code: "E_PERIOD_ORDER",
      when: "the window ends before it begins",
      args: { uid: "a", window: { from: "2020-01-02", to: "2020-01-01" } },
    },
  ],
  judge(args, report) {
    if (args.max_wait?.startsWith("-")) {
      report(invalid(`the wait ${args.max_wait} is negative`, "/max_wait", "the least is PT0S; null waits for ever"));
    }
  },
  complete(args) {
    return typeof args.uid === "string" ? { ...args, uid: [args.uid] } : args;
  },
  cost(args, statistics) {
    const layers = args.hops || args.max_hops !== null ? (args.max_hops ?? MOST_HOPS) : 1;
    // An edge is met from both of its ends.
    const touched = 2 * statistics.edgesTouching(windowUs(args.window)) * typeShare(args.where, statistics);
    // A walk to named nodes stops when it has them: on average half way.
    const share = args.to === null ? 1 : 0.5;
    const steps = Math.ceil(args.uid.length * touched * layers * share);
    return { rows: Math.min(steps, args.uid.length * statistics.knownUids()), steps };
  },
  suggest: (args, statistics, fits) => [
    ...suggestWindow(args.window, statistics, fits),
    ...suggestType(args.where, statistics, fits),
    ...(args.hops ? [{ args_patch: { hops: false }, why: "do not count hops" }] : []),
  ],
  examples: [
    {
      title: "forward in time from one node",
      store: S1,
      args: { uid: "a", window: { from: at(0), to: at(100) } },
      envelope: whole(
        "temporal_reachability",
        1,
        { ...DEFAULTS, uid: ["a"] },
        [arrives("a", "b", 10), arrives("a", "c", 12)],
        { reached: [{ of: "a", count: 2 }] },
      ),
    },
    {
      title: "no longer than a second at any stop",
      store: S1,
      args: { uid: "a", window: { from: at(0), to: at(100) }, max_wait: "PT1S" },
      envelope: whole(
        "temporal_reachability",
        1,
        { ...DEFAULTS, uid: ["a"], max_wait: "PT1S" },
        [arrives("a", "b", 10)],
        { reached: [{ of: "a", count: 1 }] },
      ),
    },
    {
      title: "who could have reached this node, and in how few steps",
      store: S1,
      args: { uid: "a", window: { from: at(0), to: at(100) }, direction: "backward", hops: true },
      envelope: whole(
        "temporal_reachability",
        1,
        { ...DEFAULTS, uid: ["a"], direction: "backward", hops: true },
        [departs("a", "c", 15, 1), departs("a", "b", 12, 1)],
        { reached: [{ of: "a", count: 2 }] },
      ),
    },
    {
      title: "nobody is reached: the node does nothing in the window",
      store: S1,
      args: { uid: "c", window: { from: at(16), to: at(100) } },
      envelope: whole(
        "temporal_reachability",
        1,
        { ...DEFAULTS, uid: ["c"], window: { from: at(16), to: at(100) } },
        [],
        { reached: [{ of: "c", count: 0 }] },
      ),
    },
  ],
});
