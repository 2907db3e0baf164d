// O7 on the native engine: one call for the events of a page, and one for what is shown of them.
// Turns arguments into a question and events into rows.
import { formatDuration } from "../../contract/duration.js";
import type { WhereArgument } from "../../contract/schemas.js";
import type { JsonObject } from "../../contract/values.js";
import { findMotifs, type MotifInstances } from "../../native/motifs.js";
import type { NativeView } from "../../native/store.js";
import { pageOf, type RunAnswer, type RunContext } from "../engine.js";
import { codesOf, type MotifArgument } from "../motif-argument.js";
import { type CodeEdge, edgesOf, gridCellOf } from "../motif-codes.js";
import type { Projection } from "./columns.js";
import { fetchEvents } from "./fetch.js";
import { encodeWhere } from "./filter-buffer.js";
import { motifQuestion } from "./motif-question.js";
import { withStop } from "./native-run.js";
import { after, inSlices } from "./page-slices.js";

/** Who stands for each letter, in the order of the letters. */
function nodesOf(pattern: readonly CodeEdge[], events: readonly JsonObject[]): JsonObject {
  const nodes: JsonObject = {};
  for (const [i, { src, dst }] of pattern.entries()) {
    nodes[src] = events[i]!.src!;
    nodes[dst] = events[i]!.dst!;
  }
  return nodes;
}

export function runFindTemporalMotifs(
  view: NativeView,
  args: JsonObject,
  context: RunContext,
): RunAnswer | Promise<RunAnswer> {
  const { from, to } = pageOf(context, 0)!;
  const motifs = codesOf(args.motif as unknown as MotifArgument).map((code) => ({
    code,
    grid: gridCellOf(code),
    pattern: edgesOf(code),
  }));
  const length = motifs[0]!.pattern.length;
  const shown = ([eventRows, cells, spans, total]: MotifInstances): RunAnswer | Promise<RunAnswer> => {
    const rowsFrom = (first: number, count: number): JsonObject[] => {
      const shownCells = Array.from(cells.subarray(first, first + count));
      const ofThem = eventRows.subarray(first * length, (first + count) * length);
      const events = fetchEvents(view, ofThem, args.props as unknown as Projection);
      return shownCells.map((cell, i) => {
        const { code, grid, pattern } = motifs[cell]!;
        const edges = events.slice(i * length, (i + 1) * length);
        return { motif: code, grid, nodes: nodesOf(pattern, edges), edges, span: formatDuration(spans[first + i]!) };
      });
    };
    return after(inSlices(rowsFrom), (rows) => ({ lists: [{ rows, total: Number(total) }], fields: {} }));
  };
  const where = encodeWhere(args.where as unknown as WhereArgument);
  return after(
    withStop(context, (stop) => findMotifs(view, stop, where, motifQuestion(args), from, to - from)),
    shown,
  );
}
