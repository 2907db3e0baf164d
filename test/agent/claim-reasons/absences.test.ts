// What was not found: whether it was looked for, wholly, under names that the store knows, within its data.
import { describe } from "vitest";
import { aggregate, at, type Case, compute, type Step, testCases } from "../small-store.js";

const from = (src: string, dst: string, more: object = {}): Step =>
  aggregate("s1", {
    where: { src: { uids: [src] }, dst: { uids: [dst] } },
    group_by: [{ dim: "node", role: "src" }],
    ...more,
  });
const none = { type: "absence", list: "s1.rows" };

const ABSENCES: readonly Case[] = [
  ["nothing where it was looked for", [from("cy", "bo")], none, "supported"],
  ["something, as nothing", [from("ana", "bo")], none, "refuted", "present"],
  ["a number, as nothing", [from("ana", "bo")], { type: "absence", cell: "s1.events" }, "refuted", "present"],
  [
    "nothing of a page",
    [aggregate("s1", { group_by: [{ dim: "node", role: "src" }], limit: 1 })],
    none,
    "unverifiable",
    "page",
  ],
  ["nothing from nobody", [from("nobody", "bo")], none, "unverifiable", "unknown_name"],
  [
    "nothing of a type that no edge has",
    [from("ana", "bo", { where: { types: ["NOTHING"] } })],
    none,
    "unverifiable",
    "unknown_name",
  ],
  [
    "nothing of a label that no node has",
    [from("ana", "bo", { where: { src: { labels: ["NOTHING"] } } })],
    none,
    "unverifiable",
    "unknown_name",
  ],
  [
    "nothing of a property that no edge has",
    [from("ana", "bo", { where: { edge: [{ prop: "nothing", op: "eq", value: 1 }] } })],
    none,
    "unverifiable",
    "unknown_name",
  ],
  [
    "nothing behind an empty list",
    [
      aggregate("s3", {
        where: { src: { uids: ["cy"] }, dst: { uids: ["bo"] } },
        group_by: [{ dim: "node", role: "dst" }],
      }),
      compute("s1", { fn: "difference", input: { $ref: "s3.rows[*].dst" }, other: [] }),
    ],
    none,
    "supported_partial",
    "vacuous",
  ],
  [
    "nothing after the data",
    [from("ana", "bo", { window: { from: at(5000), to: at(6000) } })],
    none,
    "supported_partial",
    "outside_data",
  ],
  [
    "nothing before the data",
    [from("ana", "bo", { window: { from: at(-6000), to: at(-5000) } })],
    none,
    "supported_partial",
    "outside_data",
  ],
  ["nothing within the data", [from("ana", "bo", { window: { from: at(16), to: at(20) } })], none, "supported"],
];

describe("a reason is given", () => {
  testCases("to %s", ABSENCES);
});
