// O5: the k best node-simple paths from one node to another that respect time.
// The whole contract of the operator; engines only give the rows.
import { Type } from "typebox";
import { bool, duration, EDGE_IDENTITY, instant, int, PROPS, text, VALID_TIME } from "../contract/output-schemas.js";
import {
  Arrival,
  COMMON_ARGUMENTS,
  choice,
  closed,
  Duration,
  described,
  NodeFilter,
  nullable,
  Orientation,
  Projection,
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
import { at, S1, S2, whole } from "./example-stores.js";
import { suggestType, suggestWindow, typeShare } from "./suggestions.js";

const MOST_PATHS = 1000;
const MOST_HOPS = 32;

const DEFAULTS = {
  src: "a",
  dst: "c",
  criterion: "foremost",
  k: 5,
  min_hops: 1,
  max_hops: 6,
  src_filter: null,
  dst_filter: null,
  window: null,
  orientation: "out",
  arrival: "instant",
  ties: "allow",
  max_wait: null,
  props: null,
};
const NO_MORE = { more_paths: false };

/** Edges are instants: each is crossed when it happens. */
const event = (src: string, dst: string, key: string, seq: number, seconds: number): JsonObject => ({
  src,
  type: "M",
  dst,
  key,
  valid_from: at(seconds),
  valid_to: at(seconds).replace("Z", ".000001Z"),
  seq,
  from: src,
  to: dst,
  departs: at(seconds),
  arrives: at(seconds),
  props: null,
});
const R_SPAN = { src: "a", type: "R", dst: "b", key: "", valid_from: at(0), valid_to: at(100), seq: 1 };
const S_SPAN = { src: "b", type: "S", dst: "c", key: "", valid_from: at(20), valid_to: at(70), seq: 2 };
const crossed = (span: JsonObject, departs: string, props: JsonObject | null = null): JsonObject => ({
  ...span,
  from: span.src as string,
  to: span.dst as string,
  departs,
  arrives: departs,
  props,
});

export const temporalPaths = declareOperator({
  name: "temporal_paths",
  aliases: [],
  version: 1,
  summary: "The k best paths in time order from one node to another that visit no node twice.",
  doc: `A path is the sequence of facts that it crosses: parallel edges and separate spells make different paths, another
choice of departures does not. Each path is scored by the best departure and arrival that it admits under the criterion:
\`foremost\` arrives first, \`fastest\` takes the least time, \`shortest\` has the fewest hops, \`latest_departure\` leaves
last. Departures are free inside each fact; the shown times of the steps are the earliest that keep the path's own.`,
  args: closed({
    src: described(Uid, "where the paths begin"),
    dst: described(Uid, "where they end"),
    criterion: described(
      withDefault(
        choice({
          foremost: "least arrival, then greatest departure, then fewest hops",
          fastest: "least duration, then least arrival, then fewest hops",
          shortest: "fewest hops, then least arrival, then greatest departure",
          latest_departure: "greatest departure, then least arrival, then fewest hops",
        }),
        "foremost",
      ),
      "which path is better than another",
    ),
    k: described(withDefault(Type.Integer({ minimum: 1, maximum: MOST_PATHS }), 5), "how many paths, best first"),
    min_hops: described(withDefault(Type.Integer({ minimum: 1, maximum: MOST_HOPS }), 1), "fewest steps of a path"),
    max_hops: described(withDefault(Type.Integer({ minimum: 1, maximum: MOST_HOPS }), 6), "most steps"),
    src_filter: described(
      withDefault(nullable(NodeFilter), null),
      "what `src` must be when it is left; null: anything",
    ),
    dst_filter: described(
      withDefault(nullable(NodeFilter), null),
      "what `dst` must be when it is reached; null: anything",
    ),
    window: described(
      withDefault(nullable(Window), null),
      "only steps that leave and arrive in it; null: all of valid time",
    ),
    orientation: described(withDefault(Orientation, "out"), "how steps cross edges"),
    arrival: described(withDefault(Arrival, "instant"), "when a fact can be crossed"),
    ties: described(withDefault(WalkTies, "allow"), "whether a step may leave at the instant of the last arrival"),
    max_wait: described(withDefault(nullable(Duration), null), "longest stay at a node between two steps; null: any"),
    where: described(
      withDefault(Where, {}),
      "filter on edges and their ends; `src` and `dst` of the path are spared by `where.node`",
    ),
    props: described(withDefault(Projection, null), "properties to show of each edge"),
    ...COMMON_ARGUMENTS,
  }),
  output: closed({
    rows: Type.Array(
      closed({
        departure: instant("when the path leaves src", { pair: ["departure", "arrival"] }),
        arrival: instant("when it arrives at dst", { pair: ["departure", "arrival"] }),
        duration: duration("from departure to arrival"),
        hops: int("steps of the path", "steps"),
        nodes: Type.Array(text("a node of the path"), {
          kind: "json",
          description: "nodes in order, src and dst included",
        }),
        edges: Type.Array(
          closed({
            ...EDGE_IDENTITY,
            ...VALID_TIME,
            seq: int("number of the edge identity", "1"),
            from: text("uid that the step leaves"),
            to: text("uid that it reaches"),
            departs: instant("when the step leaves", { pair: ["departs", "arrives"] }),
            arrives: instant("when it arrives", { pair: ["departs", "arrives"] }),
            props: PROPS,
          }),
          { kind: "json", description: "steps in order" },
        ),
      }),
    ),
    more_paths: bool("whether there is a path after the k best"),
  }),
  lists: [{ field: "rows", order: "the criterion, then the sequence of (valid_from, seq) of the spans" }],
  subjects: { paths: ["src", "dst"], introduces: false },
  pins: { envelope: "as_of_tt", other: null },
  reduces: false,
  determinism:
    "Paths differ in some span, and (valid_from, seq) names a span, so the sequence of spans breaks every tie.",
  errors: [
    { code: "E_NOT_FOUND", when: "src or dst is not known at the pin", args: { src: "a", dst: "nobody" } },
    { code: "E_INVALID_ARG", when: "src and dst are the same", args: { src: "a", dst: "a" } },
    {
      code: "E_INVALID_ARG",
      when: "min_hops is above max_hops",
      args: { src: "a", dst: "c", min_hops: 3, max_hops: 2 },
    },
    { code: "E_INVALID_ARG", when: "max_wait is negative", args: { src: "a", dst: "c", max_wait: "-PT1S" } },
  ],
  judge({ src, dst, min_hops, max_hops, max_wait }, report) {
    if (src === dst) {
      report(
        invalid(
          `a path from ${JSON.stringify(src)} to itself would visit it twice`,
          "/dst",
          'count_temporal_motifs with motif "cycle:k" counts cycles, longest_temporal_chain may return to its start',
        ),
      );
    }
    if (min_hops > max_hops) {
      report(invalid(`min_hops ${min_hops} is above max_hops ${max_hops}`, "/min_hops", `at most ${max_hops}`));
    }
    if (max_wait?.startsWith("-")) {
      report(invalid(`the wait ${max_wait} is negative`, "/max_wait", "the least is PT0S; null waits for ever"));
    }
  },
  cost({ k, max_hops, orientation, window, where }, statistics) {
    const touched = statistics.edgesTouching(windowUs(window)) * typeShare(where, statistics);
    const ways = orientation === "both" ? 2 : 1;
    const branching = (ways * touched) / Math.max(1, statistics.knownUids());
    // Pruning meets an edge from both of its ends, and none that is more hops away than a path may have.
    let layer = 1;
    let near = 1;
    for (let hop = 1; hop <= max_hops && near < touched; hop += 1) {
      layer *= branching;
      near += layer;
    }
    return { rows: k, steps: Math.ceil(2 * Math.min(touched, near) + k * max_hops * branching ** 2) };
  },
  suggest: ({ k, max_hops, min_hops, window, where }, statistics, fits) => [
    ...suggestWindow(window, statistics, fits),
    ...suggestType(where, statistics, fits),
    ...(k > 1 ? [{ args_patch: { k: 1 }, why: "ask for the best path alone" }] : []),
    ...Array.from({ length: max_hops - min_hops }, (_, i) => max_hops - 1 - i)
      .filter((hops) => fits({ max_hops: hops }))
      .slice(0, 1)
      .map((hops) => ({ args_patch: { max_hops: hops }, why: `paths of up to ${hops} hops fit` })),
  ],
  examples: [
    {
      title: "the only path between two nodes",
      store: S1,
      args: { src: "a", dst: "c" },
      envelope: whole(
        "temporal_paths",
        1,
        DEFAULTS,
        [
          {
            departure: at(10),
            arrival: at(12),
            duration: "PT2S",
            hops: 2,
            nodes: ["a", "b", "c"],
            edges: [event("a", "b", "k1", 1, 10), event("b", "c", "k2", 2, 12)],
          },
        ],
        NO_MORE,
      ),
    },
    {
      title: "no path has three hops",
      store: S1,
      args: { src: "a", dst: "c", min_hops: 3 },
      envelope: whole("temporal_paths", 1, { ...DEFAULTS, min_hops: 3 }, [], NO_MORE),
    },
    {
      title: "the node at the end must be of another label",
      store: S1,
      args: { src: "a", dst: "c", dst_filter: { labels: ["Q"] } },
      envelope: whole(
        "temporal_paths",
        1,
        { ...DEFAULTS, dst_filter: { uids: null, labels: ["Q"], any_labels: null, props: [] } },
        [],
        NO_MORE,
      ),
    },
    {
      title: "facts that hold at once are crossed at once; a correction does not cut them",
      store: S2,
      args: { src: "a", dst: "c", props: "all" },
      envelope: whole(
        "temporal_paths",
        5,
        { ...DEFAULTS, props: "all" },
        [
          {
            departure: at(20),
            arrival: at(20),
            duration: "PT0S",
            hops: 2,
            nodes: ["a", "b", "c"],
            edges: [crossed(R_SPAN, at(20), { w: 1 }), crossed(S_SPAN, at(20), { w: 2 })],
          },
        ],
        NO_MORE,
      ),
    },
    {
      title: "strictly later at every step: the first leaves a microsecond before the second",
      store: S2,
      args: { src: "a", dst: "c", ties: "strict" },
      envelope: whole(
        "temporal_paths",
        5,
        { ...DEFAULTS, ties: "strict" },
        [
          {
            departure: "2020-01-01T00:00:19.999999Z",
            arrival: at(20),
            duration: "PT0.000001S",
            hops: 2,
            nodes: ["a", "b", "c"],
            edges: [crossed(R_SPAN, "2020-01-01T00:00:19.999999Z"), crossed(S_SPAN, at(20))],
          },
        ],
        NO_MORE,
      ),
    },
    {
      title: "a fact that is crossed from its beginning to its end ends too late",
      store: S2,
      args: { src: "a", dst: "c", arrival: "valid_end" },
      envelope: whole("temporal_paths", 5, { ...DEFAULTS, arrival: "valid_end" }, [], NO_MORE),
    },
    {
      title: "the best of two paths under another criterion",
      store: S1,
      args: { src: "a", dst: "b", criterion: "latest_departure", k: 1 },
      envelope: whole(
        "temporal_paths",
        1,
        { ...DEFAULTS, dst: "b", criterion: "latest_departure", k: 1 },
        [
          {
            departure: at(30),
            arrival: at(30),
            duration: "PT0S",
            hops: 1,
            nodes: ["a", "b"],
            edges: [event("a", "b", "k5", 5, 30)],
          },
        ],
        { more_paths: true },
      ),
    },
  ],
});
