// The windows that notes are of: whole periods of a stride, those in which something began.
import { bucketsOf } from "../../calendar/buckets.js";
import { parseStride } from "../../contract/duration.js";
import { PalimpsestError } from "../../contract/errors.js";
import { BEGINNING_US, formatInstant, LAST_INSTANT_US } from "../../contract/instant.js";
import type { OperatorEngine } from "../../operators/engine.js";
import { callOperator } from "../../operators/pipeline.js";
import type { NoteWindow } from "./note-plan.js";

export const MOST_TILES = 5_000;
const US_PER_DAY = 86_400_000_000n;
/** Days that a calendar unit has at most. */
const DAYS: Readonly<Record<"D" | "W" | "M" | "Y", bigint>> = { D: 1n, W: 7n, M: 31n, Y: 366n };
const UTC = "UTC";

function tooLong(stride: string): PalimpsestError {
  return new PalimpsestError("E_INVALID_ARG", `the stride ${stride} is longer than all of time`, {
    details: { path: "stride" },
    hint: "write P7D, or another length that fits the data",
  });
}

/** From the beginning of the period that holds `fromUs` to the end of the one that holds `lastUs`. */
function wholePeriods(strideText: string, fromUs: bigint, lastUs: bigint): { fromUs: bigint; toUs: bigint } {
  const stride = parseStride(strideText, "stride");
  if (stride.kind === "exact") {
    const floor = (us: bigint): bigint => us - (((us % stride.us) + stride.us) % stride.us);
    return { fromUs: floor(fromUs), toUs: floor(lastUs) + stride.us };
  }
  const spanUs = BigInt(stride.count) * DAYS[stride.unit] * US_PER_DAY;
  const holding = (us: bigint) => {
    const [low, high] = [us - spanUs, us + spanUs + 1n];
    if (low < BEGINNING_US || high > LAST_INSTANT_US) throw tooLong(strideText);
    return bucketsOf(strideText, UTC, low, high, 0, 4).find((bucket) => bucket.fromUs <= us && us < bucket.toUs)!;
  };
  return { fromUs: holding(fromUs).fromUs, toUs: holding(lastUs).toUs };
}

/** In order of time. E_LIMIT where they are more than notes are made of. */
export async function tilesOf(
  engine: OperatorEngine,
  tx: number,
  stride: string,
  signal: AbortSignal,
): Promise<readonly NoteWindow[]> {
  const view = engine.pin(tx);
  const extent = (() => {
    try {
      return view.statistics().extent();
    } finally {
      view.release();
    }
  })();
  if (extent === null) return [];
  const { fromUs, toUs } = wholePeriods(stride, extent.fromUs, extent.toUs - 1n);
  if (fromUs < BEGINNING_US || toUs > LAST_INSTANT_US) throw tooLong(stride);
  const args = {
    window: { from: formatInstant(fromUs), to: formatInstant(toUs) },
    group_by: [{ dim: "bucket", stride }],
    aggregates: [{ fn: "count" }],
    as_of_tt: `tx:${tx}`,
    limit: MOST_TILES,
  };
  const { rows, rows_total: total } = await callOperator(engine, "aggregate_events", args, { signal });
  if ((total ?? 0) > MOST_TILES) {
    throw new PalimpsestError("E_LIMIT", `${total} periods of ${stride} have events`, {
      details: { path: "stride", limit: MOST_TILES },
      hint: "take a longer stride",
    });
  }
  return (rows ?? []).map(({ from, to }) => ({ from: from as string, to: to as string }));
}
