// The normal form of each answer, on rows written by hand.

import { describe, expect, it } from "vitest";
import {
  aggregateForm,
  arrivalForm,
  burstForm,
  coActiveForm,
  diffForm,
  evolutionForm,
  historyForm,
  motifCountForm,
  motifTableForm,
  pathsForm,
  reachForm,
  resolveForm,
  seriesForm,
  snapshotForm,
} from "./answer-forms.js";
import { canonicalText } from "./normal-forms.js";

const SECOND_1 = "1970-01-01T00:00:01Z";
const SECOND_2 = "1970-01-01T00:00:02Z";

describe("answer forms", () => {
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

  it("name a path by the spells that it crosses", () => {
    const edge = (src: string, dst: string, valid_from: string) => ({
      src,
      dst,
      type: "R",
      valid_from,
      valid_to: null,
    });
    const path = [edge("n1", "n3", SECOND_1), edge("n3", "n2", SECOND_2)];
    expect(pathsForm([{ edges: path }])).toEqual([
      [
        ["n1", "n3", "R", 1_000_000],
        ["n3", "n2", "R", 2_000_000],
      ],
    ]);
  });

  it("keep the order of buckets", () => {
    expect(seriesForm([{ value: 4 }, { value: 0 }])).toEqual([4, 0]);
    expect(
      burstForm([
        { from: SECOND_2, score: 3.5 },
        { from: SECOND_1, score: null },
      ]),
    ).toEqual([
      [2_000_000, 3.5],
      [1_000_000, null],
    ]);
  });

  it("leave the last sample and the kept neighbours out of an evolution", () => {
    const rows = [
      { change: "gained" as const, uid: "n9" },
      { change: "kept" as const, uid: "n5" },
      { change: "lost" as const, uid: "n10" },
      { change: "gained" as const, uid: "n10" },
    ];
    const series = [
      { t: SECOND_1, degree: 4 },
      { t: SECOND_2, degree: 5 },
    ];
    expect(evolutionForm(rows, series, 2_000_000)).toEqual({
      gained: ["n10", "n9"],
      lost: ["n10"],
      degree: [[1_000_000, 4]],
    });
  });

  it("sort pairs of facts by the first, then by the second", () => {
    const fact = (dst: string) => ({ src: "n1", dst, type: "S", valid_from: SECOND_1, valid_to: SECOND_2 });
    const shown = (dst: string) => ["n1", dst, "S", 1_000_000, 2_000_000];
    expect(
      coActiveForm([
        { a: fact("n4"), b: fact("n3") },
        { a: fact("n4"), b: fact("n2") },
        { a: fact("n3"), b: fact("n9") },
      ]),
    ).toEqual([
      [shown("n3"), shown("n9")],
      [shown("n4"), shown("n2")],
      [shown("n4"), shown("n3")],
    ]);
  });

  it("put an equal uid before a contained text, and a uid before a name", () => {
    const found = (uid: string, on: string, tier: string) => ({ uid, on, tier, labels: ["Node"], name: null });
    expect(
      resolveForm([found("x", "name", "exact"), found("n1", "uid", "exact"), found("n10", "uid", "prefix")]),
    ).toEqual([
      [0, "n1", ["Node"], null],
      [1, "n10", ["Node"], null],
      [2, "x", ["Node"], null],
    ]);
  });

  it("sort groups and motifs", () => {
    const group = (type: string, from: string) => ({ type, from, count: 3, distinct_dst: 2 });
    expect(aggregateForm([group("S", SECOND_1), group("R", SECOND_2)])).toEqual([
      ["R", 2_000_000, 3, 2],
      ["S", 1_000_000, 3, 2],
    ]);
    const counts = [
      { motif: "a>b,b>c,c>a", count: 5n },
      { motif: "a>b,a>b,a>b", count: 1 },
    ];
    expect(motifCountForm(counts)).toBe(5);
    expect(motifTableForm(counts)).toEqual([
      ["a>b,a>b,a>b", 1],
      ["a>b,b>c,c>a", 5],
    ]);
  });
});
