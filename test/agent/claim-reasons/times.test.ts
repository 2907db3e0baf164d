// Spans and the order of spans: ends that are no pair, relations that do not hold; beside them those that do.
import { describe } from "vitest";
import { at, type Case, testCases } from "../small-store.js";
import { byTime, series } from "./steps.js";

const bucket = (i: number) => ({ from: `s1.rows[${i}].from`, to: `s1.rows[${i}].to` });

const TIMES: readonly Case[] = [
  [
    "the ends of a bucket",
    [series()],
    { type: "interval", ...bucket(1), value: { from: at(10), to: at(20) } },
    "supported",
  ],
  [
    "the ends of two buckets",
    [series()],
    { type: "interval", from: "s1.rows[1].from", to: "s1.rows[2].to" },
    "unverifiable",
    "not_a_pair",
  ],
  [
    "two times that are no ends",
    [byTime],
    { type: "interval", from: "s1.rows[0].first", to: "s1.rows[0].last" },
    "unverifiable",
    "not_a_pair",
  ],
  [
    "ends the other way",
    [series()],
    { type: "interval", from: bucket(1).to, to: bucket(1).from },
    "unverifiable",
    "not_a_pair",
  ],
  [
    "another end",
    [series()],
    { type: "interval", ...bucket(1), value: { from: at(10), to: at(21) } },
    "refuted",
    "value",
  ],
  ["days that meet", [series()], { type: "ordering", a: bucket(0), b: bucket(1), relation: "meets" }, "supported"],
  [
    "days that meet, as before",
    [series()],
    { type: "ordering", a: bucket(0), b: bucket(1), relation: "before" },
    "refuted",
    "relation",
  ],
  [
    "ends alone that are in order",
    [series()],
    { type: "ordering", a: bucket(0), b: bucket(1), relation: "intersects" },
    "refuted",
    "relation",
  ],
  [
    "a span of two rows",
    [series()],
    { type: "ordering", a: { from: bucket(0).from, to: bucket(1).to }, b: bucket(2), relation: "meets" },
    "unverifiable",
    "not_a_pair",
  ],
  [
    "an instant at the beginning of a bucket",
    [
      { ...series(), id: "s1" },
      { ...byTime, id: "s2" },
    ],
    { type: "ordering", a: { at: "s2.rows[0].first" }, b: bucket(1), relation: "starts" },
    "supported",
  ],
  [
    "two instants that overlap",
    [byTime],
    { type: "ordering", a: { at: "s1.rows[0].first" }, b: { at: "s1.rows[1].first" }, relation: "overlaps" },
    "refuted",
    "relation",
  ],
];

describe("a reason is given", () => {
  testCases("to %s", TIMES);
});
