// Changes between two answers: what may be compared, along which axis, and which way it went.
import { describe } from "vitest";
import { aggregate, at, type Case, type Step, testCases } from "../small-store.js";

const inWindow = (id: string, from: number, to: number): Step =>
  aggregate(id, { window: { from: at(from), to: at(to) } });
const change = (axis: string, direction: string) => ({
  type: "change",
  before: "s1.rows[0].n",
  after: "s2.rows[0].n",
  axis,
  direction,
});
const diff = (id: string, left: object, right: object): Step => ({
  id,
  op: "diff_snapshots",
  args: { left, right, include: ["edges_changed"] },
});

const CHANGES: readonly Case[] = [
  ["more than before", [inWindow("s1", 0, 12), inWindow("s2", 12, 24)], change("valid", "up"), "supported"],
  ["more, as less", [inWindow("s1", 0, 12), inWindow("s2", 12, 24)], change("valid", "down"), "refuted", "direction"],
  [
    "now and before, turned",
    [inWindow("s1", 12, 24), inWindow("s2", 0, 12)],
    change("valid", "down"),
    "unverifiable",
    "not_comparable",
  ],
  [
    "another filter",
    [
      inWindow("s1", 0, 12),
      aggregate("s2", { window: { from: at(12), to: at(24) }, where: { src: { uids: ["bo"] } } }),
    ],
    change("valid", "up"),
    "unverifiable",
    "not_comparable",
  ],
  [
    "one window",
    [inWindow("s1", 0, 12), inWindow("s2", 0, 12)],
    change("valid", "same"),
    "unverifiable",
    "same_corner",
  ],
  [
    "one pin",
    [aggregate("s1", { as_of_tt: "tx:1" }), aggregate("s2", { as_of_tt: "tx:1" })],
    change("belief", "same"),
    "unverifiable",
    "same_corner",
  ],
  [
    "two pins",
    [aggregate("s1", { as_of_tt: "tx:1" }), aggregate("s2", { as_of_tt: "tx:4" })],
    change("belief", "same"),
    "supported",
  ],
  [
    "two pins, turned",
    [aggregate("s1", { as_of_tt: "tx:4" }), aggregate("s2", { as_of_tt: "tx:1" })],
    change("belief", "same"),
    "unverifiable",
    "not_comparable",
  ],
  [
    "two pins and two windows",
    [aggregate("s1", { as_of_tt: "tx:1", window: { from: at(0), to: at(5) } }), aggregate("s2", { as_of_tt: "tx:4" })],
    change("belief", "up"),
    "unverifiable",
    "not_comparable",
  ],
  [
    "both sides of a row of a diff",
    [diff("s1", { at: at(80), as_of_tt: "tx:3" }, { at: at(80), as_of_tt: "tx:4" })],
    {
      type: "change",
      before: "s1.rows[0].before.props.w",
      after: "s1.rows[0].after.props.w",
      axis: "belief",
      direction: "up",
    },
    "supported",
  ],
  [
    "one side of a row of a diff",
    [diff("s1", { at: at(80), as_of_tt: "tx:3" }, { at: at(80), as_of_tt: "tx:4" })],
    {
      type: "change",
      before: "s1.rows[0].after.props.w",
      after: "s1.rows[0].after.props.w",
      axis: "belief",
      direction: "same",
    },
    "unverifiable",
    "same_corner",
  ],
  [
    "a diff of beliefs, as one of times",
    [diff("s1", { at: at(80), as_of_tt: "tx:3" }, { at: at(80), as_of_tt: "tx:4" })],
    {
      type: "change",
      before: "s1.rows[0].before.props.w",
      after: "s1.rows[0].after.props.w",
      axis: "valid",
      direction: "up",
    },
    "unverifiable",
    "not_comparable",
  ],
];

describe("a reason is given", () => {
  testCases("to %s", CHANGES);
});
