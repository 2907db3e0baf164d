// O11: pairs of facts whose valid times stand in given Allen relations.
// The whole contract of the operator; engines only give the rows.
import { Type } from "typebox";
import { ALLEN_RELATIONS } from "../contract/allen.js";
import { EdgeSpan, instant, instantOpen, oneOf, orNull, text } from "../contract/output-schemas.js";
import {
  COMMON_ARGUMENTS,
  choice,
  closed,
  Duration,
  described,
  nullable,
  setOf,
  Uid,
  Where,
  Window,
  withDefault,
} from "../contract/schemas.js";
import type { JsonObject } from "../contract/values.js";
import { invalid } from "./canonical-args.js";
import { estimatePairs, halvedGaps } from "./co-active-cost.js";
import { declareOperator } from "./declaration.js";
import { at, echo, S1, S2, whole } from "./example-stores.js";
import { ALLEN_TABLE } from "./manual-tables/allen.js";
import { suggestWindow } from "./suggestions.js";

const MOST_NAMES = 64;

const End = Type.Enum(["src", "dst"]);
const Selection = closed(
  {
    src: described(withDefault(nullable(Uid), null), "only facts from this node; null: any"),
    dst: described(withDefault(nullable(Uid), null), "only facts to it; null: any"),
    where: described(withDefault(Where, {}), "filter on edges and their ends"),
  },
  { title: "Selection" },
);
const OVERLAP_PAIR = ["from", "to"] as const;
const Row = closed({
  a: described(EdgeSpan, "the fact on one side"),
  b: described(EdgeSpan, "the fact on the other"),
  relation: oneOf([...ALLEN_RELATIONS], "how a's interval stands to b's"),
  overlap: orNull(
    closed(
      {
        from: instant("when both began to hold", { pair: OVERLAP_PAIR }),
        to: instantOpen("when the first of them stopped", { pair: OVERLAP_PAIR }),
      },
      { description: "when both held" },
    ),
  ),
  gap: orNull(text("before and after: the time between them", { kind: "duration" })),
});

const { where: ALL, ...COMMON } = echo(0, {});
const DEFAULTS = { on: [], min_gap: null, max_gap: null, window: null, unordered: false };
const selection = (where: JsonObject = {}): JsonObject => ({
  src: null,
  dst: null,
  where: { ...(ALL as JsonObject), ...where },
});

/** The envelope of a call without `where`. */
function answered(tx: number, args: JsonObject, rows: JsonObject[]): JsonObject {
  const echoed = { ...COMMON, ...DEFAULTS, a: selection(), b: selection(), ...args, as_of_tt: `tx:${tx}` };
  return { ...whole("co_active", tx, {}, rows, {}), args: echoed };
}

type Ends = readonly [from: string, to: string | null];
const span = (src: string, type: string, dst: string, [valid_from, valid_to]: Ends, key = ""): JsonObject => ({
  src,
  type,
  dst,
  key,
  valid_from,
  valid_to,
});
const event = (src: string, dst: string, key: string, seconds: number): JsonObject =>
  span(src, "M", dst, [at(seconds), at(seconds).replace("Z", ".000001Z")], key);
const S_FACT = span("b", "S", "c", [at(20), at(70)]);

export const coActive = declareOperator({
  name: "co_active",
  aliases: [],
  version: 1,
  summary: "Pairs of facts whose valid times stand in given Allen relations.",
  doc: `Every pair of a fact of \`a\` and a fact of \`b\`, never one with itself, whose intervals stand in one of the
\`relations\`. Facts are spans under the filter of their selection, so the fragments that a correction leaves never meet
each other. \`on\` asks that ends agree, as in \`[["dst", "src"]]\`: a's dst is b's src. \`before\` and \`after\` need a
\`max_gap\`. Both facts touch the window; their intervals are shown uncut. \`unordered\` keeps of two mirrored pairs the one
whose a comes first.`,
  args: closed({
    a: described(Selection, "the facts on one side"),
    b: described(Selection, "the facts on the other"),
    relations: described(
      Type.Union([
        setOf(Type.Enum([...ALLEN_RELATIONS], { title: "Relation" }), { maxItems: MOST_NAMES }),
        Type.Literal("intersects"),
      ]),
      'how the interval of a may stand to that of b: names of the table below, or "intersects" for all in which they share an instant',
    ),
    on: described(
      withDefault(
        Type.Union([
          setOf(Type.Array(End, { minItems: 2, maxItems: 2 }), { maxItems: MOST_NAMES }),
          choice({
            pair: "the same src and the same dst",
            unordered_pair: "the same two ends in either direction",
            any_node: "at least one end in common",
          }),
        ]),
        [],
      ),
      "ends that must agree, each as [end of a, end of b], or a name",
    ),
    min_gap: described(
      withDefault(nullable(Duration), null),
      "least time between the two, with before and after alone; null: any",
    ),
    max_gap: described(
      withDefault(nullable(Duration), null),
      "longest time between the two; required with before and after",
    ),
    window: described(
      withDefault(nullable(Window), null),
      "both facts touch it, and are shown uncut; null: all of valid time",
    ),
    unordered: described(withDefault(Type.Boolean(), false), "of two mirrored pairs keep the one whose a comes first"),
    ...COMMON_ARGUMENTS,
  }),
  tables: [ALLEN_TABLE],
  output: closed({ rows: Type.Array(Row) }),
  lists: [{ field: "rows", order: "a's (valid_from, src, type, dst, key), then b's" }],
  subjects: { paths: ["a.src", "a.dst", "b.src", "b.dst"], introduces: true },
  pins: { envelope: "as_of_tt", other: null },
  reduces: false,
  determinism:
    "Spans of one edge begin at different instants, so (valid_from, identity) orders each side without ties.",
  errors: [
    {
      code: "E_NOT_FOUND",
      when: "a named end is not known at the pin",
      args: { a: { src: "nobody" }, b: {}, relations: "intersects" },
    },
    {
      code: "E_INVALID_ARG",
      when: "before or after is asked without max_gap",
      args: { a: {}, b: {}, relations: ["before"] },
    },
    {
      code: "E_INVALID_ARG",
      when: "a gap is bounded where neither before nor after is asked",
      args: { a: {}, b: {}, relations: ["meets"], max_gap: "PT1H" },
    },
  ],
  judge({ relations, min_gap, max_gap }, report) {
    const hasGap = relations !== "intersects" && (relations.includes("before") || relations.includes("after"));
    if (hasGap && max_gap === null) {
      report(invalid("before and after need a longest gap", "/max_gap", "write PT1H, or leave these relations out"));
    }
    for (const [name, gap] of Object.entries({ min_gap, max_gap })) {
      if (!hasGap && gap !== null) {
        report(invalid(`${gap} bounds a gap, but neither before nor after is asked`, `/${name}`, "leave it out"));
      }
    }
  },
  cost: estimatePairs,
  suggest: (args, statistics, fits) => [
    ...suggestWindow(args.window, statistics, fits),
    ...(args.on.length === 0
      ? [{ args_patch: { on: "pair" }, why: "pair only facts between the same two nodes" }]
      : []),
    ...halvedGaps(args, fits),
  ],
  examples: [
    {
      title: "a correction inside a fact does not cut it",
      store: S2,
      args: { a: { where: { types: ["S"] } }, b: { where: { types: ["R"] } }, relations: "intersects" },
      envelope: answered(
        5,
        { a: selection({ types: ["S"] }), b: selection({ types: ["R"] }), relations: "intersects" },
        [
          {
            a: S_FACT,
            b: span("a", "R", "b", [at(0), at(100)]),
            relation: "during",
            overlap: { from: at(20), to: at(70) },
            gap: null,
          },
        ],
      ),
    },
    {
      title: "a filter on properties does",
      store: S2,
      args: {
        a: { where: { types: ["S"] } },
        b: { where: { types: ["R"], edge: [{ prop: "w", op: "eq", value: 1 }] } },
        relations: "intersects",
      },
      envelope: answered(
        5,
        {
          a: selection({ types: ["S"] }),
          b: selection({ types: ["R"], edge: [{ prop: "w", op: "eq", value: 1 }] }),
          relations: "intersects",
        },
        [
          {
            a: S_FACT,
            b: span("a", "R", "b", [at(0), at(40)]),
            relation: "overlapped_by",
            overlap: { from: at(20), to: at(40) },
            gap: null,
          },
          {
            a: S_FACT,
            b: span("a", "R", "b", [at(60), at(100)]),
            relation: "overlaps",
            overlap: { from: at(60), to: at(70) },
            gap: null,
          },
        ],
      ),
    },
    {
      title: "who passes something on within three seconds",
      store: S1,
      args: { a: {}, b: {}, relations: ["before"], on: [["dst", "src"]], max_gap: "PT3S" },
      envelope: answered(1, { relations: ["before"], on: [["dst", "src"]], max_gap: "PT3S" }, [
        {
          a: event("a", "b", "k1", 10),
          b: event("b", "a", "k3", 12),
          relation: "before",
          overlap: null,
          gap: "PT1.999999S",
        },
        {
          a: event("a", "b", "k1", 10),
          b: event("b", "c", "k2", 12),
          relation: "before",
          overlap: null,
          gap: "PT1.999999S",
        },
        {
          a: event("b", "c", "k2", 12),
          b: event("c", "a", "k4", 15),
          relation: "before",
          overlap: null,
          gap: "PT2.999999S",
        },
      ]),
    },
    {
      title: "facts of one interval, each pair once",
      store: S1,
      args: { a: {}, b: {}, relations: ["equals"], unordered: true },
      envelope: answered(1, { relations: ["equals"], unordered: true }, [
        {
          a: event("b", "a", "k3", 12),
          b: event("b", "c", "k2", 12),
          relation: "equals",
          overlap: { from: at(12), to: at(12).replace("Z", ".000001Z") },
          gap: null,
        },
      ]),
    },
  ],
});
