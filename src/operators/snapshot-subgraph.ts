// O2: the neighbourhood of some seeds in the graph of one instant.
// The whole contract of the operator; engines only give the rows.
import { Type } from "typebox";
import { bool, EDGE_IDENTITY, int, LABELS, listOf, PROPS, text, VALID_TIME } from "../contract/output-schemas.js";
import { parseInstant } from "../contract/parse-instant.js";
import {
  COMMON_ARGUMENTS,
  closed,
  described,
  Instant,
  Orientation,
  Projection,
  setOf,
  Uid,
  Where,
  withDefault,
} from "../contract/schemas.js";
import { declareOperator, type Estimate } from "./declaration.js";
import type { Statistics } from "./engine.js";
import { at, S1, S2, whole, wholeList } from "./example-stores.js";
import { suggestType, typeShare } from "./suggestions.js";

interface SearchArguments {
  readonly seeds: readonly string[];
  readonly hops: number;
  readonly orientation: "out" | "in" | "both";
}

/** What a search at an instant meets: every node it reaches is asked for the edges that had begun, those inside twice. */
export function searchCost(search: SearchArguments, atUs: bigint, share: number, statistics: Statistics): Estimate {
  const nodes = Math.max(1, statistics.knownUids());
  const begun = { fromUs: null, toUs: atUs + 1n };
  const holding = statistics.edgesTouching({ fromUs: atUs, toUs: atUs + 1n }) * share;
  const begunEdges = statistics.eventsIn(begun);
  const slotsAtSeeds = search.seeds.reduce((sum, uid) => sum + statistics.degree(uid, begun), 0);
  const slotsAtNode = (2 * begunEdges) / nodes;
  const ways = search.orientation === "both" ? 2 : 1;
  const neighbours = (ways * holding) / nodes;

  let layer = search.seeds.length;
  let reached = layer;
  let steps = slotsAtSeeds * (search.hops > 0 ? 2 : 1);
  for (let hop = 1; hop <= search.hops; hop += 1) {
    layer = Math.min(layer * neighbours, nodes - reached);
    reached += layer;
    steps += layer * slotsAtNode * (hop < search.hops ? 2 : 1);
  }
  const edges = Math.min(holding, (reached * holding) / nodes);
  return { rows: Math.ceil(reached + edges), steps: Math.ceil(Math.min(steps, 4 * begunEdges)) };
}

const DEFAULTS = { hops: 1, nodes_must_exist: false, orientation: "both", props: null };
const R_WHOLE = { src: "a", type: "R", dst: "b", key: "", valid_from: at(0), valid_to: at(40), props: null };
const S_WHOLE = { src: "b", type: "S", dst: "c", key: "", valid_from: at(20), valid_to: at(70), props: null };
const A_AT_30 = { uid: "a", hop: 0, exists: true, labels: ["P"], props: null };
const B_AT_30 = { uid: "b", hop: 1, exists: true, labels: ["P"], props: null };

export const snapshotSubgraph = declareOperator({
  name: "snapshot_subgraph",
  aliases: [],
  version: 1,
  summary: "The k-hop neighbourhood of some seeds in the graph of one instant.",
  doc: `Searches breadth-first from the seeds over the edges that hold at the instant and pass the filter. \`rows\` are all
passing edges between reached nodes, whichever way the search went; \`nodes\` are the reached nodes with their distance.
Ends without a version at the instant take part as entities unless \`nodes_must_exist\`.`,
  args: closed({
    seeds: described(setOf(Uid, { minItems: 1, maxItems: 10_000 }), "the nodes to start from"),
    at: described(Instant, "the instant of the snapshot"),
    hops: described(
      withDefault(Type.Integer({ minimum: 0, maximum: 6 }), 1),
      "how many edges away from a seed the search goes",
    ),
    orientation: described(withDefault(Orientation, "both"), "how the search crosses edges"),
    nodes_must_exist: described(
      withDefault(Type.Boolean(), false),
      "leave out nodes without a version that is valid then",
    ),
    where: described(withDefault(Where, {}), "what edges and nodes must be to be searched and shown"),
    props: described(withDefault(Projection, null), "properties to show of nodes and edges"),
    ...COMMON_ARGUMENTS,
  }),
  output: closed({
    rows: Type.Array(closed({ ...EDGE_IDENTITY, ...VALID_TIME, props: PROPS })),
    nodes: listOf(
      closed({
        uid: text("uid of a reached node"),
        hop: int("distance from the nearest seed", "hops"),
        exists: bool("whether it has a version at the instant"),
        labels: LABELS,
        props: PROPS,
      }),
      "reached nodes, seeds included",
    ),
  }),
  lists: [
    { field: "rows", order: "src, type, dst, key", key: ["src", "type", "dst", "key"] },
    { field: "nodes", order: "hop, uid", key: ["uid"] },
  ],
  subjects: { paths: ["seeds"], introduces: false },
  pins: { envelope: "as_of_tt", other: null },
  reduces: false,
  determinism: "One version of an identity holds at an instant, so identities order edges, and (hop, uid) nodes.",
  errors: [
    { code: "E_NOT_FOUND", when: "a seed is not known at the pin", args: { seeds: ["nobody"], at: "2020-01-01" } },
  ],
  cost(args, statistics) {
    return searchCost(args, parseInstant(args.at, "/at"), typeShare(args.where, statistics), statistics);
  },
  suggest: (args, statistics, fits) => [
    ...Array.from({ length: args.hops }, (_, i) => args.hops - 1 - i)
      .filter((hops) => fits({ hops }))
      .slice(0, 1)
      .map((hops) => ({ args_patch: { hops }, why: `${hops} hops fit` })),
    ...suggestType(args.where, statistics, fits),
    ...(args.orientation === "both" ? [{ args_patch: { orientation: "out" }, why: "search one way only" }] : []),
  ],
  examples: [
    {
      title: "two hops from a node, the last of them an entity without versions",
      store: S2,
      args: { seeds: ["a"], hops: 2, at: at(30) },
      envelope: whole("snapshot_subgraph", 5, { ...DEFAULTS, seeds: ["a"], hops: 2, at: at(30) }, [R_WHOLE, S_WHOLE], {
        nodes: wholeList([A_AT_30, B_AT_30, { uid: "c", hop: 2, exists: false, labels: [], props: null }]),
      }),
    },
    {
      title: "only nodes that exist, with properties",
      store: S2,
      args: { seeds: ["a"], hops: 2, at: at(30), nodes_must_exist: true, props: "all" },
      envelope: whole(
        "snapshot_subgraph",
        5,
        { ...DEFAULTS, seeds: ["a"], hops: 2, at: at(30), nodes_must_exist: true, props: "all" },
        [{ ...R_WHOLE, props: { w: 1 } }],
        {
          nodes: wholeList([
            { ...A_AT_30, props: { name: "Ada" } },
            { ...B_AT_30, props: { name: "Bob" } },
          ]),
        },
      ),
    },
    {
      title: "an instant at which two events happen",
      store: S1,
      args: { seeds: ["b"], at: at(12), orientation: "out" },
      envelope: whole(
        "snapshot_subgraph",
        1,
        { ...DEFAULTS, seeds: ["b"], at: at(12), orientation: "out" },
        [
          {
            src: "b",
            type: "M",
            dst: "a",
            key: "k3",
            valid_from: at(12),
            valid_to: "2020-01-01T00:00:12.000001Z",
            props: null,
          },
          {
            src: "b",
            type: "M",
            dst: "c",
            key: "k2",
            valid_from: at(12),
            valid_to: "2020-01-01T00:00:12.000001Z",
            props: null,
          },
        ],
        {
          nodes: wholeList([
            { uid: "b", hop: 0, exists: true, labels: ["P"], props: null },
            { uid: "a", hop: 1, exists: true, labels: ["P"], props: null },
            { uid: "c", hop: 1, exists: true, labels: ["P"], props: null },
          ]),
        },
      ),
    },
  ],
});
