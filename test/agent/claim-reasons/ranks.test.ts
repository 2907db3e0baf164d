// The first by an order, and what is not: another row, another side, another column, a page, an equal one.
import { describe } from "vitest";
import { aggregate, BY_SENDER, type Case, order, testCases } from "../small-store.js";

const RANKS: readonly Case[] = [
  [
    "the first by an order",
    [BY_SENDER],
    { type: "entity", cell: "s1.rows[0].src", rank: { by: "n", side: "max" } },
    "supported",
  ],
  [
    "the second by an order",
    [BY_SENDER],
    { type: "entity", cell: "s1.rows[1].src", rank: { by: "n", side: "max" } },
    "unverifiable",
    "rank",
  ],
  [
    "the other side of an order",
    [BY_SENDER],
    { type: "entity", cell: "s1.rows[0].src", rank: { by: "n", side: "min" } },
    "unverifiable",
    "rank",
  ],
  [
    "the first by another column",
    [BY_SENDER],
    { type: "value", cell: "s1.rows[0].n", rank: { by: "src", side: "max" } },
    "unverifiable",
    "rank",
  ],
  [
    "the first of one row of a page",
    [aggregate("s1", { group_by: [{ dim: "node", role: "src" }], order_by: order, limit: 1 })],
    { type: "entity", cell: "s1.rows[0].src", rank: { by: "n", side: "max" } },
    "unverifiable",
    "rank",
  ],
  [
    "the first of the only row",
    [aggregate("s1", { where: { src: { uids: ["ana"] } }, group_by: [{ dim: "node", role: "src" }], order_by: order })],
    { type: "entity", cell: "s1.rows[0].src", rank: { by: "n", side: "max" } },
    "supported",
  ],
  [
    "the first beside an equal one",
    [aggregate("s1", { where: { dst: { uids: ["ana"] } }, group_by: [{ dim: "node", role: "src" }], order_by: order })],
    { type: "entity", cell: "s1.rows[0].src", rank: { by: "n", side: "max" } },
    "supported_partial",
    "tied",
  ],
];

describe("a reason is given", () => {
  testCases("to %s", RANKS);
});
