// Worked examples of series, bursts, neighbours, co-activity and freshness, by the reference engine.

import { describe, expect, it } from "vitest";
import { at, type Fields, PAGE, s1, s2, shown, storeOf, WHERE } from "../support/example-stores.js";

const S1_CALL = { as_of_tt: "tx:1", where: WHERE, ...PAGE };
const S2_CALL = { as_of_tt: "tx:5", where: WHERE, ...PAGE };

describe("graph_metric_timeseries", () => {
  const series = (args: Fields) =>
    s1().call("graph_metric_timeseries", {
      metric: ["edge_event_count"],
      window: { from: at(0), to: at(40) },
      stride: "PT10S",
      zone: "UTC",
      node: null,
      ...S1_CALL,
      ...args,
    }).payload;
  const values = (args: Fields) => (series(args).rows as Fields[]).map((row) => [row.from, row.value, row.partial]);

  it("counts events by bucket", () => {
    expect(values({})).toEqual([
      [at(0), 0, false],
      [at(10), 4, false],
      [at(20), 0, false],
      [at(30), 1, false],
    ]);
    expect(values({ stride: "PT15S" })).toEqual([
      [at(0), 3, false],
      [at(15), 1, false],
      [at(30), 1, true],
    ]);
  });

  it("gives every metric in the argument's order", () => {
    const metric = ["reciprocity", "distinct_pair_count", "new_pair_count", "active_node_count", "mean_out_degree"];
    const window = { from: at(10), to: at(40) };
    const rows = series({ metric, window, stride: "PT30S" }).rows as Fields[];
    expect(rows.map((row) => [row.metric, row.value])).toEqual([
      ["reciprocity", 0.5],
      ["distinct_pair_count", 4],
      ["new_pair_count", 4],
      ["active_node_count", 3],
      ["mean_out_degree", 0.5],
    ]);
  });
});

describe("burst_detection", () => {
  const bursts = (args: Fields) =>
    s1().call("burst_detection", {
      target: { kind: "edge_events" },
      window: { from: at(-20), to: at(40) },
      stride: "PT10S",
      zone: "UTC",
      method: "zscore",
      sides: "up",
      w: 2,
      min_history: 2,
      z: 3,
      r: 3,
      min_change: 1,
      ...S1_CALL,
      ...args,
    }).payload;

  it("flags a bucket over a history without spread", () => {
    const { rows, n_buckets, judged, not_judged } = bursts({});
    const flagged = { value: 4, baseline: 0, spread: 0, reason: "zero_spread", side: "up", history: 2 };
    expect(shown(rows)).toEqual([{ from: at(10), to: at(20), ...flagged }]);
    expect([n_buckets, judged, not_judged]).toEqual([6, 4, 2]);
  });

  it("scores against the median", () => {
    // At @20 the history is 0, 4 with median 2; at @10 the baseline is 0.
    const rows = bursts({ method: "ratio", sides: "both", r: 1.5 }).rows as Fields[];
    expect(rows.map(({ from, score, side, reason }) => [from, score, side, reason])).toEqual([
      [at(10), null, "up", "zero_baseline"],
      [at(20), 0, "down", null],
      [at(30), 0.5, "down", null],
    ]);
  });
});

describe("neighborhood_evolution", () => {
  const evolution = (args: Fields) =>
    s2().call("neighborhood_evolution", {
      uid: "b",
      t1: at(30),
      t2: at(90),
      lookback: null,
      stride: "PT30S",
      orientation: "both",
      include: ["gained", "lost"],
      ...S2_CALL,
      ...args,
    }).payload;

  it("finds the neighbour that is lost, and the degree", () => {
    const { rows, totals, series } = evolution({});
    expect(rows).toEqual([{ change: "lost", uid: "c", edges: 1 }]);
    expect(totals).toEqual({ gained: 0, lost: 1, kept: 1 });
    expect((series as { rows: Fields[] }).rows).toEqual([
      { t: at(30), degree: 2, neighbours: 2 },
      { t: at(60), degree: 2, neighbours: 2 },
      { t: at(90), degree: 1, neighbours: 1 },
    ]);
  });

  it("looks back to the last microsecond of a fact", () => {
    // b S c ends before @70; (@90 - L, @90] reaches its last microsecond when L is 20 s and 2 us.
    expect(evolution({ lookback: "PT20.000002S" }).totals).toEqual({ gained: 0, lost: 0, kept: 2 });
    expect(evolution({ lookback: "PT20.000001S" }).totals).toEqual({ gained: 0, lost: 1, kept: 1 });
  });
});

describe("co_active", () => {
  const pairs = (edge: readonly unknown[]) =>
    s2().call("co_active", {
      a: { src: null, dst: null, where: { ...WHERE, types: ["S"] } },
      b: { src: null, dst: null, where: { ...WHERE, types: ["R"], edge } },
      relations: "intersects",
      on: [],
      min_gap: null,
      max_gap: null,
      window: null,
      unordered: false,
      as_of_tt: "tx:5",
      ...PAGE,
    }).payload.rows as { a: Fields; b: Fields; relation: string; overlap: Fields }[];

  it("relates spells, and spans under a filter", () => {
    const [whole, ...none] = pairs([]);
    expect(none).toEqual([]);
    expect(whole).toMatchObject({ relation: "during", overlap: { from: at(20), to: at(70) } });
    expect(whole!.b).toMatchObject({ src: "a", type: "R", dst: "b", valid_from: at(0), valid_to: at(100) });

    const cut = pairs([{ prop: "w", op: "eq", value: 1 }]);
    expect(cut.map(({ b, relation, overlap }) => [b.valid_from, b.valid_to, relation, overlap])).toEqual([
      [at(0), at(40), "overlapped_by", { from: at(20), to: at(40) }],
      [at(60), at(100), "overlaps", { from: at(60), to: at(70) }],
    ]);
  });
});

describe("fact_freshness", () => {
  const day = (text: string) => `${text}T00:00:00Z`;
  const defaults = {
    types: null,
    half_life: { default: 365, by_type: {} },
    functional: [],
    confirmed_prop: null,
    age: "whole_days",
    digits: 9,
    include: ["current", "expired", "superseded"],
    where: WHERE,
    ...PAGE,
  };
  const reigns = [
    ["Alice", "2021-01-15", "2023-11-17"],
    ["Bob", "2023-11-17", "2023-11-19"],
    ["Charlie", "2023-11-19", "2023-11-21"],
    ["Bob", "2023-11-21", null],
  ] as const;
  const company = storeOf([
    [
      ...reigns.map(([dst, from, to]) => ({
        op: "assert_edge",
        src: "TechCorp",
        type: "HAS_CEO",
        dst,
        valid_from: day(from),
        valid_to: to === null ? null : day(to),
      })),
      { op: "assert_edge", src: "TechCorp", type: "FOUNDED_IN", dst: "San Francisco", valid_from: day("2010-05-01") },
    ],
  ]);
  const aboutCompany = (args: Fields) =>
    company.call("fact_freshness", { src: "TechCorp", as_of_tt: "tx:1", ...defaults, digits: 4, ...args }).payload
      .rows as Fields[];
  const ceos = (when: string) =>
    aboutCompany({ types: ["HAS_CEO"], functional: ["HAS_CEO"], at: day(when) }).map((row) => [
      row.dst,
      row.valid_from,
      row.age_days,
      row.weight,
      row.status,
      (row.superseded_by as Fields | null)?.dst ?? null,
    ]);

  // Bob's two reigns, with Charlie's between them, are two facts of one edge.
  it("weighs the published example to the printed digit", () => {
    expect(ceos("2023-11-18")).toEqual([
      ["Bob", day("2023-11-17"), 1, 0.9981, "current", null],
      ["Alice", day("2021-01-15"), 1037, 0.1396, "superseded", "Bob"],
    ]);
    expect(ceos("2023-12-01")).toEqual([
      ["Bob", day("2023-11-21"), 10, 0.9812, "current", null],
      ["Charlie", day("2023-11-19"), 12, 0.9775, "superseded", "Bob"],
      ["Bob", day("2023-11-17"), 14, 0.9738, "superseded", "Charlie"],
      ["Alice", day("2021-01-15"), 1050, 0.1362, "superseded", "Bob"],
    ]);
  });

  it("decays by half-life, or never", () => {
    const founded = (args: Fields) =>
      aboutCompany({ types: ["FOUNDED_IN"], at: day("2023-12-01"), ...args }).map(({ age_days, weight }) => [
        age_days,
        weight,
      ]);
    expect(founded({})).toEqual([[4962, 0.0001]]);
    expect(founded({ half_life: { default: 365, by_type: { FOUNDED_IN: null } } })).toEqual([[4962, 1]]);
    expect(founded({ at: day("2011-05-01") })).toEqual([[365, 0.5]]);
    expect(founded({ at: day("2010-05-01") })).toEqual([[0, 1]]);
  });

  it("shows what is believed no more", () => {
    const { rows } = s2().call("fact_freshness", {
      src: "b",
      at: at(90),
      as_of_tt: "tx:5",
      ...defaults,
      include: ["expired", "retracted"],
    }).payload;
    const span = { src: "b", type: "S", dst: "c" };
    const weighed = { weight: 1, age_days: 0, basis_kind: "asserted", half_life: 365, half_life_from: "default" };
    expect(shown(rows)).toEqual([
      {
        ...span,
        ...weighed,
        valid_from: at(20),
        valid_to: at(70),
        basis: at(20),
        status: "expired",
        conflicts_total: 0,
      },
      {
        ...span,
        ...weighed,
        valid_from: at(70),
        basis: at(70),
        status: "retracted",
        conflicts_total: 0,
        ended_by: "retracted",
        ended_tx: 4,
      },
    ]);
  });
});
