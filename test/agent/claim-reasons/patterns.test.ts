// Bursts, concentrations and trends over series of ten seconds: what stands out, and what is one step beside it.
import { describe } from "vitest";
import { at, BY_SENDER, type Case, type Step, testCases } from "../small-store.js";
import { series } from "./steps.js";

const bursts = (args: object = {}): Step =>
  series({ where: { types: ["B"] }, window: { from: at(1000), to: at(1060) }, ...args });
const pattern = (name: string, more: object) => ({ type: "temporal_pattern", pattern: name, step: "s1", ...more });

const PATTERNS: readonly Case[] = [
  ["a bucket that stands out", [bursts()], pattern("burst", { row: "s1.rows[5].from" }), "supported"],
  ["a bucket that does not", [bursts()], pattern("burst", { row: "s1.rows[4].from" }), "refuted", "pattern"],
  [
    "a bucket that stands out on the other side",
    [bursts()],
    pattern("burst", { row: "s1.rows[5].from", direction: "down" }),
    "refuted",
    "pattern",
  ],
  [
    "a bucket with too little before it",
    [bursts()],
    pattern("burst", { row: "s1.rows[1].from" }),
    "unverifiable",
    "short_history",
  ],
  ["a burst of no series", [BY_SENDER], pattern("burst", { row: "s1.rows[0].n" }), "unverifiable", "not_a_series"],
  [
    "a burst of nodes",
    [series({ metric: "active_node_count" })],
    pattern("burst", { row: "s1.rows[4].from" }),
    "unverifiable",
    "not_a_series",
  ],
  ["much in little", [bursts()], pattern("concentration", { row: "s1.rows[5].from", share: 50 }), "supported"],
  [
    "more than there is in it",
    [bursts()],
    pattern("concentration", { row: "s1.rows[5].from", share: 75 }),
    "refuted",
    "pattern",
  ],
  [
    "much in much",
    [bursts({ stride: "PT30S" })],
    pattern("concentration", { row: "s1.rows[1].from", share: 50 }),
    "refuted",
    "pattern",
  ],
  [
    "a share of nothing",
    [bursts({ where: { types: ["B"], src: { uids: ["cy"] } } })],
    pattern("concentration", { row: "s1.rows[1].from", share: 25 }),
    "unverifiable",
    "no_events",
  ],
  ["what rises", [bursts()], pattern("trend", { direction: "up" }), "supported"],
  ["what rises, as level", [bursts()], pattern("trend", { direction: "flat" }), "refuted", "pattern"],
  [
    "a trend of five",
    [bursts({ window: { from: at(1000), to: at(1050) } })],
    pattern("trend", { direction: "up" }),
    "unverifiable",
    "short_history",
  ],
  [
    "a trend of 2,001",
    [series({ stride: "PT0.03S", window: { from: at(0), to: at(60.03) } })],
    pattern("trend", { direction: "flat" }),
    "unverifiable",
    "too_many_buckets",
  ],
  [
    "a trend of 2,000",
    [series({ stride: "PT0.03S", window: { from: at(0), to: at(60) } })],
    pattern("trend", { direction: "flat" }),
    "supported",
  ],
];

describe("a reason is given", () => {
  testCases("to %s", PATTERNS);
});
