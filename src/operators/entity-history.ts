// O1: what one node or edge was, over valid time, as believed at a pin.
// The whole contract of the operator; engines only give the rows.
import { Type } from "typebox";
import { PalimpsestError } from "../contract/errors.js";
import { EdgeVersion, int, listOf, NodeVersion, oneOf, orNull } from "../contract/output-schemas.js";
import {
  COMMON_ARGUMENTS,
  closed,
  described,
  nullable,
  Ref,
  Uid,
  Where,
  Window,
  withDefault,
} from "../contract/schemas.js";
import type { JsonObject } from "../contract/values.js";
import { invalid } from "./canonical-args.js";
import { windowUs } from "./cost-guard.js";
import { declareOperator } from "./declaration.js";
import { at, S2, txTime, version, whole, wholeList } from "./example-stores.js";
import { suggestType, suggestWindow, typeShare } from "./suggestions.js";

const ADA = { uid: "a", props: { name: "Ada" }, labels: ["P"] };
const HISTORY_OF_A = [
  version({ ...ADA, valid_from: at(0), valid_to: at(80), tx_from: txTime(5) }),
  version({
    uid: "a",
    labels: ["P", "Q"],
    props: { name: "Ada L" },
    valid_from: at(80),
    valid_to: at(120),
    tx_from: txTime(5),
  }),
  version({ ...ADA, valid_from: at(120), tx_from: txTime(5) }),
];
const DEFAULTS = { include_edges: false, window: null };

export const entityHistory = declareOperator({
  name: "entity_history",
  aliases: [],
  version: 1,
  summary: "What one node or edge was, over valid time, as believed at a pin.",
  doc: `The believed versions of one entity that touch the window, uncut, in time order. Fragments that corrections left
show as the versions they are; \`spells\` counts the facts behind them. With \`include_edges\`, \`edges\` lists the believed
edge versions at the node, self-loops once.`,
  args: closed({
    ref: described(Type.Optional(Ref), "the node or edge; required, unless `uid` is given"),
    uid: described(Type.Optional(Uid), "short for a `ref` to a node"),
    window: described(withDefault(nullable(Window), null), "only versions that touch it, shown uncut; null: all"),
    include_edges: described(withDefault(Type.Boolean(), false), "also list the edge versions at the node"),
    where: described(withDefault(Where, {}), "which of those edge versions are listed"),
    ...COMMON_ARGUMENTS,
  }),
  output: closed({
    kind: oneOf(["node", "edge"], "what the entity is"),
    rows: Type.Array(Type.Union([NodeVersion, EdgeVersion])),
    edges: orNull(listOf(EdgeVersion, "edge versions at the node")),
    spells: int("facts among the rows: runs of versions that touch", "spells"),
  }),
  lists: [
    { field: "rows", order: "valid_from", key: ["valid_from"] },
    { field: "edges", order: "src, type, dst, key, valid_from", key: ["src", "type", "dst", "key", "valid_from"] },
  ],
  subjects: { paths: ["ref"], introduces: false },
  pins: { envelope: "as_of_tt", other: null },
  reduces: false,
  determinism: "Versions of one identity are disjoint in valid time, so valid_from orders them without ties.",
  errors: [
    { code: "E_NOT_FOUND", when: "the uid or the edge is not known at the pin", args: { uid: "nobody" } },
    {
      code: "E_INVALID_ARG",
      when: "include_edges with a reference to an edge, or uid beside ref",
      args: { ref: { src: "a", type: "R", dst: "b" }, include_edges: true },
    },
  ],
  shape(args) {
    if (args.ref === undefined && args.uid === undefined) {
      throw new PalimpsestError("E_SCHEMA", "the arguments: ref is missing", {
        details: { path: "" },
        hint: 'give ref, or uid for a node, as in {"uid": "a"}',
      });
    }
  },
  judge(args, report) {
    if (args.ref !== undefined && args.uid !== undefined)
      report(invalid("uid and ref go not together", "/uid", "leave one of them out"));
    if (args.include_edges && args.ref !== undefined && !("uid" in args.ref)) {
      report(invalid("edges have no edges", "/include_edges", "leave include_edges out, or name a node"));
    }
  },
  complete({ uid, ...args }) {
    return uid === undefined ? args : { ...args, ref: { uid } };
  },
  // A plan asks before there is an answer: then the arguments tell.
  rowSchema: ({ uid, ref }, fields) => {
    const kind = fields.kind ?? (uid !== undefined || (ref != null && "uid" in ref) ? "node" : "edge");
    return kind === "node" ? NodeVersion : EdgeVersion;
  },
  fieldsOfNothing: ({ ref }) => ({ kind: "uid" in (ref as JsonObject) ? "node" : "edge" }),
  cost(args, statistics) {
    const ref = args.ref!;
    const window = windowUs(args.window);
    const isWithEdges = args.include_edges && "uid" in ref;
    const edges = isWithEdges ? statistics.degree(ref.uid, window) * typeShare(args.where, statistics) : 0;
    return { rows: statistics.rowsOf(ref, window) + Math.ceil(edges), steps: 0 };
  },
  suggest: (args, statistics, fits) => [
    ...suggestWindow(args.window, statistics, fits, statistics.wholeExtent()),
    ...(args.include_edges ? [{ args_patch: { include_edges: false }, why: "leave the edges out" }] : []),
    ...suggestType(args.where, statistics, fits),
  ],
  examples: [
    {
      title: "a node whose name was wrong for a while",
      store: S2,
      args: { uid: "a" },
      envelope: whole("entity_history", 5, { ...DEFAULTS, ref: { uid: "a" } }, HISTORY_OF_A, {
        kind: "node",
        edges: null,
        spells: 1,
      }),
    },
    {
      title: "the same node as believed before that was known",
      store: S2,
      args: { uid: "a", as_of_tt: "tx:4" },
      envelope: whole(
        "entity_history",
        4,
        { ...DEFAULTS, ref: { uid: "a" } },
        [version({ ...ADA, valid_from: at(0), tx_from: txTime(1) })],
        { kind: "node", edges: null, spells: 1 },
      ),
    },
    {
      title: "a node without versions of its own, and its edges",
      store: S2,
      args: { uid: "c", include_edges: true },
      envelope: whole("entity_history", 5, { ...DEFAULTS, include_edges: true, ref: { uid: "c" } }, [], {
        kind: "node",
        edges: wholeList([
          version({
            src: "b",
            type: "S",
            dst: "c",
            key: "",
            props: { w: 2 },
            valid_from: at(20),
            valid_to: at(70),
            tx_from: txTime(4),
          }),
        ]),
        spells: 0,
      }),
    },
    {
      title: "an edge with a corrected stretch inside one fact",
      store: S2,
      args: { ref: { src: "a", type: "R", dst: "b" }, window: { from: at(50), to: null } },
      envelope: whole(
        "entity_history",
        5,
        {
          ...DEFAULTS,
          ref: { src: "a", type: "R", dst: "b", key: "" },
          window: { from: at(50), to: null },
        },
        [
          version({
            src: "a",
            type: "R",
            dst: "b",
            key: "",
            props: { w: 5 },
            valid_from: at(40),
            valid_to: at(60),
            tx_from: txTime(3),
            reason: "typo",
          }),
          version({
            src: "a",
            type: "R",
            dst: "b",
            key: "",
            props: { w: 1 },
            valid_from: at(60),
            valid_to: at(100),
            tx_from: txTime(3),
          }),
        ],
        { kind: "edge", edges: null, spells: 1 },
      ),
    },
  ],
});
