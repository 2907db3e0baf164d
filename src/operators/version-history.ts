// P2: the belief log: every version written, and what ended it.
// The whole contract of the operator; engines only give the rows.
import { Type } from "typebox";
import { EDGE_IDENTITY, int, LABELS, oneOf, orNull, PROPS, text, VERSION_TIMES } from "../contract/output-schemas.js";
import { parseInstant } from "../contract/parse-instant.js";
import {
  COMMON_ARGUMENTS,
  choice,
  closed,
  described,
  nullable,
  PinWindow,
  Projection,
  Ref,
  setOf,
  Where,
  Window,
  type WindowArgument,
  withDefault,
} from "../contract/schemas.js";
import type { JsonObject } from "../contract/values.js";
import { greatest, windowUs } from "./cost-guard.js";
import { declareOperator, type Suggestion } from "./declaration.js";
import type { Statistics } from "./engine.js";
import { at, S2, txTime, version, whole } from "./example-stores.js";
import { suggestWindow } from "./suggestions.js";

const Row = closed({
  kind: oneOf(["node", "edge"], "what the version is of"),
  uid: orNull(text("uid of a node")),
  labels: orNull(LABELS),
  src: orNull(EDGE_IDENTITY.src),
  type: orNull(EDGE_IDENTITY.type),
  dst: orNull(EDGE_IDENTITY.dst),
  key: orNull(EDGE_IDENTITY.key),
  props: PROPS,
  ...VERSION_TIMES,
  tx: int("commit that wrote the version", "1"),
  ended_tx: orNull(int("commit that ended belief in it", "1")),
});

const row = (fields: Record<string, never> | object) =>
  version({ uid: null, labels: null, src: null, type: null, dst: null, key: null, ended_tx: null, ...fields });
const A_FIRST = {
  kind: "node",
  uid: "a",
  labels: ["P"],
  props: { name: "Ada" },
  valid_from: at(0),
  tx: 1,
  tx_from: txTime(1),
};
const R_FIRST = {
  kind: "edge",
  src: "a",
  type: "R",
  dst: "b",
  key: "",
  props: { w: 1 },
  valid_from: at(0),
  valid_to: at(100),
  tx: 2,
  tx_from: txTime(2),
};
const R_CLOSED = row({
  ...R_FIRST,
  tx_to: txTime(3),
  ended_tx: 3,
  ended_by: "corrected",
  ended_reason: "typo",
});
const ENDS = ["overwritten", "retracted", "corrected"] as const;
const DEFAULTS = {
  kind: "both",
  ref: null,
  window: null,
  tx_window: null,
  belief: "all",
  ended_by: null,
  props: "all",
};

/** The commits of a window, (from, to]. */
function commitsOf(window: WindowArgument, statistics: Statistics): { from: number; to: number } {
  const commitBefore = (end: string | null, open: number): number =>
    end === null ? open : statistics.lastTxBefore(parseInstant(end, "/tx_window"));
  return { from: commitBefore(window.from, 0), to: commitBefore(window.to, statistics.commits()) };
}

/** The longest stretch of the newest commits that fits. */
function suggestTxWindow(
  window: WindowArgument | null,
  statistics: Statistics,
  fits: (patch: JsonObject) => boolean,
): Suggestion[] {
  const to = window?.to ?? null;
  const { from, to: last } = commitsOf(window ?? { from: null, to: null }, statistics);
  const patchOf = (count: bigint): JsonObject => ({ tx_window: { from: `tx:${last + 1 - Number(count)}`, to } });
  const isFine = (count: bigint): boolean => fits(patchOf(count));
  if (last <= from || !isFine(1n)) return [];
  const args_patch = patchOf(greatest(1n, BigInt(last - from), isFine));
  return [{ args_patch, why: "these are the most commits that fit" }];
}

export const versionHistory = declareOperator({
  name: "version_history",
  aliases: [],
  version: 1,
  summary: "The belief log: who wrote which version when, and what ended belief in it.",
  doc: `Every version written at or before the pin that touches the window and, with \`tx_window\`, was written or ended in
it. Superseded versions say what ended them, when and why, unless that came after the pin. \`totals\` counts the rows of
the whole answer, not of the page.`,
  args: closed({
    kind: described(
      withDefault(choice({ node: "of nodes", edge: "of edges", both: "of either" }), "both"),
      "versions of what",
    ),
    ref: described(withDefault(nullable(Ref), null), "one node or edge; null: all"),
    window: described(
      withDefault(nullable(Window), null),
      "only versions that touch it, shown uncut; null: all of valid time",
    ),
    tx_window: described(
      withDefault(nullable(PinWindow), null),
      "only versions that were written or ended in it; null: all up to the pin",
    ),
    belief: described(
      withDefault(choice({ current: "still believed", superseded: "believed no more", all: "either" }), "all"),
      "versions that are still believed at the pin, or no more",
    ),
    ended_by: described(
      withDefault(nullable(setOf(Type.Enum([...ENDS]), { maxItems: 64 })), null),
      "how belief in the version ended; null: in any way or not at all",
    ),
    where: described(withDefault(Where, {}), "nodes are judged by `node` on their own content, edges by all of it"),
    props: described(withDefault(Projection, "all"), "properties to show"),
    ...COMMON_ARGUMENTS,
  }),
  output: closed({
    rows: Type.Array(Row),
    totals: closed({
      current: int("rows believed at the pin", "versions"),
      superseded: int("rows believed no more", "versions"),
      overwritten: int("of these, ended by an assertion", "versions"),
      retracted: int("of these, ended by a retraction", "versions"),
      corrected: int("of these, ended by a correction", "versions"),
    }),
  }),
  lists: [{ field: "rows", order: "tx, nodes before edges, identity, valid_from" }],
  subjects: { paths: ["ref"], introduces: false },
  pins: { envelope: "as_of_tt", other: null },
  reduces: false,
  determinism: "One commit writes disjoint versions of an identity, so (tx, kind, identity, valid_from) has no ties.",
  errors: [
    { code: "E_NOT_FOUND", when: "the entity of ref is not known at the pin", args: { ref: { uid: "nobody" } } },
    {
      code: "E_TX_UNKNOWN",
      when: "tx_window names a commit that does not exist yet",
      args: { tx_window: { from: "tx:99", to: null } },
    },
  ],
  cost(args, statistics) {
    const window = windowUs(args.window);
    const ofKind = (kind: "node" | "edge", count: () => number): number =>
      args.kind === "both" || args.kind === kind ? count() : 0;
    const touching =
      args.ref === null
        ? ofKind("node", () => statistics.nodesTouching(window)) +
          ofKind("edge", () => statistics.edgesTouching(window))
        : statistics.rowsOf(args.ref, window);
    const current = statistics.nodeVersions() + statistics.edgeVersions();
    const isEnded = args.belief === "superseded" || args.ended_by !== null;
    const all = Math.min(touching, isEnded ? statistics.versionRows() - current : Number.POSITIVE_INFINITY);
    if (args.tx_window === null) return { rows: all, steps: 0 };
    const { from, to } = commitsOf(args.tx_window, statistics);
    return { rows: Math.min(all, statistics.txChanges(from, to)), steps: 0 };
  },
  suggest: (args, statistics, fits) => [
    ...suggestWindow(args.window, statistics, fits, statistics.wholeExtent()),
    ...suggestTxWindow(args.tx_window, statistics, fits),
    ...(args.ended_by === null && args.belief === "all"
      ? [{ args_patch: { ended_by: [...ENDS] }, why: "leave out what is believed at the pin" }]
      : []),
    ...(args.ref === null && args.kind !== "edge" ? (args.where.node?.uids ?? []) : [])
      .slice(0, 1)
      .map((uid) => ({ args_patch: { ref: { uid } }, why: "ask for one entity" })),
  ],
  examples: [
    {
      title: "what is believed no more, and why",
      store: S2,
      args: { belief: "superseded" },
      envelope: whole(
        "version_history",
        5,
        { ...DEFAULTS, belief: "superseded" },
        [
          row({ ...A_FIRST, tx_to: txTime(5), ended_tx: 5, ended_by: "overwritten" }),
          R_CLOSED,
          row({
            kind: "edge",
            src: "b",
            type: "S",
            dst: "c",
            key: "",
            props: { w: 2 },
            valid_from: at(20),
            tx: 2,
            tx_from: txTime(2),
            tx_to: txTime(4),
            ended_tx: 4,
            ended_by: "retracted",
          }),
        ],
        { totals: { current: 0, superseded: 3, overwritten: 1, retracted: 1, corrected: 1 } },
      ),
    },
    {
      title: "the log of one edge without its properties",
      store: S2,
      args: { ref: { src: "a", type: "R", dst: "b" }, tx_window: { from: null, to: "tx:3" }, props: null },
      envelope: whole(
        "version_history",
        5,
        {
          ...DEFAULTS,
          ref: { src: "a", type: "R", dst: "b", key: "" },
          tx_window: { from: null, to: txTime(3) },
          props: null,
        },
        [{ ...R_CLOSED, props: null }],
        { totals: { current: 0, superseded: 1, overwritten: 0, retracted: 0, corrected: 1 } },
      ),
    },
    {
      title: "at a pin before the correction nothing shows of it",
      store: S2,
      args: { kind: "edge", ref: { src: "a", type: "R", dst: "b" }, as_of_tt: "tx:2" },
      envelope: whole(
        "version_history",
        2,
        { ...DEFAULTS, kind: "edge", ref: { src: "a", type: "R", dst: "b", key: "" } },
        [row(R_FIRST)],
        { totals: { current: 1, superseded: 0, overwritten: 0, retracted: 0, corrected: 0 } },
      ),
    },
  ],
});
