// Which words claims of each type let stand, over what a plan of them gave: extremes of columns, belief of past commits.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bindClaims } from "../../src/agent/claims/bind.js";
import type { Evidence } from "../../src/agent/claims/evidence.js";
import { wordingOf } from "../../src/agent/wording.js";
import { checkProse } from "../../src/agent/words/prose.js";
import { type AskedStore, askedStore } from "./asked.js";

let asked: AskedStore;
let evidence: Evidence;

const since = (src: string, id: string, more: object = {}) => ({
  id,
  op: "aggregate_events",
  args: {
    where: { src: { uids: [src] } },
    aggregates: [
      { fn: "min", of: "at", as: "since" },
      { fn: "count", as: "n" },
    ],
    ...more,
  },
});
const payees = (id: string, more: object = {}) => ({
  id,
  op: "aggregate_events",
  args: {
    where: { src: { uids: ["ada"] } },
    group_by: [{ dim: "node", role: "dst" }],
    aggregates: [{ fn: "count", as: "n" }],
    ...more,
  },
});

/** ada paid bo on the 2nd, bo paid cy on the 5th; ada's payment to dan, of the 4th, was recorded later. */
beforeAll(async () => {
  asked = await askedStore();
  const pay = (src: string, dst: string, day: number) => ({
    op: "assert_edge" as const,
    src,
    type: "PAID",
    dst,
    valid_from: `2020-05-0${day}T08:00:00Z`,
    valid_to: `2020-05-0${day}T08:00:00.000001Z`,
  });
  await asked.store.write([pay("ada", "bo", 2), pay("bo", "cy", 5)]);
  await asked.store.write([pay("ada", "dan", 4)]);
  const before = { as_of_tt: "tx:1" };
  evidence = await asked.ask({
    steps: [
      since("ada", "s1"),
      since("bo", "s2"),
      since("ada", "s3", before),
      payees("s4", before),
      payees("s5"),
      since("dan", "s6", before),
      payees("s8", { order_by: [{ column: "n", desc: true }] }),
      payees("s9", {
        aggregates: [
          { fn: "min", of: "at", as: "since" },
          { fn: "max", of: "at", as: "until" },
        ],
        order_by: [{ column: "since" }],
      }),
      {
        id: "s7",
        op: "compute",
        args: { fn: "diff", x: { $ref: "s2.rows[0].since" }, y: { $ref: "s1.rows[0].since" } },
      },
    ],
    answer: { kind: "ordering", from: "s7.value" },
  });
});
afterAll(() => asked?.close());

const CHANGE = {
  id: "c1",
  type: "change",
  before: "s3.rows[0].n",
  after: "s1.rows[0].n",
  axis: "belief",
  direction: "up",
};
const ORDER = {
  id: "c1",
  type: "ordering",
  a: { at: "s1.rows[0].since" },
  b: { at: "s2.rows[0].since" },
  relation: "before",
};

const MOST = { id: "c1", type: "entity", cell: "s8.rows[0].dst", rank: { by: "n", side: "max" } };
const EARLIEST = { id: "c1", type: "entity", cell: "s9.rows[0].dst", rank: { by: "since", side: "min" } };

/** What is refused of a sentence about one claim. */
async function refused(claim: object, text: string): Promise<readonly string[]> {
  const claims = await bindClaims(evidence, [claim as never]);
  const { claims: worded, entities } = await wordingOf(evidence, claims);
  const names = { has: () => false };
  return checkProse({ text, claims: worded, mentions: new Set(), entities, names }).map(
    ({ kind, text: word }) => `${kind}: ${word}`,
  );
}

describe("a word stands", () => {
  it.each<[string, object, string]>([
    ["first, of times that are the least of their columns", ORDER, "The first came before: {c1}."],
    ["earliest, of one such time", { id: "c1", type: "value", cell: "s1.rows[0].since" }, "The earliest was at {c1}."],
    ["first, of the first by a time", EARLIEST, "The first was {c1}."],
    [
      "last, of the latest time of a column",
      { id: "c1", type: "value", cell: "s9.rows[0].until" },
      "It was last at {c1}.",
    ],
    ["most, of the first by a count", MOST, "The most went to {c1}."],
    ["before, of a set at an earlier commit", { id: "c1", type: "count", cell: "s3.rows[0].n" }, "It was {c1} before."],
    ["believed, of a change of belief", CHANGE, "What was believed: {c1}."],
    [
      "recorded, of a set at an earlier commit",
      { id: "c1", type: "entity_set", cells: "s4.rows[*].dst", complete: true },
      "These were recorded: {c1}.",
    ],
    [
      "thought, of an absence at an earlier commit",
      { id: "c1", type: "absence", cell: "s6.rows[0].n" },
      "It was thought so: {c1}.",
    ],
    [
      "believed, of an order with a time of an earlier commit",
      { ...ORDER, a: { at: "s3.rows[0].since" } },
      "It was believed: {c1}.",
    ],
  ])("%s", async (_, claim, text) => expect(await refused(claim, text)).toEqual([]));
});

describe("a word falls", () => {
  it.each<[string, object, string, string]>([
    ["first, of a count", { id: "c1", type: "count", cell: "s1.rows[0].n" }, "The first was {c1}.", "first"],
    ["first, of the first by a count", MOST, "The first was {c1}.", "first"],
    ["latest, of the first by a count", MOST, "The latest was {c1}.", "latest"],
    ["last, of the first by a time", EARLIEST, "The last was {c1}.", "last"],
    ["majority, of the first by a count", MOST, "The majority went to {c1}.", "majority"],
    ["before, of a count of now", { id: "c1", type: "count", cell: "s1.rows[0].n" }, "It was {c1} before.", "before"],
    ["first, of a change in counts", CHANGE, "The first changed: {c1}.", "first"],
    [
      "believed, of a set of now",
      { id: "c1", type: "entity_set", cells: "s5.rows[*].dst", complete: true },
      "These were believed: {c1}.",
      "believed",
    ],
    ["believed, of an order of now", ORDER, "It was believed: {c1}.", "believed"],
    // A least time says nothing of how a series goes.
    [
      "burst, of the least time of a column",
      { id: "c1", type: "value", cell: "s1.rows[0].since" },
      "The burst was at {c1}.",
      "burst",
    ],
    [
      "steady, of the least time of a column",
      { id: "c1", type: "value", cell: "s1.rows[0].since" },
      "It was steady since {c1}.",
      "steady",
    ],
  ])("%s", async (_, claim, text, word) => expect(await refused(claim, text)).toEqual([`unlicensed: ${word}`]));
});
