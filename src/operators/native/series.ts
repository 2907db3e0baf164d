// O8 on the native engine: boundaries of the page's buckets in, a value per bucket and metric out.
// Only the buckets that the page shows are counted.
import { METRICS } from "../../contract/graph-metrics.js";
import type { WhereArgument, WindowArgument } from "../../contract/schemas.js";
import type { JsonObject } from "../../contract/values.js";
import { metricSeries, type NativeNode, NODE_ROLES } from "../../native/series.js";
import type { NativeView } from "../../native/store.js";
import { boundariesOf, type ClosedWindow } from "../bucket-boundaries.js";
import { countOfWindow } from "../bucketed-window.js";
import { type EventQuestion, pageOf, type RunAnswer, type RunContext } from "../engine.js";
import { formatInstants } from "./fetch.js";
import { encodeWhere } from "./filter-buffer.js";
import { withStop } from "./native-run.js";
import { inSlices } from "./page-slices.js";
import { windowEnds } from "./question.js";

export function nodeAt(node: EventQuestion["node"]): NativeNode {
  return node === null ? null : [node.uid, NODE_ROLES.indexOf(node.role)];
}

/** The buckets of the arguments; their window may be open only where there are none. */
export function bucketsOfArguments(args: JsonObject): { count: number; window: ClosedWindow } {
  const stride = args.stride as string;
  const zone = args.zone as string;
  const argument = args.window as unknown as WindowArgument | null;
  const { from, to } = windowEnds(argument);
  return { count: countOfWindow(stride, zone, argument), window: { stride, zone, fromUs: from ?? 0n, toUs: to ?? 0n } };
}

export async function runGraphMetricTimeseries(
  view: NativeView,
  args: JsonObject,
  context: RunContext,
): Promise<RunAnswer> {
  const metrics = args.metric as readonly (typeof METRICS)[number][];
  const { count, window } = bucketsOfArguments(args);
  const page = pageOf(context, 0)!;
  const total = count * metrics.length;
  const fields = { n_buckets: count };
  const to = Math.min(page.to, total);
  if (page.from >= to) return { lists: [{ rows: [], total }], fields };

  const first = Math.floor(page.from / metrics.length);
  const shown = Math.ceil(to / metrics.length) - first;
  const { us, isFirstPartial, isLastPartial } = await boundariesOf(window, first, shown);
  const where = encodeWhere(args.where as unknown as WhereArgument);
  const node = nodeAt(args.node as unknown as EventQuestion["node"]);
  const codes = Uint8Array.from(metrics, (metric) => METRICS.indexOf(metric));
  const values = await withStop(context, (stop) => metricSeries(view, stop, where, node, us, codes));

  const texts = formatInstants(us);
  const skipped = page.from - first * metrics.length;
  const rows = await inSlices((done, most) =>
    Array.from({ length: Math.min(most, to - page.from - done) }, (_, i): JsonObject => {
      const cell = skipped + done + i;
      const bucket = Math.floor(cell / metrics.length);
      const value = values[cell]!;
      return {
        from: texts[bucket]!,
        to: texts[bucket + 1]!,
        partial: (bucket === 0 && isFirstPartial) || (bucket === shown - 1 && isLastPartial),
        metric: metrics[cell - bucket * metrics.length]!,
        value: Number.isNaN(value) ? null : value,
      };
    }),
  );
  return { lists: [{ rows, total }], fields };
}
