// Shapes over time, asked of the store again with what the cited step was asked.
// Whole numbers and instants in microseconds alone.
import type { PatternClaim } from "../../../src/agent/claims/claim.js";
import type { Evidence, EvidenceStep } from "../../../src/agent/claims/evidence.js";
import { formatDuration } from "../../../src/contract/duration.js";
import { PalimpsestError } from "../../../src/contract/errors.js";
import { formatInstant } from "../../../src/contract/instant.js";
import { parseInstant } from "../../../src/contract/parse-instant.js";
import type { JsonObject, JsonValue } from "../../../src/contract/values.js";
import { type Finding, refuted, unverifiable } from "./findings.js";

interface Bucket {
  readonly from: bigint;
  readonly to: bigint;
  readonly isPartial: boolean;
  readonly value: number;
}
interface Series {
  /** Window, stride, zone, filter, node and pin, as a series of counts takes them. */
  readonly args: JsonObject;
  /** Target, method and parameters, as a search for bursts takes them. */
  readonly bursts: JsonObject;
}

const us = (text: unknown): bigint => parseInstant(text, "");

function seriesOf({ record }: EvidenceStep): Series | undefined {
  const args = record.args as JsonObject;
  const { as_of_tt, window, stride, zone, where } = args;
  const common = { as_of_tt, window, stride, zone, where } as JsonObject;
  if (record.op === "burst_detection") {
    const { target, method, w, min_history, z, r, min_change } = args;
    const { kind, ...node } = target as JsonObject;
    return {
      args: { ...common, node: kind === "edge_events" ? null : node },
      bursts: { ...common, target, method, w, min_history, z, r, min_change } as JsonObject,
    };
  }
  if (record.op !== "graph_metric_timeseries") return undefined;
  const metrics = args.metric as string[];
  if (metrics.length !== 1 || metrics[0] !== "edge_event_count") return undefined;
  const node = args.node as JsonObject | null;
  const target: JsonObject = node === null ? { kind: "edge_events" } : { kind: "node_activity", ...node };
  return { args: { ...common, node }, bursts: { ...common, target } };
}

/** Every row of a call, page after page. */
async function allRows(evidence: Evidence, op: string, args: JsonObject): Promise<JsonObject[]> {
  const rows: JsonObject[] = [];
  let cursor: string | null = null;
  do {
    const page = await evidence.store.call(op, { ...args, limit: 10_000, cursor });
    rows.push(...(page.rows ?? []));
    cursor = page.cursor;
  } while (cursor !== null);
  return rows;
}

async function bucketsOf(evidence: Evidence, args: JsonObject): Promise<Bucket[]> {
  const rows = await allRows(evidence, "graph_metric_timeseries", { ...args, metric: "edge_event_count" });
  return rows.map((row) => ({
    from: us(row.from),
    to: us(row.to),
    isPartial: row.partial as boolean,
    value: Number(row.value),
  }));
}

export interface NamedInterval {
  readonly from: bigint;
  readonly to: bigint;
}

/** The interval of a row; nothing where the row has none. */
export function intervalOf(row: JsonValue): NamedInterval | undefined {
  const { from, to } = (row ?? {}) as JsonObject;
  return typeof from === "string" && typeof to === "string" ? { from: us(from), to: us(to) } : undefined;
}

async function burst(evidence: Evidence, series: Series, row: NamedInterval, side: string): Promise<Finding[]> {
  const buckets = await bucketsOf(evidence, series.args);
  const at = buckets.findIndex(({ from, to }) => from === row.from && to === row.to);
  if (at < 0) return [unverifiable("short_history")];
  const w = Number(series.bursts.w ?? 10);
  const least = Number(series.bursts.min_history ?? Math.min(3, w));
  const history = buckets.slice(0, at).filter(({ isPartial }) => !isPartial).length;
  if (buckets[at]!.isPartial || Math.min(w, history) < least) return [unverifiable("short_history")];
  const flagged = await allRows(evidence, "burst_detection", { ...series.bursts, sides: "both" });
  const isFlagged = flagged.some((each) => us(each.from) === row.from && each.side === side);
  return isFlagged ? [] : [refuted("pattern")];
}

async function concentration(
  evidence: Evidence,
  series: Series,
  row: NamedInterval,
  share: number,
): Promise<Finding[]> {
  const { from, to } = (series.args.window ?? { from: null, to: null }) as JsonObject;
  if (from === null || to === null) return [unverifiable("no_events")];
  const window = { from: us(from), to: us(to) };
  const eventsIn = async (stretch: NamedInterval): Promise<bigint> => {
    const asked = { from: formatInstant(stretch.from), to: formatInstant(stretch.to) };
    const stride = formatDuration(stretch.to - stretch.from);
    const [bucket] = await bucketsOf(evidence, { ...series.args, window: asked, stride, zone: "UTC" });
    return BigInt(bucket!.value);
  };
  const all = await eventsIn(window);
  if (all === 0n) return [unverifiable("no_events")];
  if (row.from < window.from || row.to > window.to) return [refuted("pattern")];
  const inside = await eventsIn(row);
  const s = BigInt(share);
  const holds = 100n * inside >= s * all && 200n * (row.to - row.from) <= s * (window.to - window.from);
  return holds ? [] : [refuted("pattern")];
}

async function trend(evidence: Evidence, series: Series, claimed: string): Promise<Finding[]> {
  const values = (await bucketsOf(evidence, series.args))
    .filter(({ isPartial }) => !isPartial)
    .map(({ value }) => value);
  if (values.length < 6) return [unverifiable("short_history")];
  if (values.length > 2000) return [unverifiable("too_many_buckets")];
  let s = 0;
  for (let i = 0; i < values.length; i += 1) {
    for (let j = i + 1; j < values.length; j += 1) s += Math.sign(values[j]! - values[i]!);
  }
  const pairs = (values.length * (values.length - 1)) / 2;
  const found = 3 * s >= pairs ? "up" : 3 * s <= -pairs ? "down" : "flat";
  return found === claimed ? [] : [refuted("pattern")];
}

export async function patternFindings(
  evidence: Evidence,
  claim: PatternClaim,
  row: NamedInterval | undefined,
): Promise<Finding[]> {
  const series = seriesOf(evidence.step(claim.step)!);
  if (series === undefined) return [unverifiable("not_a_series")];
  try {
    return await shapeFindings(evidence, claim, series, row);
  } catch (error) {
    // No rule throws: what cannot be asked again is no series.
    if (error instanceof PalimpsestError) return [unverifiable("not_a_series")];
    throw error;
  }
}

function shapeFindings(
  evidence: Evidence,
  claim: PatternClaim,
  series: Series,
  row: NamedInterval | undefined,
): Finding[] | Promise<Finding[]> {
  if (claim.pattern === "trend") return trend(evidence, series, claim.direction!);
  if (row === undefined) return [unverifiable("not_a_series")];
  if (claim.pattern === "burst") return burst(evidence, series, row, claim.direction ?? "up");
  return concentration(evidence, series, row, claim.share!);
}
