// O3: what differs between two corners of the bi-temporal plane.
// The whole contract of the operator; engines only give the rows.
import { Type } from "typebox";
import { formatInstant } from "../contract/instant.js";
import {
  EDGE_IDENTITY,
  instant,
  int,
  LABELS,
  oneOf,
  orNull,
  PROPS,
  text,
  VALID_TIME,
} from "../contract/output-schemas.js";
import { parseInstant } from "../contract/parse-instant.js";
import {
  COMMON_ARGUMENTS,
  choice,
  closed,
  described,
  Instant,
  nullable,
  Orientation,
  Pin,
  setOf,
  Uid,
  Where,
  withDefault,
} from "../contract/schemas.js";
import type { JsonObject } from "../contract/values.js";
import { invalid } from "./canonical-args.js";
import { greatest } from "./cost-guard.js";
import { declareOperator, type Suggestion } from "./declaration.js";
import { at, pinAt, S2, whole } from "./example-stores.js";
import { searchCost } from "./snapshot-subgraph.js";
import { suggestType, typeShare } from "./suggestions.js";

const CHANGES = [
  "edges_added",
  "edges_changed",
  "edges_removed",
  "nodes_added",
  "nodes_changed",
  "nodes_removed",
] as const;

const Corner = closed({
  at: described(Instant, "the valid instant"),
  as_of_tt: described(withDefault(nullable(Pin), null), "what was believed when; null: by the latest commit"),
});
/** Every other operator has it: here it is known only to say where it belongs. */
const Refused = Object.assign(Type.Optional(nullable(Pin)), { refused: true });
const State = closed({ labels: orNull(LABELS), props: PROPS, ...VALID_TIME });
const PinFields = closed({
  tx: int("commit of the corner", "1"),
  tx_time: orNull(instant("time of that commit")),
});

const commitOf = (corner: { as_of_tt: string | null }): number => Number((corner.as_of_tt ?? "tx:0").slice(3));

const NO_TOTALS = Object.fromEntries(CHANGES.map((change) => [change, 0]));
const DEFAULTS = { scope: null, compare: "content", include: [...CHANGES] };

/** An example's envelope: this operator echoes its pins in the corners. */
function example(
  left: JsonObject,
  right: JsonObject,
  args: JsonObject,
  rows: JsonObject[],
  totals: JsonObject,
): JsonObject {
  const txOf = (corner: JsonObject): number => Number((corner.as_of_tt as string).slice(3));
  const envelope = whole("diff_snapshots", txOf(right), { ...DEFAULTS, left, right, ...args }, rows, {
    pins: { left: pinAt(txOf(left)), right: pinAt(txOf(right)) },
    totals: { ...NO_TOTALS, ...totals },
  });
  const { as_of_tt: _, ...echo } = envelope.args as JsonObject;
  return { ...envelope, args: echo };
}

const NO_IDENTITY = { uid: null, src: null, type: null, dst: null, key: null, before: null, after: null, changed: [] };

/** The right corner as far from the left one as fits, in valid time. */
function closerCorners(
  left: string,
  right: string,
  patchOf: (at: string) => JsonObject,
  fits: (patch: JsonObject) => boolean,
): Suggestion[] {
  const leftUs = parseInstant(left, "/left/at");
  const apartUs = parseInstant(right, "/right/at") - leftUs;
  const patchAt = (us: bigint): JsonObject => patchOf(formatInstant(apartUs < 0n ? leftUs - us : leftUs + us));
  const isFine = (us: bigint): boolean => fits(patchAt(us));
  if (apartUs === 0n || !isFine(1n)) return [];
  const nearUs = greatest(1n, apartUs < 0n ? -apartUs : apartUs, isFine);
  return [{ args_patch: patchAt(nearUs), why: "the corners are as far apart as fits" }];
}

export const diffSnapshots = declareOperator({
  name: "diff_snapshots",
  aliases: [],
  version: 1,
  summary: "What differs between two corners, each a valid instant at a pin.",
  doc: `An identity is present in a corner when it has a version believed at that pin, valid at that instant and passing the
filter there. Present on the right alone it was added, on the left alone removed, on both with other content changed.
Two instants at one pin show evolution; one instant at two pins shows how belief changed. \`totals\` has all six counts,
whatever \`include\` shows.`,
  args: closed({
    left: described(Corner, "the corner before"),
    right: described(Corner, "the corner after; the answer's `pin` is its own"),
    scope: described(
      withDefault(
        nullable(
          closed({
            seeds: described(setOf(Uid, { minItems: 1, maxItems: 10_000 }), "the nodes it lies around"),
            hops: described(withDefault(Type.Integer({ minimum: 0, maximum: 6 }), 1), "how many edges away"),
            orientation: described(withDefault(Orientation, "both"), "how edges are crossed from there"),
          }),
        ),
        null,
      ),
      "only what lies around some nodes, in either corner; null: everything",
    ),
    compare: described(
      withDefault(
        choice({
          content: "labels or properties differ",
          content_and_interval: "these, or when the version began or stopped to hold",
        }),
        "content",
      ),
      "what makes an identity changed",
    ),
    include: described(
      withDefault(setOf(Type.Enum([...CHANGES]), { maxItems: 64 }), CHANGES),
      "the changes to show as rows",
    ),
    where: described(withDefault(Where, {}), "a thing is present in a corner only where it passes"),
    limit: COMMON_ARGUMENTS.limit,
    cursor: COMMON_ARGUMENTS.cursor,
    as_of_tt: Refused,
  }),
  output: closed({
    rows: Type.Array(
      closed({
        change: oneOf(["added", "removed", "changed"], "how the right corner differs from the left"),
        element: oneOf(["node", "edge"], "what differs"),
        uid: orNull(text("uid of a node")),
        src: orNull(EDGE_IDENTITY.src),
        type: orNull(EDGE_IDENTITY.type),
        dst: orNull(EDGE_IDENTITY.dst),
        key: orNull(EDGE_IDENTITY.key),
        before: orNull(described(State, "what it was on the left")),
        after: orNull(described(State, "what it is on the right")),
        changed: Type.Array(text("labels, props.<name>, valid_from or valid_to"), {
          description: "what changed, sorted",
        }),
      }),
    ),
    totals: closed({
      edges_added: int("edges added", "edges"),
      edges_changed: int("edges changed", "edges"),
      edges_removed: int("edges removed", "edges"),
      nodes_added: int("nodes added", "nodes"),
      nodes_changed: int("nodes changed", "nodes"),
      nodes_removed: int("nodes removed", "nodes"),
    }),
    pins: closed({ left: PinFields, right: PinFields }, { description: "the pins of both corners" }),
  }),
  lists: [
    {
      field: "rows",
      order: "nodes by uid, then edges by src, type, dst, key",
      key: ["element", "uid", "src", "type", "dst", "key"],
    },
  ],
  subjects: { paths: ["scope.seeds"], introduces: false },
  pins: { envelope: "right.as_of_tt", other: "left.as_of_tt" },
  reduces: false,
  determinism: "Each identity has at most one row, and identities order the rows.",
  errors: [
    {
      code: "E_INVALID_ARG",
      when: "as_of_tt is given beside the corners",
      args: { left: { at: "2020-01-01" }, right: { at: "2020-01-01" }, as_of_tt: "tx:1" },
    },
    {
      code: "E_NOT_FOUND",
      when: "a seed of the scope is not known at the later pin",
      args: { left: { at: "2020-01-01" }, right: { at: "2020-01-01" }, scope: { seeds: ["nobody"] } },
    },
  ],
  judge(args, report) {
    if (args.as_of_tt !== undefined && args.as_of_tt !== null) {
      report(invalid("each corner has a pin of its own", "/as_of_tt", "put as_of_tt into left and right"));
    }
  },
  complete({ as_of_tt: _, ...args }) {
    return args;
  },
  cost(args, statistics) {
    const [leftUs, rightUs] = [args.left, args.right].map((corner) => parseInstant(corner.at, "at")) as [
      bigint,
      bigint,
    ];
    const txs = [commitOf(args.left), commitOf(args.right)].sort((a, b) => a - b) as [number, number];
    const valid =
      leftUs === rightUs
        ? 0
        : statistics.validChanges(...((leftUs < rightUs ? [leftUs, rightUs] : [rightUs, leftUs]) as [bigint, bigint]));
    const changes = valid + (txs[0] === txs[1] ? 0 : statistics.txChanges(txs[0], txs[1]));
    const share = typeShare(args.where, statistics);
    const { scope } = args;
    if (scope === null) return { rows: Math.ceil(changes * share), steps: changes };
    // The scope is searched in both corners; then its lists are read, or what changed, whichever is less.
    const searches = [leftUs, rightUs].map((atUs) => searchCost(scope, atUs, share, statistics));
    const searched = searches.reduce((sum, { steps }) => sum + steps, 0);
    const met = searches.reduce((sum, { rows }) => sum + rows, 0);
    return { rows: Math.ceil(Math.min(changes * share, met)), steps: searched + Math.min(changes, searched) };
  },
  suggest: (args, statistics, fits) => [
    ...closerCorners(args.left.at, args.right.at, (at) => ({ right: { ...args.right, at } }), fits),
    { args_patch: { right: { ...args.right, at: args.left.at } }, why: "bring the instants of the corners together" },
    {
      // At the later one, whose counts this estimate and that of the suggestion are of.
      args_patch:
        commitOf(args.left) < commitOf(args.right)
          ? { left: { ...args.left, as_of_tt: args.right.as_of_tt } }
          : { right: { ...args.right, as_of_tt: args.left.as_of_tt } },
      why: "bring the pins of the corners together",
    },
    ...suggestType(args.where, statistics, fits),
  ],
  examples: [
    {
      title: "belief: what was thought of one instant before and after",
      store: S2,
      args: { left: { at: at(50), as_of_tt: "tx:2" }, right: { at: at(50), as_of_tt: "tx:5" } },
      envelope: example(
        { at: at(50), as_of_tt: "tx:2" },
        { at: at(50), as_of_tt: "tx:5" },
        {},
        [
          {
            ...NO_IDENTITY,
            change: "changed",
            element: "edge",
            src: "a",
            type: "R",
            dst: "b",
            key: "",
            before: { labels: null, props: { w: 1 }, valid_from: at(0), valid_to: at(100) },
            after: { labels: null, props: { w: 5 }, valid_from: at(40), valid_to: at(60) },
            changed: ["props.w"],
          },
        ],
        { edges_changed: 1 },
      ),
    },
    {
      title: "evolution: what differs between two instants",
      store: S2,
      args: { left: { at: at(30) }, right: { at: at(90) } },
      envelope: example(
        { at: at(30), as_of_tt: "tx:5" },
        { at: at(90), as_of_tt: "tx:5" },
        {},
        [
          {
            ...NO_IDENTITY,
            change: "changed",
            element: "node",
            uid: "a",
            before: { labels: ["P"], props: { name: "Ada" }, valid_from: at(0), valid_to: at(80) },
            after: { labels: ["P", "Q"], props: { name: "Ada L" }, valid_from: at(80), valid_to: at(120) },
            changed: ["labels", "props.name"],
          },
          {
            ...NO_IDENTITY,
            change: "removed",
            element: "node",
            uid: "b",
            before: { labels: ["P"], props: { name: "Bob" }, valid_from: at(0), valid_to: at(50) },
          },
          {
            ...NO_IDENTITY,
            change: "removed",
            element: "edge",
            src: "b",
            type: "S",
            dst: "c",
            key: "",
            before: { labels: null, props: { w: 2 }, valid_from: at(20), valid_to: at(70) },
          },
        ],
        { nodes_changed: 1, nodes_removed: 1, edges_removed: 1 },
      ),
    },
    {
      title: "only what was removed, around one node",
      store: S2,
      args: { left: { at: at(30) }, right: { at: at(90) }, scope: { seeds: ["c"] }, include: ["edges_removed"] },
      envelope: example(
        { at: at(30), as_of_tt: "tx:5" },
        { at: at(90), as_of_tt: "tx:5" },
        { scope: { seeds: ["c"], hops: 1, orientation: "both" }, include: ["edges_removed"] },
        [
          {
            ...NO_IDENTITY,
            change: "removed",
            element: "edge",
            src: "b",
            type: "S",
            dst: "c",
            key: "",
            before: { labels: null, props: { w: 2 }, valid_from: at(20), valid_to: at(70) },
          },
        ],
        { nodes_removed: 1, edges_removed: 1 },
      ),
    },
  ],
});
