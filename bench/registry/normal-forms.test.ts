// Normal forms on rows written by hand, and the brute-force answers against digests published by an independent program.
// The larger scale is asked for with PALIMPSEST_LARGE_VECTORS=1.

import { describe, expect, it } from "vitest";
import { events, questions } from "../data/corrected-intervals.js";
import { IntervalFacts } from "./brute-force.js";
import { publishedDigest } from "./expected.js";
import {
  answerDigest,
  arrivalForm,
  canonicalText,
  diffForm,
  firstDifference,
  historyForm,
  instantOf,
  reachForm,
  snapshotForm,
  ticksOf,
  whole,
} from "./normal-forms.js";

const withLargeVectors = process.env.PALIMPSEST_LARGE_VECTORS === "1";

describe("brute force", () => {
  for (const scale of [200_000, 1_000_000]) {
    it.skipIf(scale > 200_000 && !withLargeVectors)(`gives the published answers at ${scale}`, () => {
      const facts = new IntervalFacts(scale, events(scale));
      for (const question of questions(scale)) {
        const answer = facts.answer(question);
        expect([question.id, answerDigest(answer).slice(0, 12)]).toEqual([
          question.id,
          publishedDigest(scale, question.id),
        ]);
      }
    });
  }
});

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

  it("order a history by its beginnings, with null for an open end", () => {
    const row = (from: string, to: string | null, props: { [name: string]: string }) => ({
      labels: ["Node"],
      valid_from: from,
      valid_to: to,
      props,
    });
    const rows = [
      row("1970-01-01T00:00:01Z", null, {}),
      row("1970-01-01T00:00:00Z", "1970-01-01T00:00:01Z", { name: "x" }),
    ];
    expect(canonicalText(historyForm(rows))).toBe('[[["Node"],0,1000000,{"name":"x"}],[["Node"],1000000,null,{}]]');
  });

  it("sort a snapshot by code point, not by number", () => {
    const edge = (src: string, dst: string) => ({
      src,
      dst,
      type: "R",
      valid_from: "1970-01-01T00:00:00.000001Z",
      valid_to: "1970-01-01T00:00:00.000009Z",
    });
    const form = snapshotForm(
      [edge("n2", "n1"), edge("n10", "n2")],
      [
        { uid: "n2", hop: 1 },
        { uid: "n10", hop: 0 },
      ],
    );
    expect(form).toEqual({
      nodes: [
        ["n10", 0],
        ["n2", 1],
      ],
      edges: [
        ["n10", "n2", "R", 1, 9],
        ["n2", "n1", "R", 1, 9],
      ],
    });
  });

  it("sort the changes of a difference into six lists", () => {
    const nothing = { uid: null, src: null, type: null, dst: null, before: null, after: null };
    const totals = { nodes_added: 1, edges_changed: 1 };
    const rows = [
      { ...nothing, element: "node" as const, change: "added" as const, uid: "b", after: { props: {} } },
      {
        ...nothing,
        element: "edge" as const,
        change: "changed" as const,
        src: "a",
        type: "R",
        dst: "b",
        before: { props: {} },
        after: { props: { weight: 2 } },
      },
    ];
    expect(diffForm(rows, totals)).toEqual({
      totals,
      nodes_added: ["b"],
      nodes_removed: [],
      nodes_changed: [],
      edges_added: [],
      edges_removed: [],
      edges_changed: [["a", "b", "R", {}, { weight: 2 }]],
    });
  });

  it("order arrivals by instant in one family and by node in the other", () => {
    const rows = [
      { uid: "10", arrival: "1970-01-01T00:00:07Z" },
      { uid: "2", arrival: "1970-01-01T00:00:09Z" },
      { uid: "1", arrival: "1970-01-01T00:00:09Z" },
    ];
    expect(reachForm(rows)).toEqual([
      ["10", 7_000_000],
      ["1", 9_000_000],
      ["2", 9_000_000],
    ]);
    expect(arrivalForm(rows)).toEqual([
      [1, 9],
      [2, 9],
      [10, 7],
    ]);
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
