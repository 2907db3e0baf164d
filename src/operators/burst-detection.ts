// O9: buckets that stand out from the ones before them.
// The whole contract of the operator; engines only give the rows.
import { type Static, Type } from "typebox";
import { MAX_BUCKETS } from "../calendar/buckets.js";
import { instant, int, oneOf, orNull } from "../contract/output-schemas.js";
import {
  COMMON_ARGUMENTS,
  choice,
  closed,
  described,
  nullable,
  StrideText,
  Uid,
  Where,
  type WhereArgument,
  Window,
  type WindowArgument,
  withDefault,
  Zone,
} from "../contract/schemas.js";
import type { JsonObject } from "../contract/values.js";
import { countOfWindow, judgeBuckets, withResolvedWindow } from "./bucketed-window.js";
import { invalid } from "./canonical-args.js";
import { windowUs } from "./cost-guard.js";
import { declareOperator } from "./declaration.js";
import type { EventQuestion } from "./engine.js";
import { at, S1, whole } from "./example-stores.js";
import { Role, STEPS_PER_COUNT } from "./graph-metric-timeseries.js";
import { isTrivial, suggestStride, suggestWindow, typeShare } from "./suggestions.js";

const MOST_HISTORY = 1000;
const MOST_CHANGE = Number.MAX_SAFE_INTEGER;

const args = closed({
  target: described(
    withDefault(
      Type.Union([
        closed({ kind: described(Type.Literal("edge_events", { choices: { edge_events: "all events" } }), "which") }),
        closed({
          kind: Type.Literal("node_activity", { choices: { node_activity: "those at one node" } }),
          uid: described(Uid, "the node"),
          role: described(withDefault(Role, "either"), "the end of the edge at which it stands"),
        }),
      ]),
      { kind: "edge_events" },
    ),
    "the events that are counted",
  ),
  window: described(
    withDefault(nullable(Window), null),
    "the stretch that is cut into buckets; an open end becomes that of the events",
  ),
  stride: described(StrideText, "length of a bucket"),
  zone: described(withDefault(Zone, "UTC"), "zone whose local days, weeks, months and years a calendar stride means"),
  method: described(
    withDefault(
      choice({
        zscore: "how many standard deviations from the mean of the history",
        ratio: "how many times the median of the history",
      }),
      "zscore",
    ),
    "how a bucket is held against its history",
  ),
  sides: described(
    withDefault(choice({ up: "more than before", down: "fewer than before", both: "either" }), "up"),
    "which changes are flagged",
  ),
  w: described(
    withDefault(Type.Integer({ minimum: 1, maximum: MOST_HISTORY }), 10),
    "how many whole buckets before one are its history",
  ),
  min_history: described(
    Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_HISTORY })),
    "with fewer buckets of history one is not judged; the lesser of 3 and `w` if left out",
  ),
  z: described(withDefault(Type.Number({ exclusiveMinimum: 0 }), 3), "zscore: flagged from so many deviations on"),
  r: described(
    withDefault(Type.Number({ exclusiveMinimum: 1 }), 3),
    "ratio: flagged from so many times the median on, or one part of so many",
  ),
  min_change: described(
    withDefault(Type.Integer({ minimum: 1, maximum: MOST_CHANGE }), 1),
    "smallest difference from the baseline that is flagged",
  ),
  where: described(withDefault(Where, {}), "filter on edges and their ends; nodes are judged at the event"),
  ...COMMON_ARGUMENTS,
});
type Args = Static<typeof args>;

/** The node whose activity is the series; null: all events. */
export function targetNode(target: Args["target"]): EventQuestion["node"] {
  return target.kind === "node_activity" ? { uid: target.uid, role: target.role } : null;
}

const DEFAULTS = {
  target: { kind: "edge_events" },
  window: { from: at(-20), to: at(40) },
  stride: "PT10S",
  zone: "UTC",
  method: "zscore",
  sides: "up",
  w: 2,
  min_history: 2,
  z: 3,
  r: 3,
  min_change: 1,
};

export const burstDetection = declareOperator({
  name: "burst_detection",
  aliases: [],
  version: 1,
  summary: "Buckets whose count of events stands out from the buckets right before them.",
  doc: `A bucket is held against the up to \`w\` whole buckets right before it: by their mean and standard deviation
(zscore), or by their median (ratio). Partial buckets are neither judged nor history. Where the divisor is 0 there is no
score: a count that differs is flagged with a reason. Changes below \`min_change\` are never flagged.`,
  args,
  output: closed({
    rows: Type.Array(
      closed({
        from: instant("where the bucket begins", { pair: ["from", "to"] }),
        to: instant("where it ends", { pair: ["from", "to"] }),
        value: int("events in it", "events"),
        baseline: Type.Number({ kind: "double", description: "mean or median of its history", unit: "events" }),
        spread: orNull(Type.Number({ kind: "double", description: "standard deviation; zscore only", unit: "events" })),
        score: orNull(
          Type.Number({ kind: "double", description: "deviations from the mean, or times the median", unit: "1" }),
        ),
        reason: orNull(oneOf(["zero_spread", "zero_baseline"], "why there is no score")),
        side: oneOf(["up", "down"], "above or below its baseline"),
        history: int("buckets that it is held against", "buckets"),
      }),
    ),
    n_buckets: int("buckets of the window", "buckets"),
    judged: int("buckets with history enough", "buckets"),
    not_judged: int("partial buckets, and those with too little history", "buckets"),
  }),
  lists: [{ field: "rows", order: "from", key: ["from"] }],
  subjects: { paths: ["target.uid"], introduces: false },
  pins: { envelope: "as_of_tt", other: null },
  reduces: false,
  determinism: "Each bucket has at most one row; scores are rounded to nine decimals before they are compared.",
  errors: [
    {
      code: "E_NOT_FOUND",
      when: "target.uid is not known at the pin",
      args: { target: { kind: "node_activity", uid: "nobody" }, stride: "PT1H" },
    },
    { code: "E_INVALID_ARG", when: "min_history is above w", args: { stride: "PT1H", w: 2, min_history: 3 } },
    {
      code: "E_LIMIT",
      when: `more than ${MAX_BUCKETS} buckets`,
      args: { stride: "PT1S", window: { from: "2020-01-01", to: "2022-01-01" } },
    },
  ],
  judge(given, report) {
    if (given.min_history !== undefined && given.min_history > given.w) {
      report(invalid(`${given.min_history} buckets of at most ${given.w}`, "/min_history", "give at most w"));
    }
    judgeBuckets(given.stride, given.zone, given.window, report);
  },
  complete: (given) => ({ ...given, min_history: given.min_history ?? Math.min(3, given.w as number) }),
  resolve(given, pinned, limits) {
    const question = {
      where: given.where as unknown as WhereArgument,
      node: targetNode(given.target as Args["target"]),
    };
    const window = given.window as unknown as WindowArgument | null;
    return withResolvedWindow(window, question, pinned, limits, (resolved) => {
      countOfWindow(given.stride as string, given.zone as string, resolved);
      return { ...given, window: resolved as unknown as JsonObject };
    });
  },
  cost(given, statistics) {
    const node = targetNode(given.target);
    const window = windowUs(given.window);
    const events = node === null ? statistics.eventsIn(window) : statistics.degree(node.uid, window);
    const buckets = countOfWindow(given.stride, given.zone, given.window);
    const isCounted = node === null && isTrivial(given.where);
    return {
      rows: Math.ceil(events * typeShare(given.where, statistics)) + buckets,
      steps: buckets + (isCounted ? STEPS_PER_COUNT * buckets : events),
    };
  },
  suggest: (given: Args, statistics, fits) => [
    ...suggestWindow(given.window, statistics, fits),
    ...suggestStride(given.stride, fits),
  ],
  examples: [
    {
      title: "events after silence",
      store: S1,
      args: { window: { from: at(-20), to: at(40) }, stride: "PT10S", w: 2 },
      envelope: whole(
        "burst_detection",
        1,
        DEFAULTS,
        [
          // The series is 0 0 0 4 0 1.
          {
            from: at(10),
            to: at(20),
            value: 4,
            baseline: 0,
            spread: 0,
            score: null,
            reason: "zero_spread",
            side: "up",
            history: 2,
          },
        ],
        { n_buckets: 6, judged: 4, not_judged: 2 },
      ),
    },
    {
      title: "against the median, on both sides",
      store: S1,
      args: {
        target: { kind: "node_activity", uid: "b", role: "src" },
        window: { from: at(11), to: at(17) },
        stride: "PT1S",
        method: "ratio",
        sides: "both",
        w: 1,
        r: 2,
      },
      envelope: whole(
        "burst_detection",
        1,
        {
          ...DEFAULTS,
          target: { kind: "node_activity", uid: "b", role: "src" },
          window: { from: at(11), to: at(17) },
          stride: "PT1S",
          method: "ratio",
          sides: "both",
          w: 1,
          min_history: 1,
          r: 2,
        },
        [
          // 0 2 0 0 0 0, each held against the one before it.
          {
            from: at(12),
            to: at(13),
            value: 2,
            baseline: 0,
            spread: null,
            score: null,
            reason: "zero_baseline",
            side: "up",
            history: 1,
          },
          {
            from: at(13),
            to: at(14),
            value: 0,
            baseline: 2,
            spread: null,
            score: 0,
            reason: null,
            side: "down",
            history: 1,
          },
        ],
        { n_buckets: 6, judged: 5, not_judged: 1 },
      ),
    },
    {
      title: "nothing stands out: too little history",
      store: S1,
      args: { window: { from: at(0), to: at(20) }, stride: "PT10S" },
      envelope: whole(
        "burst_detection",
        1,
        { ...DEFAULTS, window: { from: at(0), to: at(20) }, w: 10, min_history: 3 },
        [],
        { n_buckets: 2, judged: 0, not_judged: 2 },
      ),
    },
    {
      title: "scores on both sides, where half a deviation is enough",
      store: S1,
      args: { window: { from: at(10), to: at(16) }, stride: "PT1S", w: 4, min_history: 2, z: 0.5, sides: "both" },
      envelope: whole(
        "burst_detection",
        1,
        {
          ...DEFAULTS,
          window: { from: at(10), to: at(16) },
          stride: "PT1S",
          w: 4,
          min_history: 2,
          z: 0.5,
          sides: "both",
        },
        [
          // 1 0 2 0 0 1: against 1 0 it is (2 - 0.5) / 0.5; against 1 0 2, (0 - 1) / sqrt(2/3). The last two differ
          // from their means, 0.75 and 0.5, by less than min_change.
          {
            from: at(12),
            to: at(13),
            value: 2,
            baseline: 0.5,
            spread: 0.5,
            score: 3,
            reason: null,
            side: "up",
            history: 2,
          },
          {
            from: at(13),
            to: at(14),
            value: 0,
            baseline: 1,
            spread: 0.816496581,
            score: -1.224744871,
            reason: null,
            side: "down",
            history: 3,
          },
        ],
        { n_buckets: 6, judged: 4, not_judged: 2 },
      ),
    },
  ],
});
