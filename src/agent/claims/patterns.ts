// Patterns over time, asked of the store again with the arguments of the step that a claim cites: bursts, concentration,
// trends. All arithmetic is on integers.
import { formatDuration } from "../../contract/duration.js";
import type { AnyEnvelope } from "../../contract/envelope.js";
import { type ErrorCode, PalimpsestError } from "../../contract/errors.js";
import { parseInstant } from "../../contract/parse-instant.js";
import type { JsonObject, JsonValue } from "../../contract/values.js";
import type { Cell } from "./cells.js";
import type { PatternClaim, Reason } from "./claim.js";
import type { Evidence, EvidenceStep } from "./evidence.js";

const FEWEST_TREND_BUCKETS = 6;
const MOST_TREND_BUCKETS = 2_000;
const PAGE = 10_000;

/** The metric that counts events. */
const EVENT_METRIC = "edge_event_count";
/** Arguments that two of the series operators share. */
const SHARED_ARGUMENTS = ["window", "zone", "where", "as_of_tt"] as const;

interface Bucket {
  readonly from: string;
  readonly to: string;
}

const pick = (args: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(names.flatMap((name) => (args[name] === undefined ? [] : [[name, args[name]]])));

/** What a step counts as a series of events: its arguments for the two operators of series; null where it is none. */
function seriesOf({ record }: EvidenceStep): { readonly bursts: JsonObject; readonly counts: JsonObject } | null {
  const args = record.args ?? {};
  const shared = pick(args, [...SHARED_ARGUMENTS, "stride"]);
  if (record.op === "burst_detection") {
    const { limit: _limit, cursor: _cursor, ...bursts } = args;
    const target = args.target as { readonly kind: string; readonly uid?: string; readonly role?: string };
    const node = target.kind === "node_activity" ? { uid: target.uid!, role: target.role! } : null;
    return { bursts, counts: { ...shared, metric: EVENT_METRIC, node } };
  }
  if (record.op !== "graph_metric_timeseries") return null;
  const metrics = typeof args.metric === "string" ? [args.metric] : (args.metric as readonly JsonValue[]);
  if (metrics.length !== 1 || metrics[0] !== EVENT_METRIC) return null;
  const node = args.node as { readonly uid: string; readonly role: string } | null;
  const target = node === null ? { kind: "edge_events" } : { kind: "node_activity", ...node };
  return { bursts: { ...shared, target }, counts: { ...shared, metric: EVENT_METRIC, node } };
}

/** All rows of a list, page by page. */
async function allRows(evidence: Evidence, op: string, args: JsonObject): Promise<readonly JsonObject[]> {
  const rows: JsonObject[] = [];
  let cursor: string | null = null;
  do {
    const page: AnyEnvelope = await evidence.store.call(op, {
      ...args,
      limit: PAGE,
      ...(cursor === null ? {} : { cursor }),
    });
    rows.push(...(page.rows ?? []));
    cursor = page.cursor;
  } while (cursor !== null);
  return rows;
}

/** The beginning and the end in the row of a cell. */
function bucketOf({ row }: Cell): Bucket | null {
  const [from, to] = [row?.from, row?.to];
  return typeof from === "string" && typeof to === "string" ? { from, to } : null;
}

async function burstProblem(
  evidence: Evidence,
  claim: PatternClaim,
  step: EvidenceStep,
  cell: Cell,
): Promise<Reason | null> {
  const series = seriesOf(step);
  const bucket = bucketOf(cell);
  if (series === null || bucket === null) return "not_a_series";
  const side = claim.direction ?? "up";
  const flagged = await allRows(evidence, "burst_detection", { ...series.bursts, sides: "both" });
  if (flagged.some((row) => row.from === bucket.from && row.to === bucket.to && row.side === side)) return null;
  return (await isJudged(evidence, series, bucket)) ? "pattern" : "short_history";
}

/** Whether a bucket is whole and has as many whole buckets before it as it takes to judge one. */
async function isJudged(
  evidence: Evidence,
  { bursts, counts }: { readonly bursts: JsonObject; readonly counts: JsonObject },
  bucket: Bucket,
): Promise<boolean> {
  const rows = await allRows(evidence, "graph_metric_timeseries", counts);
  const whole = rows.filter((row) => row.partial !== true);
  const position = whole.findIndex((row) => row.from === bucket.from && row.to === bucket.to);
  if (position < 0) return false;
  const asked = await evidence.store.call("burst_detection", { ...bursts, limit: 1 });
  return position >= (asked.args.min_history as number);
}

/** The events of a stretch, as one bucket. */
async function eventsIn(evidence: Evidence, counts: JsonObject, { from, to }: Bucket): Promise<bigint> {
  const stride = formatDuration(parseInstant(to, "") - parseInstant(from, ""));
  const one = { ...counts, window: { from, to }, stride, zone: "UTC" };
  const { rows } = await evidence.store.call("graph_metric_timeseries", one);
  return BigInt(rows![0]!.value as number | bigint);
}

async function concentrationProblem(
  evidence: Evidence,
  claim: PatternClaim,
  step: EvidenceStep,
  cell: Cell,
): Promise<Reason | null> {
  const series = seriesOf(step);
  const bucket = bucketOf(cell);
  const args = step.record.args ?? {};
  const window = args.window as { readonly from: string | null; readonly to: string | null } | null;
  if (series === null || bucket === null) return "not_a_series";
  // An end that stayed open: there was no event to end it at.
  if (window === null || window.from === null || window.to === null) return "no_events";
  const us = (text: string): bigint => parseInstant(text, "");
  const [fromUs, toUs] = [us(window.from), us(window.to)];
  const [bucketFromUs, bucketToUs] = [us(bucket.from), us(bucket.to)];
  const inWindow = await eventsIn(evidence, series.counts, { from: window.from, to: window.to });
  if (inWindow === 0n) return "no_events";
  if (bucketFromUs < fromUs || bucketToUs > toUs) return "pattern";
  const inBucket = await eventsIn(evidence, series.counts, bucket);
  const share = BigInt(claim.share!);
  const isMuch = 100n * inBucket >= share * inWindow;
  const isNarrow = 200n * (bucketToUs - bucketFromUs) <= share * (toUs - fromUs);
  return isMuch && isNarrow ? null : "pattern";
}

/** S of Mann and Kendall: the sum of the signs of all later minus earlier values. */
function kendallSum(values: readonly bigint[]): number {
  let sum = 0;
  for (let j = 1; j < values.length; j += 1) {
    for (let i = 0; i < j; i += 1) sum += values[j]! > values[i]! ? 1 : values[j]! < values[i]! ? -1 : 0;
  }
  return sum;
}

async function trendProblem(evidence: Evidence, claim: PatternClaim, step: EvidenceStep): Promise<Reason | null> {
  const series = seriesOf(step);
  if (series === null) return "not_a_series";
  const rows = await allRows(evidence, "graph_metric_timeseries", series.counts);
  const values = rows.filter((row) => row.partial !== true).map((row) => BigInt(row.value as number | bigint));
  if (values.length < FEWEST_TREND_BUCKETS) return "short_history";
  if (values.length > MOST_TREND_BUCKETS) return "too_many_buckets";
  const pairs = (values.length * (values.length - 1)) / 2;
  const sum = kendallSum(values);
  const found = 3 * sum >= pairs ? "up" : 3 * sum <= -pairs ? "down" : "flat";
  return found === claim.direction ? null : "pattern";
}

/** Errors that are not about what was asked. */
const OF_THE_STORE: readonly ErrorCode[] = [
  "E_CANCELLED",
  "E_CLOSED",
  "E_IO",
  "E_LOG_CORRUPT",
  "E_SEGMENT_CORRUPT",
  "E_INTERNAL",
];

/** What a second look says of a pattern. `cell` is that of the claim's `row`, of the step that it cites. */
export async function patternProblem(
  evidence: Evidence,
  claim: PatternClaim,
  step: EvidenceStep,
  cell: Cell | null,
): Promise<Reason | null> {
  try {
    if (claim.pattern === "trend") return await trendProblem(evidence, claim, step);
    if (cell === null) return "not_a_series";
    const isBurst = claim.pattern === "burst";
    return await (isBurst ? burstProblem : concentrationProblem)(evidence, claim, step, cell);
  } catch (error) {
    // What cannot be asked again cannot be shown; a store that fails is no verdict.
    if (error instanceof PalimpsestError && !OF_THE_STORE.includes(error.code)) return "not_a_series";
    throw error;
  }
}
