// temporal_reachability of the reference engine on the stores of docs/contract.md A12: examples, and corners of A8.

import { describe, expect, it } from "vitest";
import { at, type Fields, reach, s1, s2, shown, WHERE } from "../support/example-stores.js";

describe("temporal_reachability on S1", () => {
  it("forward, with the digest that the contract prints", () => {
    const result = reach(s1(), { uid: ["a"] });
    expect(shown(result.payload.rows)).toEqual([
      { of: "a", uid: "b", arrival: at(10) },
      { of: "a", uid: "c", arrival: at(12) },
    ]);
    expect(result.resultDigest).toBe("34ea0506876e98176f0ccb6fd58986e2f1751391ebc5dcf790fcbfe2d090d6b6");
  });

  it("a wait limit that the second step misses", () => {
    expect(shown(reach(s1(), { uid: ["a"], max_wait: "PT1S" }).payload.rows)).toEqual([
      { of: "a", uid: "b", arrival: at(10) },
    ]);
  });

  it("backward with hops: the latest first departure, the fewest steps of any walk", () => {
    expect(shown(reach(s1(), { uid: ["a"], direction: "backward", hops: true }).payload.rows)).toEqual([
      { of: "a", uid: "c", departure: at(15), hops: 1 },
      { of: "a", uid: "b", departure: at(12), hops: 1 },
    ]);
  });

  it("an honest empty answer where every step is over", () => {
    const { payload } = reach(s1(), { uid: ["c"], window: { from: at(16), to: at(100) } });
    expect(payload).toMatchObject({ rows: [], rows_total: 0, complete: true, reached: [{ of: "c", count: 0 }] });
  });

  it("a strict next departure is later than the arrival, an arrival at the end of the window is too late", () => {
    const rows = (args: Fields) => shown(reach(s1(), { uid: ["c"], ...args }).payload.rows).map(({ uid }) => uid);
    expect(rows({ window: { from: at(0), to: at(15) } })).toEqual([]);
    expect(rows({ window: { from: at(0), to: at(30) } })).toEqual(["a"]);
    expect(rows({ window: { from: at(0), to: at(31) } })).toEqual(["a", "b"]);
  });
});

describe("temporal_reachability on S2", () => {
  const latest = { as_of_tt: "tx:5", window: null };

  it("departs late over an interval: the last microsecond before its end", () => {
    expect(shown(reach(s2(), { uid: ["c"], direction: "backward", ...latest }).payload.rows)).toEqual([
      { of: "c", uid: "a", departure: "2020-01-01T00:01:09.999999Z" },
      { of: "c", uid: "b", departure: "2020-01-01T00:01:09.999999Z" },
    ]);
  });

  it("over open facts the greatest departure is the end of the calendar", () => {
    const [row] = shown(
      reach(s2(), { uid: ["c"], direction: "backward", as_of_tt: "tx:3", window: null }).payload.rows,
    );
    expect(row).toEqual({ of: "c", uid: "b", departure: "9999-12-31T23:59:59.999999Z" });
  });

  it("valid_end rides the whole spell, across a correction, and cannot cross an open fact", () => {
    const ride = { arrival: "valid_end", window: null };
    expect(shown(reach(s2(), { uid: ["a"], as_of_tt: "tx:5", ...ride }).payload.rows)).toEqual([
      { of: "a", uid: "b", arrival: at(100) },
    ]);
    expect(shown(reach(s2(), { uid: ["b"], as_of_tt: "tx:3", ...ride }).payload.rows)).toEqual([]);
    const where = { ...WHERE, edge: [{ prop: "w", op: "eq", value: 1 }] };
    expect(shown(reach(s2(), { uid: ["a"], as_of_tt: "tx:5", ...ride, where }).payload.rows)).toEqual([]);
  });

  it("judges nodes when they are touched: b is a P only until @50", () => {
    const where = { ...WHERE, node: { uids: null, labels: ["P"], any_labels: null, props: [] } };
    const rows = (window: Fields) => shown(reach(s2(), { uid: ["a"], as_of_tt: "tx:5", where, window }).payload.rows);
    expect(rows({ from: at(49), to: null })).toEqual([{ of: "a", uid: "b", arrival: at(49) }]);
    expect(rows({ from: at(50), to: null })).toEqual([]);
  });
});
