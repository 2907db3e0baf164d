// O9 on the native engine: boundaries of all buckets in, the flagged ones of the page out.
import type { WhereArgument } from "../../contract/schemas.js";
import type { JsonObject } from "../../contract/values.js";
import { BURST_CELLS, type BurstRules, burstSeries } from "../../native/series.js";
import type { NativeView } from "../../native/store.js";
import { type Boundaries, boundariesOf } from "../bucket-boundaries.js";
import { targetNode } from "../burst-detection.js";
import { pageOf, type RunAnswer, type RunContext } from "../engine.js";
import { formatInstants } from "./fetch.js";
import { encodeWhere } from "./filter-buffer.js";
import { withStop } from "./native-run.js";
import { inSlices } from "./page-slices.js";
import { bucketsOfArguments, nodeAt } from "./series.js";

function rulesOf(args: JsonObject, { isFirstPartial, isLastPartial }: Boundaries): BurstRules {
  const isRatio = args.method === "ratio";
  return {
    isRatio,
    up: args.sides !== "down",
    down: args.sides !== "up",
    history: args.w as number,
    minHistory: args.min_history as number,
    threshold: Number(isRatio ? args.r : args.z),
    minChange: BigInt(args.min_change as number),
    isFirstPartial,
    isLastPartial,
  };
}

export async function runBurstDetection(view: NativeView, args: JsonObject, context: RunContext): Promise<RunAnswer> {
  const { count, window } = bucketsOfArguments(args);
  if (count === 0) return { lists: [{ rows: [], total: 0 }], fields: { n_buckets: 0, judged: 0, not_judged: 0 } };
  const page = pageOf(context, 0)!;
  const boundaries = await boundariesOf(window, 0, count);
  const where = encodeWhere(args.where as unknown as WhereArgument);
  const node = nodeAt(targetNode(args.target as Parameters<typeof targetNode>[0]));
  const rules = rulesOf(args, boundaries);
  const [cells, total, judged] = await withStop(context, (stop) =>
    burstSeries(view, stop, where, node, boundaries.us, rules, page.from, page.to - page.from),
  );

  const shown = cells.length / BURST_CELLS;
  const bucketOf = (row: number): number => cells[row * BURST_CELLS]!;
  const ends = (end: number) =>
    formatInstants(BigInt64Array.from({ length: shown }, (_, row) => boundaries.us[bucketOf(row) + end]!));
  const [froms, tos] = [ends(0), ends(1)];
  const readRow = (row: number): JsonObject => {
    const [, value, baseline, spread, score, isUp, history] = cells.subarray(row * BURST_CELLS);
    const hasScore = !Number.isNaN(score);
    return {
      from: froms[row]!,
      to: tos[row]!,
      value: value!,
      baseline: baseline!,
      spread: Number.isNaN(spread) ? null : spread!,
      score: hasScore ? score! : null,
      reason: hasScore ? null : rules.isRatio ? "zero_baseline" : "zero_spread",
      side: isUp === 1 ? "up" : "down",
      history: history!,
    };
  };
  const rows = await inSlices((done, most) =>
    Array.from({ length: Math.min(most, shown - done) }, (_, i) => readRow(done + i)),
  );
  return { lists: [{ rows, total }], fields: { n_buckets: count, judged, not_judged: count - judged } };
}
