// The two small stores of the examples and the short forms in which examples write instants, versions and envelopes.
// `at(n)` is 2020-01-01T00:00:00Z plus n seconds, `txTime(n)` the time of commit n.
import { formatInstant } from "../contract/instant.js";
import type { JsonObject } from "../contract/values.js";
import type { StoreScript } from "./declaration.js";

const START_US = 1_577_836_800_000_000n;

export const at = (seconds: number): string => formatInstant(START_US + BigInt(seconds) * 1_000_000n);
export const txTime = (tx: number): string => `2021-01-0${tx}T00:00:00Z`;
export const pinAt = (tx: number): JsonObject => ({ tx, tx_time: txTime(tx) });

/** S1: five events in one commit. */
export const S1: StoreScript = {
  batches: [
    {
      txTime: txTime(1),
      ops: [
        {
          op: "ingest_events",
          type: "M",
          key: ["k1", "k2", "k3", "k4", "k5"],
          src: ["a", "b", "b", "c", "a"],
          dst: ["b", "c", "a", "a", "b"],
          time: [at(10), at(12), at(12), at(15), at(30)],
          node_labels: ["P"],
        },
      ],
    },
  ],
};

const node = (uid: string, labels: string[], name: string, from: number, to: number | null): JsonObject => ({
  op: "assert_node",
  uid,
  labels,
  props: { name },
  valid_from: at(from),
  valid_to: to === null ? null : at(to),
});

const edge = (src: string, type: string, dst: string, w: number, from: number, to: number | null): JsonObject => ({
  op: "assert_edge",
  src,
  type,
  dst,
  props: { w },
  valid_from: at(from),
  valid_to: to === null ? null : at(to),
});

/** S2: nodes and edges that are corrected, retracted and overwritten over five commits. */
export const S2: StoreScript = {
  batches: [
    { txTime: txTime(1), ops: [node("a", ["P"], "Ada", 0, null), node("b", ["P"], "Bob", 0, 50)] },
    { txTime: txTime(2), ops: [edge("a", "R", "b", 1, 0, 100), edge("b", "S", "c", 2, 20, null)] },
    {
      txTime: txTime(3),
      ops: [
        {
          op: "correct",
          ref: { src: "a", type: "R", dst: "b" },
          props: { w: 5 },
          valid_from: at(40),
          valid_to: at(60),
          reason: "typo",
        },
      ],
    },
    { txTime: txTime(4), ops: [{ op: "retract", ref: { src: "b", type: "S", dst: "c" }, valid_from: at(70) }] },
    { txTime: txTime(5), ops: [node("a", ["P", "Q"], "Ada L", 80, 120)] },
  ],
};

const NOTHING_SAID: JsonObject = {
  tx_to: null,
  ended_by: null,
  ended_reason: null,
  source: null,
  provenance_ref: null,
  reason: null,
};

/** A shown version: fields that are not given are null. */
export const version = (fields: JsonObject): JsonObject => ({ valid_to: null, ...NOTHING_SAID, ...fields });

const ALL: JsonObject = { types: null, keys: null, edge: [], src: null, dst: null, node: null };

/** The arguments that every operator has, and `where`, as an envelope echoes their defaults. */
export const echo = (tx: number, args: JsonObject): JsonObject => ({
  as_of_tt: `tx:${tx}`,
  cursor: null,
  limit: 100,
  where: ALL,
  ...args,
});

/** An envelope whose lists are whole. */
export const whole = (
  op: string,
  tx: number,
  args: JsonObject,
  rows: JsonObject[],
  fields: JsonObject,
): JsonObject => ({
  op,
  args: echo(tx, args),
  pin: pinAt(tx),
  rows,
  rows_total: rows.length,
  truncated: false,
  cursor: null,
  complete: true,
  incomplete: [],
  erased: 0,
  ...fields,
});

/** A secondary list that is whole. */
export const wholeList = (rows: JsonObject[]): JsonObject => ({
  rows,
  rows_total: rows.length,
  truncated: false,
  cursor: null,
});
