// How many pairs a join of facts may give, from counts of beginnings and of what is alive: cheap, and never less for a
// larger window. Pure; belongs to the declaration of co_active.
import { formatDuration, parseDuration } from "../contract/duration.js";
import type { NodeFilterArgument, WhereArgument, WindowArgument } from "../contract/schemas.js";
import type { JsonObject } from "../contract/values.js";
import { windowUs } from "./cost-guard.js";
import type { Estimate, Suggestion } from "./declaration.js";
import type { Statistics, WindowUs } from "./engine.js";
import { typeShare } from "./suggestions.js";

export interface SelectionArguments {
  readonly src: string | null;
  readonly dst: string | null;
  readonly where: WhereArgument;
}
export interface CoActiveArguments {
  readonly a: SelectionArguments;
  readonly b: SelectionArguments;
  readonly relations: "intersects" | readonly string[];
  readonly on: string | readonly unknown[];
  readonly max_gap: string | null;
  readonly window: WindowArgument | null;
}

/** Up to so many pairs the product of both sides is estimate enough. */
const FEW_PAIRS = 100_000_000;
const BUCKETS = 32n;
/** A fact is read, sorted, put in its group, sorted there, and passed over twice from either side. */
const STEPS_PER_FACT = 8;
/** Of longer lists of uids in a filter the degrees are not added up. */
const MOST_NAMED = 64;

/** Versions at the nodes that a selection names, the least over its ways to name them; Infinity where it names none. */
function namedVersions({ src, dst, where }: SelectionArguments, statistics: Statistics): number {
  const filtered = [where.src, where.dst, where.node].map((filter: NodeFilterArgument | null) => filter?.uids ?? null);
  const lists = [src === null ? null : [src], dst === null ? null : [dst], ...filtered];
  const counts = lists
    .filter((uids) => uids !== null && uids.length <= MOST_NAMED)
    .map((uids) => uids!.reduce((sum, uid) => sum + statistics.degree(uid), 0));
  return Math.min(Number.POSITIVE_INFINITY, ...counts);
}

interface Bucket {
  readonly begins: number;
  /** Facts that are alive, and not only just begun, at one of its ends. */
  readonly alive: number;
  readonly isAsked: boolean;
}

/** Beginnings over the whole extent in buckets that do not depend on the window, so that a larger one only adds. */
function bucketsOf(statistics: Statistics, window: WindowUs): { buckets: Bucket[]; widthUs: bigint } {
  const extent = statistics.extent();
  if (extent === null) return { buckets: [], widthUs: 1n };
  const widthUs = (extent.toUs - extent.fromUs + BUCKETS - 1n) / BUCKETS;
  const aliveAt = (us: bigint): number => {
    const instant = { fromUs: us, toUs: us + 1n };
    return Math.max(0, statistics.edgesTouching(instant) - statistics.eventsIn(instant));
  };
  const buckets: Bucket[] = [];
  let before = aliveAt(extent.fromUs);
  for (let fromUs = extent.fromUs; fromUs < extent.toUs; fromUs += widthUs) {
    const toUs = fromUs + widthUs;
    const after = aliveAt(toUs);
    const isAsked = (window.toUs === null || fromUs < window.toUs) && (window.fromUs === null || window.fromUs < toUs);
    buckets.push({ begins: statistics.eventsIn({ fromUs, toUs }), alive: Math.max(before, after), isAsked });
    before = after;
  }
  return { buckets, widthUs };
}

/** For these, facts that overlap are looked at pair by pair; for the others only those of one instant are. */
const OVERLAPPING = ["intersects", "overlaps", "during", "finishes", "overlapped_by", "contains", "finished_by"];

/**
 * Pairs of the whole store's facts in the window: those that overlap, those that begin or end at one instant, and those
 * with a gap up to the longest one.
 */
function spreadPairs({ relations, max_gap, window }: CoActiveArguments, statistics: Statistics): number {
  const { buckets, widthUs } = bucketsOf(statistics, windowUs(window));
  const begun = [0];
  for (const { begins } of buckets) begun.push(begun.at(-1)! + begins);
  const gap = max_gap === null ? 0 : Number(parseDuration(max_gap, "/max_gap")) / Number(widthUs);
  const asked = typeof relations === "string" ? [relations] : relations;
  const directions = ["before", "after"].filter((name) => asked.includes(name)).length;
  const overlaps = asked.some((name) => OVERLAPPING.includes(name)) ? 1 : 0;
  let pairs = 0;
  let mostAlive = 0;
  for (const [i, { begins, alive, isAsked }] of buckets.entries()) {
    if (!isAsked) continue;
    mostAlive = Math.max(mostAlive, alive);
    const next = Math.min(buckets.length, i + 1 + Math.max(0, Math.ceil(gap)));
    const following = gap < 1 ? begins * Math.max(0, gap) : begun[next]! - begun[i]!;
    pairs += begins * (1 + begins / Number(widthUs) + overlaps * 2 * alive + directions * following);
  }
  return pairs + overlaps * mostAlive * mostAlive;
}

/** Steps and rows: the pairs that may come out, and the facts of both sides. */
export function estimatePairs(args: CoActiveArguments, statistics: Statistics): Estimate {
  const touching = statistics.edgesTouching(windowUs(args.window));
  const versions = Math.max(1, statistics.edgeVersions());
  const sides = [args.a, args.b].map((selection) => {
    const named = namedVersions(selection, statistics);
    const share = typeShare(selection.where, statistics);
    return { facts: Math.min(touching * share, named), share: Math.min(share, named / versions) };
  });
  const [a, b] = sides as [(typeof sides)[0], (typeof sides)[0]];
  // Keys part the facts about as uids do.
  const groups = args.on.length === 0 ? 1 : Math.max(1, statistics.knownUids());
  let pairs = (a.facts * b.facts) / groups;
  if (pairs > FEW_PAIRS) {
    const spread = spreadPairs(args, statistics) * a.share * b.share;
    pairs = Math.max(FEW_PAIRS, Math.min(pairs, spread / groups));
  }
  return { rows: Math.ceil(pairs), steps: Math.ceil(pairs + STEPS_PER_FACT * (a.facts + b.facts)) };
}

/** The longest halving of `max_gap` that fits. */
export function halvedGaps({ max_gap }: CoActiveArguments, fits: (patch: JsonObject) => boolean): Suggestion[] {
  if (max_gap === null) return [];
  for (let gap = parseDuration(max_gap, "/max_gap") / 2n; gap > 0n; gap /= 2n) {
    const args_patch = { max_gap: formatDuration(gap) };
    if (fits(args_patch)) return [{ args_patch, why: "this longest gap fits" }];
  }
  return [];
}
