// The small stores that statements are asked over, as batches with the times of their commits, small enough to count by hand.
import type { Database } from "../../src/index.js";
import { open } from "../../src/index.js";

type Operations = Parameters<Database["write"]>[0];
interface Batch {
  readonly txTime: string;
  readonly ops: Operations;
}

const midnight = (day: string): string => `${day}T00:00:00Z`;

/** A fact that holds for one microsecond. */
function payment(
  src: string,
  dst: string,
  key: string,
  at: string,
  props: Record<string, unknown>,
): Operations[number] {
  const valid_from = `${at}:00Z`;
  return { op: "assert_edge", src, type: "PAID", dst, key, props, valid_from, valid_to: `${at}:00.000001Z` };
}

function spell(
  src: string,
  type: string,
  dst: string,
  from: string,
  to: string | null,
  props: Record<string, unknown> = {},
): Operations[number] {
  return {
    op: "assert_edge",
    src,
    type,
    dst,
    props,
    valid_from: midnight(from),
    valid_to: to === null ? null : midnight(to),
  };
}

function node(uid: string, labels: string[], props: Record<string, unknown>, from: string): Operations[number] {
  return { op: "assert_node", uid, labels, props, valid_from: midnight(from) };
}

/**
 * Accounts a, b, c, d that pay each other, and spells in which some are frozen. The third payment was typed in with 20 and
 * corrected to 25 by commit 3.
 */
const PAYMENTS: readonly Batch[] = [
  {
    txTime: "2025-01-01T00:00:00Z",
    ops: [
      node("a", ["Account"], { owner: "Ann", grade: 1 }, "2024-01-01"),
      node("b", ["Account"], { owner: "Bob", grade: 2 }, "2024-01-01"),
      node("c", ["Account", "Closed"], { owner: "Cid" }, "2024-06-01"),
      node("d", ["Account"], { owner: "Dee", grade: 2 }, "2024-01-01"),
    ],
  },
  {
    txTime: "2025-03-02T00:00:00Z",
    ops: [
      payment("a", "b", "k1", "2025-01-01T10:00", { amount: 10, channel: "card" }),
      payment("b", "a", "k2", "2025-01-03T10:00", { amount: 5.5, channel: "cash" }),
      payment("a", "c", "k3", "2025-01-05T09:00", { amount: 20, channel: "card" }),
      payment("c", "d", "k4", "2025-01-05T09:00", { amount: 7, channel: "card" }),
      payment("d", "a", "k5", "2025-02-10T00:00", { amount: 1, channel: "cash" }),
      payment("a", "a", "k6", "2025-02-11T12:00", { amount: 3, channel: "card" }),
      payment("b", "c", "k7", "2025-03-01T00:00", { amount: 20 }),
      spell("a", "FROZEN_BY", "bank", "2025-01-04", "2025-01-06"),
      spell("d", "FROZEN_BY", "bank", "2025-02-01", null),
    ],
  },
  {
    txTime: "2025-03-05T00:00:00Z",
    ops: [
      {
        op: "correct",
        ref: { src: "a", type: "PAID", dst: "c", key: "k3" },
        mode: "patch",
        props: { amount: 25 },
        valid_from: "2025-01-05T09:00:00Z",
        valid_to: "2025-01-05T09:00:00.000001Z",
        reason: "typo",
      },
    ],
  },
];

/**
 * Nurses n1 to n4 on wards w1 to w3, and their leave. n1's shift in February was corrected by commit 4; commit 5 ends n2's
 * work in June and gives n3 another grade from February on, no longer a trainee.
 */
const HOSPITAL: readonly Batch[] = [
  {
    txTime: "2025-01-10T00:00:00Z",
    ops: [
      node("n1", ["Nurse"], { name: "Åsa", grade: 5 }, "2025-01-01"),
      node("n2", ["Nurse"], { name: "Bo", grade: 4 }, "2025-01-01"),
      node("n3", ["Nurse", "Trainee"], { name: "Cleo", grade: 2 }, "2025-01-01"),
      node("n4", ["Nurse"], { name: "D'Arcy", grade: 7 }, "2025-01-01"),
      node("w1", ["Ward"], { name: "East", order: 1 }, "2025-01-01"),
      node("w2", ["Ward"], { name: 'West "old"', order: 2 }, "2025-01-01"),
      node("w3", ["Ward"], { name: "North" }, "2025-01-01"),
    ],
  },
  {
    txTime: "2025-01-20T00:00:00Z",
    ops: [
      spell("n1", "WORKS_ON", "w1", "2025-01-01", "2025-03-01", { shift: "day" }),
      spell("n2", "WORKS_ON", "w1", "2025-02-01", null, { shift: "night" }),
      spell("n3", "WORKS_ON", "w2", "2025-01-15", "2025-02-15", { shift: "day" }),
      spell("n4", "WORKS_ON", "w2", "2025-01-01", null, { shift: "night" }),
    ],
  },
  {
    txTime: "2025-02-21T00:00:00Z",
    ops: [
      spell("n1", "ON_LEAVE", "home", "2025-01-20", "2025-01-25"),
      spell("n4", "ON_LEAVE", "home", "2025-02-10", "2025-02-20"),
    ],
  },
  {
    txTime: "2025-03-05T00:00:00Z",
    ops: [
      {
        op: "correct",
        ref: { src: "n1", type: "WORKS_ON", dst: "w1" },
        mode: "patch",
        props: { shift: "night" },
        valid_from: midnight("2025-02-01"),
        valid_to: midnight("2025-03-01"),
        reason: "rota typed in wrong",
      },
    ],
  },
  {
    txTime: "2025-03-10T00:00:00Z",
    ops: [
      {
        op: "retract",
        ref: { src: "n2", type: "WORKS_ON", dst: "w1" },
        valid_from: midnight("2025-06-01"),
        reason: "moves away",
      },
      node("n3", ["Nurse"], { name: "Cleo", grade: 3 }, "2025-02-01"),
    ],
  },
];

/** Texts that look like other things, and properties named like columns and keywords. */
const ODDITIES: readonly Batch[] = [
  {
    txTime: "2025-01-01T00:00:00Z",
    ops: [
      node("1598", ["Odd name"], { order: 3, uid: "not me", time: 1, "a b": true }, "2025-01-01"),
      node("o'brien", ["Odd name"], { order: 1, time: 2, list: [1, 2, 3] }, "2025-01-01"),
      node('say "hi"', ["Odd name", "Order"], { order: 2, big: 9_007_199_254_740_993n }, "2025-01-01"),
      node("naïve; DROP TABLE x --", ["Odd name"], { big: 9_007_199_254_740_992n, list: [] }, "2025-01-01"),
      node("\u{1F600}", ["Odd name"], { big: 1.5, map: { k: { n: 4 } } }, "-0043-03-15"),
      {
        op: "assert_edge",
        src: "1598",
        type: "is near",
        dst: "o'brien",
        key: "it's",
        props: { src: 7, key: "x" },
        valid_from: "2025-01-01",
      },
    ],
  },
];

const STORES = { payments: PAYMENTS, hospital: HOSPITAL, oddities: ODDITIES } as const;
export type SmallStore = keyof typeof STORES;

/** A store of its own in memory, for who asks and for who writes. */
export async function smallStore(name: SmallStore): Promise<Database> {
  const db = await open(":memory:");
  for (const { txTime, ops } of STORES[name]) await db.write(ops, { txTime });
  return db;
}
