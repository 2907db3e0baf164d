// Claims about subjects that their cells do not stand with; beside them subjects that do.
import { describe } from "vitest";
import { aggregate, BY_SENDER, type Case, order, TOTAL, testCases } from "../small-store.js";

const TIES: readonly Case[] = [
  ["its own row", [BY_SENDER], { type: "count", cell: "s1.rows[0].n", about: ["s1.rows[0].src"] }, "supported"],
  [
    "another row",
    [BY_SENDER],
    { type: "count", cell: "s1.rows[0].n", about: ["s1.rows[1].src"] },
    "unverifiable",
    "untied",
  ],
  [
    "another step that holds the same",
    [BY_SENDER, aggregate("s2", { group_by: [{ dim: "node", role: "src" }], order_by: order })],
    { type: "count", cell: "s1.rows[0].n", about: ["s2.rows[0].src"] },
    "unverifiable",
    "untied",
  ],
  [
    "a reference into a filter",
    [BY_SENDER, aggregate("s2", { where: { dst: { uids: [{ $ref: "s1.rows[0].src" }] } } })],
    { type: "count", cell: "s2.events", about: ["s1.rows[0].src"] },
    "supported",
  ],
  [
    "a reference among others",
    [BY_SENDER, aggregate("s2", { where: { dst: { uids: [{ $ref: "s1.rows[0].src" }, "bo"] } } })],
    { type: "count", cell: "s2.events", about: ["s1.rows[0].src"] },
    "unverifiable",
    "untied",
  ],
  [
    "a mention that is the literal",
    [aggregate("s1", { where: { src: { uids: ["ana"] } } })],
    { type: "count", cell: "s1.events", about: ["q1"] },
    "supported",
  ],
  [
    "a mention of nobody",
    [aggregate("s1", { where: { src: { uids: ["ana"] } } })],
    { type: "count", cell: "s1.events", about: ["q2"] },
    "unverifiable",
    "untied",
  ],
  [
    "a mention that no filter has",
    [TOTAL],
    { type: "count", cell: "s2.events", about: ["q1"] },
    "unverifiable",
    "untied",
  ],
  [
    "a span of another row",
    [
      aggregate("s1", {
        group_by: [{ dim: "node", role: "src" }],
        aggregates: [{ fn: "min", of: "at", as: "first" }],
        order_by: [{ column: "first" }],
      }),
    ],
    {
      type: "ordering",
      a: { at: "s1.rows[0].first", of: "s1.rows[1].src" },
      b: { at: "s1.rows[2].first" },
      relation: "before",
    },
    "unverifiable",
    "untied",
  ],
];

describe("a reason is given", () => {
  testCases("to %s", TIES);
});
