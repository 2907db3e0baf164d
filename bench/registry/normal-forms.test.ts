// What normal forms are made of, on values written by hand.

import { describe, expect, it } from "vitest";
import {
  answerDigest,
  compareRows,
  durationOf,
  firstDifference,
  instantOf,
  rowCount,
  ticksOf,
  whole,
} from "./normal-forms.js";

describe("normal forms", () => {
  it("read and write instants as ticks", () => {
    for (const [ticks, instant] of [
      [0, "1970-01-01T00:00:00.000000Z"],
      [105_000, "1970-01-01T00:00:00.105000Z"],
      [1_000_000_000_000_007, "2001-09-09T01:46:40.000007Z"],
    ] as const) {
      expect(instantOf(ticks)).toBe(instant);
      expect(ticksOf(instant)).toBe(ticks);
    }
    expect(ticksOf("2001-09-09T01:46:40Z")).toBe(1_000_000_000_000_000);
    expect(() => ticksOf("2001-09-09")).toThrow("2001-09-09");
  });

  it("write ticks as durations", () => {
    expect([0, 4_000, 1_000_000, 86_400_000_000].map(durationOf)).toEqual(["PT0S", "PT0.004000S", "PT1S", "PT86400S"]);
  });

  it("order rows by their fields, rows inside rows too", () => {
    const rows = [
      [["n2", 7], 1],
      [["n10", 9], 2],
      [["n2", 6], 3],
    ];
    expect([...rows].sort(compareRows).map((row) => row[1])).toEqual([2, 3, 1]);
  });

  it("count the rows that an answer stands for", () => {
    expect(rowCount(7)).toBe(1);
    expect(rowCount({ totals: { x: 9 }, x: [1, 2], y: { rows: 20_000, sha256: "…" } })).toBe(20_002);
  });

  it("replace a list of more than ten thousand rows by its length and digest", () => {
    const rows = Array.from({ length: 10_001 }, (_, index) => index);
    expect(whole(rows.slice(1))).toEqual(rows.slice(1));
    expect(whole(rows)).toEqual({ rows: 10_001, sha256: answerDigest(rows) });
  });

  it("name the first difference", () => {
    expect(firstDifference({ a: [1, 2] }, { a: [1, 2] })).toBeNull();
    expect(firstDifference({ a: [1, 2] }, { a: [1, 3] })).toBe(".a[1]: 2, expected 3");
    expect(firstDifference([1], [1, 2])).toBe("[1]: null, expected 2 (1 rows, expected 2)");
  });
});
