// Claims that are none: a member too many, too few, or of another form.
import { describe } from "vitest";
import { BY_SENDER, type Case, testCases } from "../small-store.js";

const MALFORMED: readonly Case[] = [
  ["no type", [BY_SENDER], { cell: "s1.rows_total" }, "unverifiable", "malformed"],
  ["another type", [BY_SENDER], { type: "sum", cell: "s1.rows_total" }, "unverifiable", "malformed"],
  ["a key that no claim has", [BY_SENDER], { type: "count", cell: "s1.rows_total", x: 1 }, "unverifiable", "malformed"],
  ["an empty path", [BY_SENDER], { type: "count", cell: "" }, "unverifiable", "malformed"],
  ["a long path", [BY_SENDER], { type: "count", cell: "s".repeat(201) }, "unverifiable", "malformed"],
  ["another id", [BY_SENDER], { id: "x1", type: "count", cell: "s1.rows_total" }, "unverifiable", "malformed"],
  [
    "five subjects",
    [BY_SENDER],
    { type: "count", cell: "s1.rows_total", about: ["q1", "q1", "q1", "q1", "q1"] },
    "unverifiable",
    "malformed",
  ],
  [
    "an absence of both forms",
    [BY_SENDER],
    { type: "absence", cell: "s1.events", list: "s1" },
    "unverifiable",
    "malformed",
  ],
  [
    "a burst without a row",
    [BY_SENDER],
    { type: "temporal_pattern", pattern: "burst", step: "s1" },
    "unverifiable",
    "malformed",
  ],
  [
    "a trend with a row",
    [BY_SENDER],
    { type: "temporal_pattern", pattern: "trend", step: "s1", direction: "up", row: "s1.rows[0].n" },
    "unverifiable",
    "malformed",
  ],
  [
    "a share that is none of four",
    [BY_SENDER],
    { type: "temporal_pattern", pattern: "concentration", step: "s1", row: "s1.rows[0].n", share: 60 },
    "unverifiable",
    "malformed",
  ],
];

describe("a reason is given", () => {
  testCases("to %s", MALFORMED);
});
