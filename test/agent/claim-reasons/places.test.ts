// Claims whose paths lead nowhere, to another kind of thing, or to what is no evidence; beside them paths that hold.
import { describe } from "vitest";
import { aggregate, at, BY_SENDER, type Case, testCases, WINDOW } from "../small-store.js";
import { ofSenders } from "./steps.js";

const PLACES: readonly Case[] = [
  ["a step that is not there", [BY_SENDER], { type: "count", cell: "s7.rows_total" }, "unverifiable", "no_evidence"],
  ["a row that is not held", [BY_SENDER], { type: "count", cell: "s1.rows[3].n" }, "unverifiable", "no_cell"],
  ["the last row that is", [BY_SENDER], { type: "count", cell: "s1.rows[2].n", value: 1 }, "supported"],
  ["a field that no row has", [BY_SENDER], { type: "count", cell: "s1.rows[0].m" }, "unverifiable", "no_cell"],
  ["a list as a cell", [BY_SENDER], { type: "count", cell: "s1.rows[*].n" }, "unverifiable", "no_cell"],
  ["a row as a cell", [BY_SENDER], { type: "value", cell: "s1.rows[0]" }, "unverifiable", "no_cell"],
  ["a cell as a list", [BY_SENDER], { type: "absence", list: "s1.rows_total" }, "unverifiable", "no_cell"],
  [
    "one member as a set",
    [BY_SENDER],
    { type: "entity_set", cells: "s1.rows[0].src", complete: false },
    "unverifiable",
    "no_cell",
  ],
  ["a path of no grammar", [BY_SENDER], { type: "count", cell: "s1..n" }, "unverifiable", "no_cell"],
  ...["op", "args.limit", "pin.tx", "result_digest", "cursor", "truncated", "complete", "incomplete", "erased"].map(
    (path): Case => [
      `${path} of the answer`,
      [BY_SENDER],
      { type: "value", cell: `s1.${path}` },
      "unverifiable",
      "not_evidence",
    ],
  ),
  [
    "whom a walk was asked of",
    [{ id: "s1", op: "temporal_reachability", args: { uid: "ana", window: WINDOW } }],
    { type: "entity", cell: "s1.rows[0].of" },
    "unverifiable",
    "not_evidence",
  ],
  [
    "whom a count of reached was asked of",
    [{ id: "s1", op: "temporal_reachability", args: { uid: "ana", window: WINDOW } }],
    { type: "entity", cell: "s1.reached[0].of" },
    "unverifiable",
    "not_evidence",
  ],
  [
    "whom a walk came to",
    [{ id: "s1", op: "temporal_reachability", args: { uid: "ana", window: WINDOW } }],
    { type: "entity", cell: "s1.rows[0].uid", value: "bo" },
    "supported",
  ],
  [
    "the stride of neighbourhoods",
    [{ id: "s1", op: "neighborhood_evolution", args: { uid: "ana", t1: at(0), t2: at(50), stride: "PT25S" } }],
    { type: "value", cell: "s1.stride" },
    "unverifiable",
    "not_evidence",
  ],
  [
    "a gap of no two events",
    [aggregate("s1", { aggregates: [{ fn: "max_gap", as: "gap" }], window: { from: at(9), to: at(11) } })],
    { type: "value", cell: "s1.rows[0].gap" },
    "unverifiable",
    "null_cell",
  ],
  [
    "a member that is null",
    [BY_SENDER, ofSenders("NULLIF(t.src, 'bo') AS u")],
    { type: "entity_set", cells: "s3.rows[*].u", complete: true },
    "unverifiable",
    "null_cell",
  ],
];

describe("a reason is given", () => {
  testCases("to %s", PLACES);
});
