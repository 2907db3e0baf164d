// O7: the instances that count_temporal_motifs counts.
// The whole contract of the operator; engines only give the rows.
import { Type } from "typebox";
import { EDGE_IDENTITY, instant, int, json, orNull, PROPS, text } from "../contract/output-schemas.js";
import { closed, described, Projection, withDefault } from "../contract/schemas.js";
import type { JsonObject } from "../contract/values.js";
import { declareOperator } from "./declaration.js";
import { at, S1, whole } from "./example-stores.js";
import { MOTIF_TABLES } from "./manual-tables/motifs.js";
import {
  completeMotif,
  edgeCountOf,
  judgeMotif,
  MOTIF_ARGUMENTS,
  motifCost,
  suggestForMotif,
} from "./motif-argument.js";

const DEFAULTS = { window: null, ties: "by_seq", props: null };

/** An event of S1. */
const event = (
  seq: number,
  src: string,
  dst: string,
  seconds: number,
  props: JsonObject | null = null,
): JsonObject => ({
  src,
  type: "M",
  dst,
  key: `k${seq}`,
  at: at(seconds),
  seq,
  props,
});
const CYCLE = {
  motif: "a>b,b>c,c>a",
  grid: "M24",
  nodes: { a: "a", b: "b", c: "c" },
  edges: [event(1, "a", "b", 10), event(2, "b", "c", 12), event(4, "c", "a", 15)],
  span: "PT5S",
};

export const findTemporalMotifs = declareOperator({
  name: "find_temporal_motifs",
  aliases: ["find_temporal_motif_instances"],
  version: 1,
  summary: "The instances of a motif: which events, and who stands for which letter.",
  doc: `Arguments and instances are those of count_temporal_motifs, whose \`count\` is the number of rows here. Each row has
its events in the order of the pattern's edges.`,
  args: closed({
    ...MOTIF_ARGUMENTS,
    props: described(withDefault(Projection, null), "properties to show of each event"),
  }),
  tables: MOTIF_TABLES,
  output: closed({
    rows: Type.Array(
      closed({
        motif: text("the motif as a code"),
        grid: orNull(text("its cell of the grid")),
        nodes: json("by letter, the uid of the node that stands for it"),
        edges: Type.Array(
          closed({
            ...EDGE_IDENTITY,
            at: instant("when the event began"),
            seq: int("number of the edge identity", "1"),
            props: orNull(PROPS),
          }),
        ),
        span: Type.Unsafe<string>({
          type: "string",
          kind: "duration",
          description: "from the first event to the last",
          unit: "µs",
        }),
      }),
    ),
  }),
  lists: [{ field: "rows", order: "(at, seq) of the events in pattern order, then motif" }],
  subjects: { paths: [], introduces: false },
  pins: { envelope: "as_of_tt", other: null },
  reduces: false,
  determinism: "The events of a row, in order, fix the row, and events are ordered by (at, seq), which is total.",
  errors: [
    {
      code: "E_INVALID_ARG",
      when: "the motif is malformed, does not hang together, or is too large; the hint has the nearest legal one",
      args: { motif: "a>b;b>c", delta: "PT5S" },
    },
    { code: "E_INVALID_ARG", when: "delta is negative", args: { motif: "M24", delta: "-PT5S" } },
  ],
  judge: judgeMotif,
  complete: completeMotif,
  cost(args, statistics) {
    return motifCost(args, statistics, args.limit, edgeCountOf(args.motif));
  },
  suggest: suggestForMotif,
  examples: [
    {
      title: "the one cyclic triangle; delta is inclusive",
      store: S1,
      args: { motif: "M24", delta: "PT5S" },
      envelope: whole("find_temporal_motifs", 1, { ...DEFAULTS, motif: "a>b,b>c,c>a", delta: "PT5S" }, [CYCLE], {}),
    },
    {
      title: "none within a microsecond less",
      store: S1,
      args: { motif: "M24", delta: "PT4.999999S" },
      envelope: whole("find_temporal_motifs", 1, { ...DEFAULTS, motif: "a>b,b>c,c>a", delta: "PT4.999999S" }, [], {}),
    },
    {
      title: "a pattern that is no cell of the grid, with properties",
      store: S1,
      args: { motif: "a>b,b>a", delta: "PT3S", props: "all" },
      envelope: whole(
        "find_temporal_motifs",
        1,
        { ...DEFAULTS, motif: "a>b,b>a", delta: "PT3S", props: "all" },
        [
          {
            motif: "a>b,b>a",
            grid: null,
            nodes: { a: "a", b: "b" },
            edges: [event(1, "a", "b", 10, {}), event(3, "b", "a", 12, {})],
            span: "PT2S",
          },
        ],
        {},
      ),
    },
  ],
});
