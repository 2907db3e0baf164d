// O6 on the native engine: one call for all counts.
// Turns arguments into a question and counts into rows.
import type { WhereArgument } from "../../contract/schemas.js";
import type { JsonObject } from "../../contract/values.js";
import { countMotifs, type MotifCounts } from "../../native/motifs.js";
import type { NativeView } from "../../native/store.js";
import { pageOf, type RunAnswer, type RunContext } from "../engine.js";
import { codesOf, type MotifArgument } from "../motif-argument.js";
import { gridCellOf, paperNameOf } from "../motif-codes.js";
import { encodeWhere } from "./filter-buffer.js";
import { countNumber, motifQuestion } from "./motif-question.js";
import { withStop } from "./native-run.js";
import { after } from "./page-slices.js";

export function runCountTemporalMotifs(
  view: NativeView,
  args: JsonObject,
  context: RunContext,
): RunAnswer | Promise<RunAnswer> {
  const { from, to } = pageOf(context, 0)!;
  const shown = ([counts, total, events]: MotifCounts): RunAnswer => {
    const rows = codesOf(args.motif as unknown as MotifArgument)
      .map((code, i) => ({
        motif: code,
        grid: gridCellOf(code),
        name: paperNameOf(code),
        count: countNumber(counts[i]!),
      }))
      .sort((a, b) => (a.motif < b.motif ? -1 : 1));
    return {
      lists: [{ rows: rows.slice(from, to), total: rows.length }],
      fields: { count: countNumber(total), events },
    };
  };
  const where = encodeWhere(args.where as unknown as WhereArgument);
  return after(
    withStop(context, (stop) => countMotifs(view, stop, where, motifQuestion(args))),
    shown,
  );
}
