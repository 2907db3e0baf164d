// O9 burst_detection: buckets whose count of events stands out from the buckets right before them.

import { isIn, passingEvents, type Role, touches } from "./events.js";
import { rootOf, rounded, toDouble } from "./exact-numbers.js";
import type { Where } from "./filters.js";
import type { Answer, Args, Row } from "./lists.js";
import type { Belief } from "./question.js";
import { bucketSpans } from "./series.js";

/** What a count is held against; the score is null where its divisor is zero. */
interface Judgement {
  /** The baseline as num / den, den above zero. */
  readonly baseline: { readonly num: bigint; readonly den: bigint };
  readonly spread: number | null;
  readonly score: number | null;
  readonly reason: "zero_spread" | "zero_baseline";
}

function zscore(x: number, history: readonly number[]): Judgement {
  const n = history.length;
  const sum = history.reduce((a, b) => a + b, 0);
  const squares = history.reduce((a, b) => a + b * b, 0);
  const radicand = n * squares - sum * sum;
  return {
    baseline: { num: BigInt(sum), den: BigInt(n) },
    spread: rounded(rootOf({ num: BigInt(radicand), den: BigInt(n * n) })),
    // (x - mean) / deviation, both times n: whole numbers until the root.
    score: radicand === 0 ? null : rounded((n * x - sum) / Math.sqrt(radicand)),
    reason: "zero_spread",
  };
}

function ratio(x: number, history: readonly number[]): Judgement {
  const sorted = [...history].sort((a, b) => a - b);
  const twiceMedian = sorted[Math.floor((sorted.length - 1) / 2)]! + sorted[Math.floor(sorted.length / 2)]!;
  return {
    baseline: { num: BigInt(twiceMedian), den: 2n },
    spread: null,
    score: twiceMedian === 0 ? null : rounded(toDouble({ num: BigInt(2 * x), den: BigInt(twiceMedian) })),
    reason: "zero_baseline",
  };
}

/** The side on which a bucket stands out, or null. */
function sideOf(x: number, { baseline, score }: Judgement, args: Args): "up" | "down" | null {
  const change = BigInt(x) * baseline.den - baseline.num;
  const size = change < 0n ? -change : change;
  if (change === 0n || size < BigInt(args.min_change as number) * baseline.den) return null;
  if (score === null) return change > 0n ? "up" : "down";
  const [z, r] = [Number(args.z), Number(args.r)];
  const [up, down] = args.method === "zscore" ? [z, -z] : [r, rounded(1 / r)];
  if (score >= up) return "up";
  return score <= down ? "down" : null;
}

export function burstDetection(belief: Belief, args: Args): Answer {
  const target = args.target as { kind: string; uid: string; role: Role };
  const isOfNode = target.kind === "node_activity";
  if (isOfNode) belief.requireUids([target.uid]);
  const events = passingEvents(belief, args.where as Where, new Set(isOfNode ? [target.uid] : [])).filter(
    ({ edge }) => !isOfNode || touches(edge, target.uid, target.role),
  );
  const buckets = bucketSpans(args).map(({ row, span }) => ({
    row,
    value: events.filter(({ at }) => isIn(span, at)).length,
  }));

  const rows: Row[] = [];
  let judged = 0;
  for (const [i, { row, value }] of buckets.entries()) {
    const history = buckets
      .slice(Math.max(0, i - (args.w as number)), i)
      .filter((bucket) => bucket.row.partial === false)
      .map((bucket) => bucket.value);
    if (row.partial === true || history.length < (args.min_history as number)) continue;
    judged++;
    const judgement = args.method === "zscore" ? zscore(value, history) : ratio(value, history);
    const side = sideOf(value, judgement, args);
    if (side === null || (args.sides !== "both" && args.sides !== side)) continue;
    rows.push({
      from: row.from,
      to: row.to,
      value,
      baseline: rounded(toDouble(judgement.baseline)),
      spread: judgement.spread,
      score: judgement.score,
      reason: judgement.score === null ? judgement.reason : null,
      side,
      history: history.length,
    });
  }
  return {
    lists: [["rows", rows]],
    fields: { n_buckets: buckets.length, judged, not_judged: buckets.length - judged },
  };
}
