// Claims over a step that took in only a part of another.
import { describe } from "vitest";
import { aggregate, type Case, compute, order, testCases } from "../small-store.js";

const page = aggregate("s1", { group_by: [{ dim: "node", role: "src" }], order_by: order, limit: 2 });
const sortedPage = compute("s2", { fn: "sort", input: { $ref: "s1.rows[*]" }, order: [{ field: "n", desc: true }] });

const UPSTREAM: readonly Case[] = [
  ["a value of a part", [page, sortedPage], { type: "value", cell: "s2.rows[0].n" }, "supported_partial", "upstream"],
  [
    "an entity of a part",
    [page, sortedPage],
    { type: "entity", cell: "s2.rows[0].src" },
    "supported_partial",
    "upstream",
  ],
  ["a count of a part", [page, sortedPage], { type: "count", cell: "s2.rows_total" }, "unverifiable", "upstream"],
  [
    "the first of a part",
    [page, sortedPage],
    { type: "entity", cell: "s2.rows[0].src", rank: { by: "n", side: "max" } },
    "unverifiable",
    "upstream",
  ],
  [
    "a whole set of a part",
    [page, sortedPage],
    { type: "entity_set", cells: "s2.rows[*].src", complete: true },
    "unverifiable",
    "upstream",
  ],
];

describe("a reason is given", () => {
  testCases("to %s", UPSTREAM);
});
