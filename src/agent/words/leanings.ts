// Which way a licensed word leans: the least is no greatest, a fall is no rise, a dip is no burst. A claim that licenses a word
// has to lean the same way; what leans neither way is left to its licence.
import type { WordedClaim } from "./prose-input.js";
import { wordList } from "./word-list.js";

type Leans = (worded: WordedClaim) => boolean;

const isOnSide =
  (side: "max" | "min"): Leans =>
  ({ sides }) =>
    sides === undefined || sides.size === 0 || sides.has(side);

/** Of an order in time: no rank by a number of times tells what was first. */
const isOnSideInTime =
  (side: "max" | "min"): Leans =>
  ({ sidesInTime }) =>
    sidesInTime?.has(side) === true;

/** Of a change or a trend: which way it went. */
const wentOtherThan =
  (...others: readonly string[]): Leans =>
  ({ claim }) => {
    if (claim.type === "temporal_pattern" && claim.pattern !== "trend") return true;
    const went = claim.type === "change" || claim.type === "temporal_pattern" ? claim.direction : undefined;
    return went === undefined || !others.includes(went);
  };

const isOfPattern =
  (isIt: (claim: WordedClaim["claim"] & { type: "temporal_pattern" }) => boolean): Leans =>
  ({ claim }) =>
    claim.type !== "temporal_pattern" || isIt(claim);

/** What lies wholly before or after is at no time together. */
const isTogether: Leans = ({ claim }) =>
  claim.type !== "ordering" || !["before", "after", "meets", "met_by"].includes(claim.relation);

const LEANINGS: readonly (readonly [string, Leans])[] = [
  [
    `most, largest, biggest, busiest, highest, longest, greatest, maximum, maximal, max, strongest, heaviest, richest, farthest,
     furthest, commonest, record high, most of all, most of any`,
    isOnSide("max"),
  ],
  [
    `least, smallest, quietest, lowest, shortest, minimum, minimal, min, fewest, weakest, lightest, closest, nearest, rarest,
     poorest, record low`,
    isOnSide("min"),
  ],
  ["first, firstly, earliest, initial, initially, oldest", isOnSideInTime("min")],
  ["last, lastly, latest, final, finally, newest", isOnSideInTime("max")],
  [
    `rose, rise, rises, risen, rising, grew, grow, grows, grown, growing, growth, increased, increase, increases, increasing,
     gained, gain, gains, gaining, climbed, climb, climbs, climbing, soared, jumped, escalated, expanded, swelled, mounted,
     accelerated, ballooned, skyrocketed, shot up, went up, going up, was up, is up, up from, raised, upward, upwards, uptick,
     upturn, boost, boosted`,
    wentOtherThan("down", "same", "flat", "different"),
  ],
  [
    `fell, fall, falls, fallen, falling, shrank, shrink, shrinks, shrunk, shrinking, decreased, decrease, decreases, decreasing,
     decline, declined, declines, declining, dropped, drop, drops, dropping, reduced, reduction, plunged, slumped, plummeted, sank,
     slid, dipped, tumbled, crashed, contracted, diminished, dwindled, waned, slowed, went down, going down, was down, is down,
     down from, lowered, collapsed, tapered, faded, subsided, downward, downwards, downturn`,
    wentOtherThan("up", "same", "flat", "different"),
  ],
  [
    "unchanged, stayed, stay, stays, remained, remain, remains, constant, stable, persisted",
    wentOtherThan("up", "down", "different"),
  ],
  ["changed, change, changes, changing, became, become, becomes, becoming", wentOtherThan("same", "flat")],
  [
    "burst, bursts, bursty, spike, spikes, spiked, spiking, surge, surges, surged, surging",
    isOfPattern(({ pattern, direction }) => pattern === "burst" && direction !== "down"),
  ],
  [
    "dip, dips, lull, trough, slump",
    isOfPattern(({ pattern, direction }) => pattern === "burst" && direction === "down"),
  ],
  [
    "outburst, flurry, spree, hotspot",
    isOfPattern(({ pattern, direction }) => pattern !== "trend" && direction !== "down"),
  ],
  [
    `mostly, largely, mainly, chiefly, primarily, predominantly, majority, bulk, most of, dominant, dominates, dominated,
     dominating`,
    isOfPattern(({ pattern, share }) => pattern === "concentration" && (share ?? 0) > 50),
  ],
  ["minority", isOfPattern(({ pattern, share }) => pattern === "concentration" && (share ?? 100) < 50)],
  [
    "peak, peaks, peaked, peaking",
    (worded) =>
      isOnSide("max")(worded) &&
      isOfPattern(({ pattern, direction }) => pattern !== "trend" && direction !== "down")(worded),
  ],
  [
    "concentrated, concentration, clustered",
    isOfPattern(
      ({ pattern, direction }) => pattern === "concentration" || (pattern === "burst" && direction !== "down"),
    ),
  ],
  ["trend, trends, trending, steadily", isOfPattern(({ pattern }) => pattern === "trend")],
  [
    `overlapping, overlapped, overlaps, overlap, simultaneous, simultaneously, concurrently, concurrent, coincide, coincides,
     coincided, coinciding, contemporaneous, synchronous, synchronously, at the same time, in parallel`,
    isTogether,
  ],
  ["both", ({ members }) => members === undefined || members === 2],
];

const byWord = new Map(LEANINGS.flatMap(([words, leans]) => wordList(words).map((word) => [word, leans] as const)));

/** Whether a claim may license this entry of the lexicon, as far as it leans. */
export const leansAs = (entry: string, worded: WordedClaim): boolean => byWord.get(entry)?.(worded) ?? true;
