// O6: how often a temporal motif occurs within delta.
// The whole contract of the operator; engines only give the counts.
import { Type } from "typebox";
import { int, orNull, text } from "../contract/output-schemas.js";
import { closed } from "../contract/schemas.js";
import type { JsonObject } from "../contract/values.js";
import { declareOperator } from "./declaration.js";
import { at, S1, whole } from "./example-stores.js";
import { MOTIF_TABLES } from "./manual-tables/motifs.js";
import { codesOf, completeMotif, judgeMotif, MOTIF_ARGUMENTS, motifCost, suggestForMotif } from "./motif-argument.js";

const DEFAULTS = { window: null, ties: "by_seq" };

/** The 36 codes by code point, each with its cell of the grid and the name of some. */
const CELLS: readonly (readonly [code: string, grid: string, name?: string])[] = [
  ["a>b,a>b,a>b", "M61"],
  ["a>b,a>b,a>c", "M63"],
  ["a>b,a>b,b>a", "M62"],
  ["a>b,a>b,b>c", "M65"],
  ["a>b,a>b,c>a", "M64"],
  ["a>b,a>b,c>b", "M66"],
  ["a>b,a>c,a>b", "M41"],
  ["a>b,a>c,a>c", "M43"],
  ["a>b,a>c,b>a", "M42"],
  ["a>b,a>c,b>c", "M45", "M_triangle_acyclic_1"],
  ["a>b,a>c,c>a", "M44"],
  ["a>b,a>c,c>b", "M46"],
  ["a>b,b>a,a>b", "M51", "M_2node_pingpong"],
  ["a>b,b>a,a>c", "M53"],
  ["a>b,b>a,b>a", "M52"],
  ["a>b,b>a,b>c", "M55"],
  ["a>b,b>a,c>a", "M54"],
  ["a>b,b>a,c>b", "M56"],
  ["a>b,b>c,a>b", "M21"],
  ["a>b,b>c,a>c", "M23"],
  ["a>b,b>c,b>a", "M22"],
  ["a>b,b>c,b>c", "M25"],
  ["a>b,b>c,c>a", "M24", "M_triangle_cyclic"],
  ["a>b,b>c,c>b", "M26"],
  ["a>b,c>a,a>b", "M31"],
  ["a>b,c>a,a>c", "M33"],
  ["a>b,c>a,b>a", "M32"],
  ["a>b,c>a,b>c", "M35"],
  ["a>b,c>a,c>a", "M34"],
  ["a>b,c>a,c>b", "M36"],
  ["a>b,c>b,a>b", "M11"],
  ["a>b,c>b,a>c", "M13"],
  ["a>b,c>b,b>a", "M12"],
  ["a>b,c>b,b>c", "M15"],
  ["a>b,c>b,c>a", "M14"],
  ["a>b,c>b,c>b", "M16"],
];

/** All 36 rows, with the counts of some cells. */
const grid = (counts: Readonly<Record<string, number>>): JsonObject[] =>
  CELLS.map(([motif, cell, name]) => ({ motif, grid: cell, name: name ?? null, count: counts[cell] ?? 0 }));

export const countTemporalMotifs = declareOperator({
  name: "count_temporal_motifs",
  aliases: [],
  version: 1,
  summary: "How many ordered sets of events match a motif within delta.",
  doc: `An instance assigns different events to the pattern's edges, in time order, so that letters bind nodes
consistently, different letters bind different nodes, and the last event begins at most \`delta\` after the first. \`ties\`
says which of two tied events may come first: \`by_seq\` the one with the lower number, \`strict\` neither, \`allow\` either.
The motif is a code such as "a>b,b>c,c>a", a cell "M11" to "M66" of the grid, a paper name, "cycle:2" to "cycle:6", "all" for
the 36 of the grid, or an object with filters on edges and nodes. The price takes each event and, for each, the events at
a shared node within delta as the mean degree and delta's share of the extent of all events give them.`,
  args: closed(MOTIF_ARGUMENTS),
  tables: MOTIF_TABLES,
  output: closed({
    rows: Type.Array(
      closed({
        motif: text("the motif as a code"),
        grid: orNull(text("its cell of the grid")),
        name: orNull(text("its name in papers")),
        count: int("its instances", "instances"),
      }),
    ),
    count: int("the instances of all rows", "instances"),
    events: int("events in the window that pass, self-loops included", "events"),
  }),
  lists: [{ field: "rows", order: "motif", key: ["motif"] }],
  subjects: { paths: [], introduces: false },
  pins: { envelope: "as_of_tt", other: null },
  reduces: false,
  determinism:
    "Codes are different, so the order of rows has no ties; events are ordered by (at, seq), which is total.",
  errors: [
    {
      code: "E_INVALID_ARG",
      when: "the motif is malformed, does not hang together, or is too large; the hint has the nearest legal one",
      args: { motif: "a>b,c>d", delta: "PT5S" },
    },
    { code: "E_INVALID_ARG", when: "delta is negative", args: { motif: "M24", delta: "-PT5S" } },
    {
      code: "E_INVALID_ARG",
      when: "nodes names a letter that no edge has",
      args: { motif: { edges: [{ src: "a", dst: "b" }], nodes: { c: {} } }, delta: "PT5S" },
    },
  ],
  judge: judgeMotif,
  complete: completeMotif,
  cost(args, statistics) {
    return motifCost(args, statistics, codesOf(args.motif).length, 1);
  },
  suggest: suggestForMotif,
  examples: [
    {
      title: "all 36 motifs, tied events in the order of their numbers",
      store: S1,
      args: { motif: "all", delta: "PT5S" },
      envelope: whole(
        "count_temporal_motifs",
        1,
        { ...DEFAULTS, motif: "all", delta: "PT5S" },
        grid({ M22: 1, M24: 1, M45: 1, M54: 1 }),
        { count: 4, events: 5 },
      ),
    },
    {
      title: "tied events in no order",
      store: S1,
      args: { motif: "all", delta: "PT5S", ties: "strict" },
      envelope: whole(
        "count_temporal_motifs",
        1,
        { ...DEFAULTS, motif: "all", delta: "PT5S", ties: "strict" },
        grid({ M24: 1, M54: 1 }),
        { count: 2, events: 5 },
      ),
    },
    {
      title: "tied events in either order",
      store: S1,
      args: { motif: "all", delta: "PT5S", ties: "allow" },
      envelope: whole(
        "count_temporal_motifs",
        1,
        { ...DEFAULTS, motif: "all", delta: "PT5S", ties: "allow" },
        grid({ M22: 1, M24: 1, M45: 1, M46: 1, M54: 1, M55: 1 }),
        { count: 6, events: 5 },
      ),
    },
    {
      title: "one motif, by a code with other letters",
      store: S1,
      args: { motif: "x>y,y>x", delta: "PT2S" },
      envelope: whole(
        "count_temporal_motifs",
        1,
        { ...DEFAULTS, motif: "a>b,b>a", delta: "PT2S" },
        [{ motif: "a>b,b>a", grid: null, name: null, count: 1 }],
        { count: 1, events: 5 },
      ),
    },
    {
      title: "a pattern that asks something of its edges and nodes",
      store: S1,
      args: {
        motif: {
          edges: [
            { src: "p", dst: "q", types: ["M"] },
            { src: "q", dst: "r" },
          ],
          nodes: { q: { uids: ["b"] } },
        },
        delta: "PT2S",
        window: { from: at(0), to: at(20) },
      },
      envelope: whole(
        "count_temporal_motifs",
        1,
        {
          ...DEFAULTS,
          motif: {
            edges: [
              { src: "a", dst: "b", types: ["M"], edge: [] },
              { src: "b", dst: "c", types: null, edge: [] },
            ],
            nodes: { b: { uids: ["b"], labels: [], any_labels: null, props: [] } },
          },
          delta: "PT2S",
          window: { from: at(0), to: at(20) },
        },
        [{ motif: "a>b,b>c", grid: null, name: null, count: 1 }],
        { count: 1, events: 4 },
      ),
    },
  ],
});
