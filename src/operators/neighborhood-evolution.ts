// O10: neighbours gained and lost between two instants, and the degree between them.
// The whole contract of the operator; engines only give the rows.
import { Type } from "typebox";
import { parseDuration } from "../contract/duration.js";
import { PalimpsestError } from "../contract/errors.js";
import { instant, int, listOf, oneOf, orNull, text } from "../contract/output-schemas.js";
import { parseInstant } from "../contract/parse-instant.js";
import {
  COMMON_ARGUMENTS,
  choice,
  closed,
  Duration,
  described,
  Instant,
  nullable,
  Orientation,
  setOf,
  Uid,
  Where,
  withDefault,
} from "../contract/schemas.js";
import type { JsonObject } from "../contract/values.js";
import { invalid, periodOrder } from "./canonical-args.js";
import { declareOperator } from "./declaration.js";
import { at, S1, S2, whole, wholeList } from "./example-stores.js";

const MOST_SAMPLES = 100_000;
const EQUAL_STEPS = 20;

interface Times {
  readonly t1: string;
  readonly t2: string;
  readonly stride: string | null;
}

/** How many instants the series has, both ends among them; `t1 < t2`. */
function sampleCount({ t1, t2, stride }: Times): bigint {
  const length = parseInstant(t2, "/t2") - parseInstant(t1, "/t1");
  if (stride === null) return length < EQUAL_STEPS ? length + 1n : BigInt(EQUAL_STEPS) + 1n;
  return (length - 1n) / parseDuration(stride, "/stride") + 2n;
}

const DEFAULTS = { lookback: null, stride: null, orientation: "both", include: ["gained", "lost"] };
const change = (kind: string, uid: string, edges: number): JsonObject => ({ change: kind, uid, edges });
const sample = (t: string, degree: number, neighbours: number): JsonObject => ({ t, degree, neighbours });

export const neighborhoodEvolution = declareOperator({
  name: "neighborhood_evolution",
  aliases: [],
  version: 1,
  summary: "Neighbours that a node gained and lost between two instants, and its degree between them.",
  doc: `The neighbours at an instant are the other ends of the edges that are valid then; with \`lookback\`, of those valid
at some instant of that length before it. Facts that last an instant are nearly never met without it. Nodes are judged
at the instant of the sample.`,
  args: closed({
    uid: described(Uid, "the node"),
    t1: described(Instant, "the instant before"),
    t2: described(Instant, "the instant after"),
    lookback: described(
      withDefault(nullable(Duration), null),
      "neighbours are those of so long a time up to the instant; null: of the instant alone",
    ),
    stride: described(
      withDefault(nullable(Duration), null),
      "step between the samples of `series`; null: 20 equal steps",
    ),
    orientation: described(withDefault(Orientation, "both"), "which edges lead to neighbours"),
    include: described(
      withDefault(
        setOf(choice({ gained: "a neighbour at `t2` alone", lost: "at `t1` alone", kept: "at both" }), {
          maxItems: 64,
        }),
        ["gained", "lost"],
      ),
      "the changes to show as rows",
    ),
    where: described(withDefault(Where, {}), "filter on edges and their ends; `where.node` judges the neighbour"),
    ...COMMON_ARGUMENTS,
  }),
  output: closed({
    rows: Type.Array(
      closed({
        change: oneOf(["gained", "kept", "lost"], "at t2 only, at both, at t1 only"),
        uid: text("the neighbour"),
        edges: int("identities to it: at t2, for a lost one at t1", "edges"),
      }),
    ),
    totals: closed(
      {
        gained: int("neighbours gained", "nodes"),
        lost: int("neighbours lost", "nodes"),
        kept: int("neighbours kept", "nodes"),
      },
      { description: "whether shown or not" },
    ),
    series: listOf(
      closed({
        t: instant("the sample"),
        degree: int("edge identities, a self-loop once", "edges"),
        neighbours: int("other nodes that they lead to", "nodes"),
      }),
      "degree and neighbours at each sample",
    ),
    stride: orNull(text("step between samples; null for 20 equal ones", { echoes: "stride", kind: "duration" })),
  }),
  lists: [
    { field: "rows", order: "change (gained, kept, lost), then uid", key: ["uid"] },
    { field: "series", order: "t", key: ["t"] },
  ],
  subjects: { paths: ["uid"], introduces: true },
  pins: { envelope: "as_of_tt", other: null },
  reduces: false,
  determinism: "A neighbour has one row, an instant one sample.",
  errors: [
    { code: "E_NOT_FOUND", when: "the uid is not known at the pin", args: { uid: "nobody", t1: at(0), t2: at(1) } },
    { code: "E_PERIOD_ORDER", when: "t1 is not before t2", args: { uid: "a", t1: at(1), t2: at(1) } },
    {
      code: "E_INVALID_ARG",
      when: "lookback or stride is not above zero",
      args: { uid: "a", t1: at(0), t2: at(1), lookback: "PT0S" },
    },
    {
      code: "E_LIMIT",
      when: `more than ${MOST_SAMPLES} samples`,
      args: { uid: "a", t1: at(0), t2: at(101), stride: "PT0.001S" },
    },
  ],
  judge(args, report) {
    const { lookback, stride } = args;
    const isBelowZero = (name: "lookback" | "stride", duration: string | null): boolean => {
      try {
        if (duration === null || parseDuration(duration, `/${name}`) > 0n) return false;
      } catch {
        return true; // reported before
      }
      report(invalid(`${duration} is not above zero`, `/${name}`, "write PT0.000001S or more, or leave it out"));
      return true;
    };
    isBelowZero("lookback", lookback);
    const hasStride = !isBelowZero("stride", stride);
    try {
      if (parseInstant(args.t1, "/t1") >= parseInstant(args.t2, "/t2")) {
        report(periodOrder(args.t1, args.t2, "/t2"));
      } else if (hasStride && sampleCount(args) > MOST_SAMPLES) {
        report(
          new PalimpsestError("E_LIMIT", `/stride: ${stride} gives more than ${MOST_SAMPLES} samples`, {
            details: { path: "/stride", limit: MOST_SAMPLES },
            hint: "take a longer stride, or leave it out for 20 equal steps",
          }),
        );
      }
    } catch (error) {
      // An instant that does not parse was reported before.
      if (!(error instanceof PalimpsestError)) throw error;
    }
  },
  cost(args, statistics) {
    const samples = Number(sampleCount(args));
    const lookbackUs = args.lookback === null ? 0n : parseDuration(args.lookback, "/lookback");
    const window = { fromUs: parseInstant(args.t1, "/t1") - lookbackUs, toUs: parseInstant(args.t2, "/t2") + 1n };
    const degree = statistics.degree(args.uid, window);
    // Each edge is looked at once, and then at both of its ends.
    return { rows: degree + samples, steps: 3 * degree + samples };
  },
  suggest: (args, _statistics, fits) => {
    const args_patch = { stride: null };
    return args.stride !== null && fits(args_patch) ? [{ args_patch, why: "20 equal steps fit" }] : [];
  },
  examples: [
    {
      title: "a neighbour lost",
      store: S2,
      args: { uid: "b", t1: at(30), t2: at(90), stride: "PT30S" },
      envelope: whole(
        "neighborhood_evolution",
        5,
        { ...DEFAULTS, uid: "b", t1: at(30), t2: at(90), stride: "PT30S" },
        [change("lost", "c", 1)],
        {
          totals: { gained: 0, lost: 1, kept: 1 },
          series: wholeList([sample(at(30), 2, 2), sample(at(60), 2, 2), sample(at(90), 1, 1)]),
          stride: "PT30S",
        },
      ),
    },
    {
      title: "events are met by looking back",
      store: S1,
      args: {
        uid: "a",
        t1: at(12),
        t2: at(30),
        lookback: "PT10S",
        stride: "PT9S",
        include: ["gained", "lost", "kept"],
      },
      envelope: whole(
        "neighborhood_evolution",
        1,
        {
          ...DEFAULTS,
          uid: "a",
          t1: at(12),
          t2: at(30),
          lookback: "PT10S",
          stride: "PT9S",
          include: ["gained", "kept", "lost"],
        },
        // (@2, @12] holds k1 and k3, both with b; (@11, @21] k3 and k4; (@20, @30] k5 alone.
        [change("kept", "b", 1)],
        {
          totals: { gained: 0, lost: 0, kept: 1 },
          series: wholeList([sample(at(12), 2, 1), sample(at(21), 2, 2), sample(at(30), 1, 1)]),
          stride: "PT9S",
        },
      ),
    },
    {
      title: "no more steps than there are microseconds",
      store: S2,
      args: { uid: "a", t1: at(0), t2: "2020-01-01T00:00:00.000002Z", orientation: "in" },
      envelope: whole(
        "neighborhood_evolution",
        5,
        { ...DEFAULTS, uid: "a", t1: at(0), t2: "2020-01-01T00:00:00.000002Z", orientation: "in" },
        [],
        {
          totals: { gained: 0, lost: 0, kept: 0 },
          series: wholeList([
            sample(at(0), 0, 0),
            sample("2020-01-01T00:00:00.000001Z", 0, 0),
            sample("2020-01-01T00:00:00.000002Z", 0, 0),
          ]),
          stride: null,
        },
      ),
    },
  ],
});
