// Values that a claim repeats: another number, another type, the ninth decimal and the tenth.
import { describe } from "vitest";
import { aggregate, BY_SENDER, type Case, compute, testCases } from "../small-store.js";
import { ofSenders } from "./steps.js";

const flag = ofSenders("t.n < 0 AS b, CAST(t.n AS STRING) AS s", "WHERE t.n = 1");

const VALUES: readonly Case[] = [
  ["another number", [BY_SENDER], { type: "count", cell: "s1.rows[0].n", value: 4 }, "refuted", "value"],
  ["a number as text", [BY_SENDER], { type: "count", cell: "s1.rows[0].n", value: "3" }, "refuted", "value"],
  ["false for nothing", [BY_SENDER, flag], { type: "value", cell: "s3.rows[0].b", value: 0 }, "refuted", "value"],
  ["false", [BY_SENDER, flag], { type: "value", cell: "s3.rows[0].b", value: false }, "supported"],
  ["a text as a number", [BY_SENDER, flag], { type: "value", cell: "s3.rows[0].s", value: 1 }, "refuted", "value"],
  ["another entity", [BY_SENDER], { type: "entity", cell: "s1.rows[0].src", value: "bo" }, "refuted", "value"],
  [
    "the tenth decimal",
    [
      BY_SENDER,
      aggregate("s2", {}),
      compute("s4", { fn: "ratio", x: { $ref: "s1.rows[2].n" }, y: { $ref: "s1.rows[0].n" } }),
    ],
    { type: "value", cell: "s4.value", value: 0.33333333333333 },
    "supported",
  ],
  [
    "the ninth decimal",
    [BY_SENDER, compute("s4", { fn: "ratio", x: { $ref: "s1.rows[2].n" }, y: { $ref: "s1.rows[0].n" } })],
    { type: "value", cell: "s4.value", value: 0.333333334 },
    "refuted",
    "value",
  ],
];

describe("a reason is given", () => {
  testCases("to %s", VALUES);
});
