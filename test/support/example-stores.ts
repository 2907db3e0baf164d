// The stores S1 and S2 of docs/contract.md A12 in the reference engine, and its way of printing rows.

import { ReferenceStore } from "../../src/reference/index.js";
import { formatInstant } from "../../src/reference/instants.js";

export const SECOND = 1_000_000n;
export const START = 1_577_836_800n * SECOND; // 2020-01-01T00:00:00Z
export const DAY = 86_400n * SECOND;
export const COMMIT_1 = 1_609_459_200n * SECOND; // 2021-01-01T00:00:00Z

/** The instant `@n` of the examples. */
export const at = (seconds: number) => formatInstant(START + BigInt(seconds) * SECOND);
/** The instant `Tn`. */
export const commitTime = (tx: number) => formatInstant(COMMIT_1 + BigInt(tx - 1) * DAY);

export const WHERE = { types: null, keys: null, edge: [], src: null, dst: null, node: null };
export const PAGE = { limit: 100, cursor: null };

export function storeOf(batches: readonly Record<string, unknown>[][]): ReferenceStore {
  const store = new ReferenceStore();
  for (const [i, operations] of batches.entries()) store.write(operations, COMMIT_1 + BigInt(i) * DAY);
  return store;
}

export function s1(): ReferenceStore {
  const events = [
    ["k1", "a", "b", 10],
    ["k2", "b", "c", 12],
    ["k3", "b", "a", 12],
    ["k4", "c", "a", 15],
    ["k5", "a", "b", 30],
  ] as const;
  const columns = {
    key: events.map(([key]) => key),
    src: events.map(([, src]) => src),
    dst: events.map(([, , dst]) => dst),
    time: events.map(([, , , seconds]) => at(seconds)),
  };
  return storeOf([[{ op: "ingest_events", type: "M", node_labels: ["P"], ...columns }]]);
}

export function s2(): ReferenceStore {
  const aRb = { src: "a", type: "R", dst: "b" };
  const bSc = { src: "b", type: "S", dst: "c" };
  return storeOf([
    [
      { op: "assert_node", uid: "a", labels: ["P"], props: { name: "Ada" }, valid_from: at(0), valid_to: null },
      { op: "assert_node", uid: "b", labels: ["P"], props: { name: "Bob" }, valid_from: at(0), valid_to: at(50) },
    ],
    [
      { op: "assert_edge", ...aRb, props: { w: 1 }, valid_from: at(0), valid_to: at(100) },
      { op: "assert_edge", ...bSc, props: { w: 2 }, valid_from: at(20), valid_to: null },
    ],
    [{ op: "correct", ref: aRb, props: { w: 5 }, valid_from: at(40), valid_to: at(60), reason: "typo" }],
    [{ op: "retract", ref: bSc, valid_from: at(70) }],
    [
      {
        op: "assert_node",
        uid: "a",
        labels: ["P", "Q"],
        props: { name: "Ada L" },
        valid_from: at(80),
        valid_to: at(120),
      },
    ],
  ]);
}

export type Fields = Record<string, unknown>;

export function reach(store: ReferenceStore, args: Fields) {
  return store.call("temporal_reachability", {
    as_of_tt: "tx:1",
    direction: "forward",
    orientation: "out",
    arrival: "instant",
    ties: "allow",
    max_wait: null,
    max_hops: null,
    hops: false,
    to: null,
    where: WHERE,
    window: { from: at(0), to: at(100) },
    ...PAGE,
    ...args,
  });
}

/** Rows as the examples print them: without null, empty lists and empty objects. */
export function shown(rows: unknown): Fields[] {
  const isEmpty = (value: unknown) => value === null || value === "" || JSON.stringify(value)?.length === 2;
  return (rows as Fields[]).map((row) =>
    Object.fromEntries(Object.entries(row).filter(([, value]) => !isEmpty(value))),
  );
}
