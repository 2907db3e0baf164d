// aggregate_events by the reference engine: a worked example, calendar periods, spans, sessions, having.

import { describe, expect, it } from "vitest";
import { parseInstant } from "../../src/reference/instants.js";
import { calendarPart, periodBegins } from "../../src/reference/local-calendar.js";
import { at, type Fields, PAGE, s1, WHERE } from "../support/example-stores.js";

function aggregate(args: Fields) {
  return s1().call("aggregate_events", {
    as_of_tt: "tx:1",
    group_by: [],
    aggregates: [{ fn: "count", as: "count" }],
    window: null,
    where: WHERE,
    pairs: "all",
    having: [],
    order_by: [],
    ...PAGE,
    ...args,
  }).payload;
}

describe("aggregate_events", () => {
  const byNode = {
    group_by: [{ dim: "node", role: "either" }],
    aggregates: [
      { fn: "count", as: "count" },
      { fn: "count_distinct", of: "other", as: "distinct_other" },
      { fn: "max_gap", as: "max_gap" },
    ],
  };
  const [a, b, c] = [
    { node: "a", count: 4, distinct_other: 2, max_gap: "PT15S" },
    { node: "b", count: 4, distinct_other: 2, max_gap: "PT18S" },
    { node: "c", count: 2, distinct_other: 2, max_gap: "PT3S" },
  ];

  it("groups by node from both ends", () => {
    const { rows, events, skipped } = aggregate(byNode);
    expect(rows).toEqual([a, b, c]);
    expect([events, skipped]).toEqual([5, {}]);
  });

  it("compares durations and instants as time in having and order_by", () => {
    const having = (column: string, op: string, value: unknown) =>
      aggregate({ ...byNode, having: [{ column, op, value }] }).rows;
    expect(having("max_gap", "lt", "PT0.25M")).toEqual([]); // not a duration
    expect(having("max_gap", "gt", "PT15.0S")).toEqual([b]);
    expect(having("max_gap", "in", ["PT0M3S", "PT18S", "soon"])).toEqual([b, c]);
    expect(having("node", "ge", "b")).toEqual([b, c]);
    const order_by = [{ column: "max_gap", desc: true, nulls: "first" }];
    expect(aggregate({ ...byNode, order_by }).rows).toEqual([b, a, c]);
    const first = { group_by: byNode.group_by, aggregates: [{ fn: "first", of: "at", as: "first_at" }] };
    const firstAt = { column: "first_at", op: "gt", value: "2020-01-01T01:00:10+01:00" };
    expect(aggregate({ ...first, having: [firstAt] }).rows).toEqual([{ node: "c", first_at: at(12) }]);
  });

  it("finds the fullest span and the longest session", () => {
    const aggregates = [
      { fn: "max_in_span", span: "PT5S", of: "events", as: "most" },
      { fn: "longest_session", gap: "PT3S", as: "session" },
      { fn: "mean", of: "at", as: "mean_at" },
      { fn: "median", of: "duration", as: "median_duration" },
      { fn: "stddev", of: "at", as: "stddev_at" },
    ];
    // Events at 10, 12, 12, 15, 30: the variance is (5.8² + 2 · 3.8² + 0.8² + 14.2²) / 5 = 52.96.
    expect(aggregate({ aggregates }).rows).toEqual([
      {
        most: 3,
        most_at: at(10),
        session: "PT5S",
        session_events: 4,
        mean_at: "2020-01-01T00:00:15.800000Z",
        median_duration: "PT0.000001S",
        stddev_at: "PT7.277362S",
      },
    ]);
  });

  it("gives one row over nothing", () => {
    const aggregates = [
      { fn: "count", as: "count" },
      { fn: "sum", prop: "w", as: "sum_w" },
      { fn: "max_in_span", span: "PT5S", of: "events", as: "most" },
      { fn: "longest_session", gap: "PT3S", as: "session" },
    ];
    const { rows, events, skipped } = aggregate({ aggregates, where: { ...WHERE, types: [] } });
    const none = { count: 0, sum_w: null, most: 0, most_at: null, session: null, session_events: 0 };
    expect(rows).toEqual([none]);
    expect([events, skipped]).toEqual([0, { w: 0 }]);
  });

  it("keeps the pairs that answer each other", () => {
    const rows = aggregate({ pairs: "reciprocal", group_by: [{ dim: "pair", undirected: true }] }).rows;
    expect(rows).toEqual([{ node_1: "a", node_2: "b", count: 3 }]);
  });
});

describe("calendar periods", () => {
  const part = (text: string, unit: string, zone = "UTC") => calendarPart(parseInstant(text), unit, zone);
  const begins = (text: string, unit: string, zone = "UTC") => periodBegins(parseInstant(text), unit, zone);

  it("names them", () => {
    const when = "2004-04-15T08:02:41Z";
    const units = ["year", "quarter", "month", "week", "date", "month_of_year", "day_of_month", "day_of_week"];
    const names = [2004, "2004-Q2", "2004-04", "2004-W16", "2004-04-15", 4, 15, 4];
    expect(units.map((unit) => part(when, unit))).toEqual(names);
    expect(part("2005-01-01T00:00:00Z", "week")).toBe("2004-W53");
    expect(part("2007-12-31T00:00:00Z", "week")).toBe("2008-W01");
    expect(part("-0043-03-15T00:00:00Z", "date")).toBe("-0043-03-15");
    expect(part("2020-01-01T00:30:00Z", "hour_of_day", "Asia/Kolkata")).toBe(6);
    expect(part("2020-01-01T00:30:00Z", "year", "America/New_York")).toBe(2019);
  });

  it("finds where they begin", () => {
    const when = "2004-05-16T08:02:41.500000Z";
    const starts = {
      year: "2004-01-01T00:00:00Z",
      quarter: "2004-04-01T00:00:00Z",
      month: "2004-05-01T00:00:00Z",
      week: "2004-05-10T00:00:00Z",
      day: "2004-05-16T00:00:00Z",
      hour: "2004-05-16T08:00:00Z",
      minute: "2004-05-16T08:02:00Z",
      second: "2004-05-16T08:02:41Z",
    };
    for (const [unit, start] of Object.entries(starts)) expect(begins(when, unit)).toBe(parseInstant(start));
    // A half-hour offset moves hours too; before 1970 everything floors.
    expect(begins("2020-01-01T00:20:00Z", "hour", "Asia/Kolkata")).toBe(parseInstant("2019-12-31T23:30:00Z"));
    expect(begins("1969-12-31T23:59:59.999999Z", "week")).toBe(parseInstant("1969-12-29T00:00:00Z"));
    expect(begins("2020-06-01T12:00:00Z", "day", "Europe/Berlin")).toBe(parseInstant("2020-05-31T22:00:00Z"));
  });
});
