// Every reason of the closed list, rule by rule, over a store of a few events, and beside it the nearest claim that does
// not have it: a rule that is taken out fails here. Both verifiers say the same.
import { describe, expect, it } from "vitest";
import { Evidence } from "../../src/agent/claims/evidence.js";
import { verifyClaim } from "../../src/agent/claims/verify.js";
import {
  aggregate,
  askSteps,
  at,
  BY_SENDER,
  type Case,
  compute,
  expectVerdict,
  order,
  type Step,
  TOTAL,
  testCases,
  WINDOW,
} from "./small-store.js";

/** A query over the rows of who sent how often. */
const ofSenders = (items: string, rest = ""): Step => ({
  id: "s3",
  op: "select",
  args: { query: `SELECT ${items} FROM t ${rest}`, tables: { t: { $ref: "s1" } } },
});

const MALFORMED: readonly Case[] = [
  ["no type", [BY_SENDER], { cell: "s1.rows_total" }, "unverifiable", "malformed"],
  ["another type", [BY_SENDER], { type: "sum", cell: "s1.rows_total" }, "unverifiable", "malformed"],
  ["a key that no claim has", [BY_SENDER], { type: "count", cell: "s1.rows_total", x: 1 }, "unverifiable", "malformed"],
  ["an empty path", [BY_SENDER], { type: "count", cell: "" }, "unverifiable", "malformed"],
  ["a long path", [BY_SENDER], { type: "count", cell: "s".repeat(201) }, "unverifiable", "malformed"],
  ["another id", [BY_SENDER], { id: "x1", type: "count", cell: "s1.rows_total" }, "unverifiable", "malformed"],
  [
    "five subjects",
    [BY_SENDER],
    { type: "count", cell: "s1.rows_total", about: ["q1", "q1", "q1", "q1", "q1"] },
    "unverifiable",
    "malformed",
  ],
  [
    "an absence of both forms",
    [BY_SENDER],
    { type: "absence", cell: "s1.events", list: "s1" },
    "unverifiable",
    "malformed",
  ],
  [
    "a burst without a row",
    [BY_SENDER],
    { type: "temporal_pattern", pattern: "burst", step: "s1" },
    "unverifiable",
    "malformed",
  ],
  [
    "a trend with a row",
    [BY_SENDER],
    { type: "temporal_pattern", pattern: "trend", step: "s1", direction: "up", row: "s1.rows[0].n" },
    "unverifiable",
    "malformed",
  ],
  [
    "a share that is none of four",
    [BY_SENDER],
    { type: "temporal_pattern", pattern: "concentration", step: "s1", row: "s1.rows[0].n", share: 60 },
    "unverifiable",
    "malformed",
  ],
];

const PLACES: readonly Case[] = [
  ["a step that is not there", [BY_SENDER], { type: "count", cell: "s7.rows_total" }, "unverifiable", "no_evidence"],
  ["a row that is not held", [BY_SENDER], { type: "count", cell: "s1.rows[3].n" }, "unverifiable", "no_cell"],
  ["the last row that is", [BY_SENDER], { type: "count", cell: "s1.rows[2].n", value: 1 }, "supported"],
  ["a field that no row has", [BY_SENDER], { type: "count", cell: "s1.rows[0].m" }, "unverifiable", "no_cell"],
  ["a list as a cell", [BY_SENDER], { type: "count", cell: "s1.rows[*].n" }, "unverifiable", "no_cell"],
  ["a row as a cell", [BY_SENDER], { type: "value", cell: "s1.rows[0]" }, "unverifiable", "no_cell"],
  ["a cell as a list", [BY_SENDER], { type: "absence", list: "s1.rows_total" }, "unverifiable", "no_cell"],
  [
    "one member as a set",
    [BY_SENDER],
    { type: "entity_set", cells: "s1.rows[0].src", complete: false },
    "unverifiable",
    "no_cell",
  ],
  ["a path of no grammar", [BY_SENDER], { type: "count", cell: "s1..n" }, "unverifiable", "no_cell"],
  ...["op", "args.limit", "pin.tx", "result_digest", "cursor", "truncated", "complete", "incomplete", "erased"].map(
    (path): Case => [
      `${path} of the answer`,
      [BY_SENDER],
      { type: "value", cell: `s1.${path}` },
      "unverifiable",
      "not_evidence",
    ],
  ),
  [
    "whom a walk was asked of",
    [{ id: "s1", op: "temporal_reachability", args: { uid: "ana", window: WINDOW } }],
    { type: "entity", cell: "s1.rows[0].of" },
    "unverifiable",
    "not_evidence",
  ],
  [
    "whom a count of reached was asked of",
    [{ id: "s1", op: "temporal_reachability", args: { uid: "ana", window: WINDOW } }],
    { type: "entity", cell: "s1.reached[0].of" },
    "unverifiable",
    "not_evidence",
  ],
  [
    "whom a walk came to",
    [{ id: "s1", op: "temporal_reachability", args: { uid: "ana", window: WINDOW } }],
    { type: "entity", cell: "s1.rows[0].uid", value: "bo" },
    "supported",
  ],
  [
    "the stride of neighbourhoods",
    [{ id: "s1", op: "neighborhood_evolution", args: { uid: "ana", t1: at(0), t2: at(50), stride: "PT25S" } }],
    { type: "value", cell: "s1.stride" },
    "unverifiable",
    "not_evidence",
  ],
  [
    "a gap of no two events",
    [aggregate("s1", { aggregates: [{ fn: "max_gap", as: "gap" }], window: { from: at(9), to: at(11) } })],
    { type: "value", cell: "s1.rows[0].gap" },
    "unverifiable",
    "null_cell",
  ],
  [
    "a member that is null",
    [BY_SENDER, ofSenders("NULLIF(t.src, 'bo') AS u")],
    { type: "entity_set", cells: "s3.rows[*].u", complete: true },
    "unverifiable",
    "null_cell",
  ],
];

const TIES: readonly Case[] = [
  ["its own row", [BY_SENDER], { type: "count", cell: "s1.rows[0].n", about: ["s1.rows[0].src"] }, "supported"],
  [
    "another row",
    [BY_SENDER],
    { type: "count", cell: "s1.rows[0].n", about: ["s1.rows[1].src"] },
    "unverifiable",
    "untied",
  ],
  [
    "another step that holds the same",
    [BY_SENDER, aggregate("s2", { group_by: [{ dim: "node", role: "src" }], order_by: order })],
    { type: "count", cell: "s1.rows[0].n", about: ["s2.rows[0].src"] },
    "unverifiable",
    "untied",
  ],
  [
    "a reference into a filter",
    [BY_SENDER, aggregate("s2", { where: { dst: { uids: [{ $ref: "s1.rows[0].src" }] } } })],
    { type: "count", cell: "s2.events", about: ["s1.rows[0].src"] },
    "supported",
  ],
  [
    "a reference among others",
    [BY_SENDER, aggregate("s2", { where: { dst: { uids: [{ $ref: "s1.rows[0].src" }, "bo"] } } })],
    { type: "count", cell: "s2.events", about: ["s1.rows[0].src"] },
    "unverifiable",
    "untied",
  ],
  [
    "a mention that is the literal",
    [aggregate("s1", { where: { src: { uids: ["ana"] } } })],
    { type: "count", cell: "s1.events", about: ["q1"] },
    "supported",
  ],
  [
    "a mention of nobody",
    [aggregate("s1", { where: { src: { uids: ["ana"] } } })],
    { type: "count", cell: "s1.events", about: ["q2"] },
    "unverifiable",
    "untied",
  ],
  [
    "a mention that no filter has",
    [TOTAL],
    { type: "count", cell: "s2.events", about: ["q1"] },
    "unverifiable",
    "untied",
  ],
  [
    "a span of another row",
    [
      aggregate("s1", {
        group_by: [{ dim: "node", role: "src" }],
        aggregates: [{ fn: "min", of: "at", as: "first" }],
        order_by: [{ column: "first" }],
      }),
    ],
    {
      type: "ordering",
      a: { at: "s1.rows[0].first", of: "s1.rows[1].src" },
      b: { at: "s1.rows[2].first" },
      relation: "before",
    },
    "unverifiable",
    "untied",
  ],
];

const times = aggregate("s1", {
  group_by: [{ dim: "node", role: "src" }],
  aggregates: [
    { fn: "min", of: "at", as: "first" },
    { fn: "max", of: "at", as: "last" },
    { fn: "count", as: "n" },
  ],
  order_by: [{ column: "first" }],
});
const FORMS: readonly Case[] = [
  ["a column of counts", [BY_SENDER], { type: "count", cell: "s1.rows[0].n" }, "supported"],
  ["a time as a count", [times], { type: "count", cell: "s1.rows[0].first" }, "unverifiable", "not_a_count"],
  ["a uid as an entity", [BY_SENDER], { type: "entity", cell: "s1.rows[1].src" }, "supported"],
  ["a count as an entity", [BY_SENDER], { type: "entity", cell: "s1.rows[1].n" }, "unverifiable", "not_an_entity"],
  [
    "a text that names nothing as an entity",
    [BY_SENDER, ofSenders("t.src || '?' AS u")],
    { type: "entity", cell: "s3.rows[0].u" },
    "unverifiable",
    "not_an_entity",
  ],
  [
    "counts as a set",
    [BY_SENDER],
    { type: "entity_set", cells: "s1.rows[*].n", complete: true },
    "unverifiable",
    "not_an_entity",
  ],
  [
    "one of two of a name",
    [{ id: "s1", op: "resolve_entities", args: { query: "Ann" } }],
    { type: "entity", cell: "s1.rows[0].uid" },
    "supported_partial",
    "ambiguous_name",
  ],
  [
    "the only one of a name",
    [{ id: "s1", op: "resolve_entities", args: { query: "Zed" } }],
    { type: "entity", cell: "s1.rows[0].uid" },
    "supported",
  ],
  [
    "one that is only like the name",
    [{ id: "s1", op: "resolve_entities", args: { query: "Ze" } }],
    { type: "entity", cell: "s1.rows[0].uid" },
    "supported_partial",
    "ambiguous_name",
  ],
  [
    "a whole list as a whole set",
    [BY_SENDER],
    { type: "entity_set", cells: "s1.rows[*].src", complete: true, value: ["cy", "bo", "ana"] },
    "supported",
  ],
  [
    "a page as a whole set",
    [aggregate("s1", { group_by: [{ dim: "node", role: "src" }], limit: 2 })],
    { type: "entity_set", cells: "s1.rows[*].src", complete: true },
    "unverifiable",
    "page",
  ],
  [
    "a member too few",
    [BY_SENDER],
    { type: "entity_set", cells: "s1.rows[*].src", complete: true, value: ["ana", "bo"] },
    "refuted",
    "members",
  ],
  [
    "a member too many",
    [BY_SENDER],
    { type: "entity_set", cells: "s1.rows[*].src", complete: true, value: ["ana", "bo", "cy", "zed"] },
    "refuted",
    "members",
  ],
  [
    "a stranger among some members",
    [BY_SENDER],
    { type: "entity_set", cells: "s1.rows[*].src", complete: false, value: ["zed"] },
    "refuted",
    "members",
  ],
  [
    "some of the members",
    [BY_SENDER],
    { type: "entity_set", cells: "s1.rows[*].src", complete: false, value: ["ana"] },
    "supported_partial",
    "subset",
  ],
  [
    "all of the members, as some",
    [BY_SENDER],
    { type: "entity_set", cells: "s1.rows[*].src", complete: false, value: ["ana", "bo", "cy"] },
    "supported",
  ],
  [
    "the first by an order",
    [BY_SENDER],
    { type: "entity", cell: "s1.rows[0].src", rank: { by: "n", side: "max" } },
    "supported",
  ],
  [
    "the second by an order",
    [BY_SENDER],
    { type: "entity", cell: "s1.rows[1].src", rank: { by: "n", side: "max" } },
    "unverifiable",
    "rank",
  ],
  [
    "the other side of an order",
    [BY_SENDER],
    { type: "entity", cell: "s1.rows[0].src", rank: { by: "n", side: "min" } },
    "unverifiable",
    "rank",
  ],
  [
    "the first by another column",
    [BY_SENDER],
    { type: "value", cell: "s1.rows[0].n", rank: { by: "src", side: "max" } },
    "unverifiable",
    "rank",
  ],
  [
    "the first of one row of a page",
    [aggregate("s1", { group_by: [{ dim: "node", role: "src" }], order_by: order, limit: 1 })],
    { type: "entity", cell: "s1.rows[0].src", rank: { by: "n", side: "max" } },
    "unverifiable",
    "rank",
  ],
  [
    "the first of the only row",
    [aggregate("s1", { where: { src: { uids: ["ana"] } }, group_by: [{ dim: "node", role: "src" }], order_by: order })],
    { type: "entity", cell: "s1.rows[0].src", rank: { by: "n", side: "max" } },
    "supported",
  ],
  [
    "the first beside an equal one",
    [aggregate("s1", { where: { dst: { uids: ["ana"] } }, group_by: [{ dim: "node", role: "src" }], order_by: order })],
    { type: "entity", cell: "s1.rows[0].src", rank: { by: "n", side: "max" } },
    "supported_partial",
    "tied",
  ],
];

const series = (args: object = {}): Step => ({
  id: "s1",
  op: "graph_metric_timeseries",
  args: { metric: "edge_event_count", window: WINDOW, stride: "PT10S", ...args },
});
const bursts = (args: object = {}): Step =>
  series({ where: { types: ["B"] }, window: { from: at(1000), to: at(1060) }, ...args });
const bucket = (i: number) => ({ from: `s1.rows[${i}].from`, to: `s1.rows[${i}].to` });
const pattern = (name: string, more: object) => ({ type: "temporal_pattern", pattern: name, step: "s1", ...more });

const TIMES: readonly Case[] = [
  [
    "the ends of a bucket",
    [series()],
    { type: "interval", ...bucket(1), value: { from: at(10), to: at(20) } },
    "supported",
  ],
  [
    "the ends of two buckets",
    [series()],
    { type: "interval", from: "s1.rows[1].from", to: "s1.rows[2].to" },
    "unverifiable",
    "not_a_pair",
  ],
  [
    "two times that are no ends",
    [times],
    { type: "interval", from: "s1.rows[0].first", to: "s1.rows[0].last" },
    "unverifiable",
    "not_a_pair",
  ],
  [
    "ends the other way",
    [series()],
    { type: "interval", from: bucket(1).to, to: bucket(1).from },
    "unverifiable",
    "not_a_pair",
  ],
  [
    "another end",
    [series()],
    { type: "interval", ...bucket(1), value: { from: at(10), to: at(21) } },
    "refuted",
    "value",
  ],
  ["days that meet", [series()], { type: "ordering", a: bucket(0), b: bucket(1), relation: "meets" }, "supported"],
  [
    "days that meet, as before",
    [series()],
    { type: "ordering", a: bucket(0), b: bucket(1), relation: "before" },
    "refuted",
    "relation",
  ],
  [
    "ends alone that are in order",
    [series()],
    { type: "ordering", a: bucket(0), b: bucket(1), relation: "intersects" },
    "refuted",
    "relation",
  ],
  [
    "a span of two rows",
    [series()],
    { type: "ordering", a: { from: bucket(0).from, to: bucket(1).to }, b: bucket(2), relation: "meets" },
    "unverifiable",
    "not_a_pair",
  ],
  [
    "an instant at the beginning of a bucket",
    [
      { ...series(), id: "s1" },
      { ...times, id: "s2" },
    ],
    { type: "ordering", a: { at: "s2.rows[0].first" }, b: bucket(1), relation: "starts" },
    "supported",
  ],
  [
    "two instants that overlap",
    [times],
    { type: "ordering", a: { at: "s1.rows[0].first" }, b: { at: "s1.rows[1].first" }, relation: "overlaps" },
    "refuted",
    "relation",
  ],
];

const inWindow = (id: string, from: number, to: number): Step =>
  aggregate(id, { window: { from: at(from), to: at(to) } });
const change = (axis: string, direction: string) => ({
  type: "change",
  before: "s1.rows[0].n",
  after: "s2.rows[0].n",
  axis,
  direction,
});
const diff = (id: string, left: object, right: object): Step => ({
  id,
  op: "diff_snapshots",
  args: { left, right, include: ["edges_changed"] },
});

const CHANGES: readonly Case[] = [
  ["more than before", [inWindow("s1", 0, 12), inWindow("s2", 12, 24)], change("valid", "up"), "supported"],
  ["more, as less", [inWindow("s1", 0, 12), inWindow("s2", 12, 24)], change("valid", "down"), "refuted", "direction"],
  [
    "now and before, turned",
    [inWindow("s1", 12, 24), inWindow("s2", 0, 12)],
    change("valid", "down"),
    "unverifiable",
    "not_comparable",
  ],
  [
    "another filter",
    [
      inWindow("s1", 0, 12),
      aggregate("s2", { window: { from: at(12), to: at(24) }, where: { src: { uids: ["bo"] } } }),
    ],
    change("valid", "up"),
    "unverifiable",
    "not_comparable",
  ],
  [
    "one window",
    [inWindow("s1", 0, 12), inWindow("s2", 0, 12)],
    change("valid", "same"),
    "unverifiable",
    "same_corner",
  ],
  [
    "one pin",
    [aggregate("s1", { as_of_tt: "tx:1" }), aggregate("s2", { as_of_tt: "tx:1" })],
    change("belief", "same"),
    "unverifiable",
    "same_corner",
  ],
  [
    "two pins",
    [aggregate("s1", { as_of_tt: "tx:1" }), aggregate("s2", { as_of_tt: "tx:4" })],
    change("belief", "same"),
    "supported",
  ],
  [
    "two pins, turned",
    [aggregate("s1", { as_of_tt: "tx:4" }), aggregate("s2", { as_of_tt: "tx:1" })],
    change("belief", "same"),
    "unverifiable",
    "not_comparable",
  ],
  [
    "two pins and two windows",
    [aggregate("s1", { as_of_tt: "tx:1", window: { from: at(0), to: at(5) } }), aggregate("s2", { as_of_tt: "tx:4" })],
    change("belief", "up"),
    "unverifiable",
    "not_comparable",
  ],
  [
    "both sides of a row of a diff",
    [diff("s1", { at: at(80), as_of_tt: "tx:3" }, { at: at(80), as_of_tt: "tx:4" })],
    {
      type: "change",
      before: "s1.rows[0].before.props.w",
      after: "s1.rows[0].after.props.w",
      axis: "belief",
      direction: "up",
    },
    "supported",
  ],
  [
    "one side of a row of a diff",
    [diff("s1", { at: at(80), as_of_tt: "tx:3" }, { at: at(80), as_of_tt: "tx:4" })],
    {
      type: "change",
      before: "s1.rows[0].after.props.w",
      after: "s1.rows[0].after.props.w",
      axis: "belief",
      direction: "same",
    },
    "unverifiable",
    "same_corner",
  ],
  [
    "a diff of beliefs, as one of times",
    [diff("s1", { at: at(80), as_of_tt: "tx:3" }, { at: at(80), as_of_tt: "tx:4" })],
    {
      type: "change",
      before: "s1.rows[0].before.props.w",
      after: "s1.rows[0].after.props.w",
      axis: "valid",
      direction: "up",
    },
    "unverifiable",
    "not_comparable",
  ],
];

const from = (src: string, dst: string, more: object = {}): Step =>
  aggregate("s1", {
    where: { src: { uids: [src] }, dst: { uids: [dst] } },
    group_by: [{ dim: "node", role: "src" }],
    ...more,
  });
const none = { type: "absence", list: "s1.rows" };

const ABSENCES: readonly Case[] = [
  ["nothing where it was looked for", [from("cy", "bo")], none, "supported"],
  ["something, as nothing", [from("ana", "bo")], none, "refuted", "present"],
  ["a number, as nothing", [from("ana", "bo")], { type: "absence", cell: "s1.events" }, "refuted", "present"],
  [
    "nothing of a page",
    [aggregate("s1", { group_by: [{ dim: "node", role: "src" }], limit: 1 })],
    none,
    "unverifiable",
    "page",
  ],
  ["nothing from nobody", [from("nobody", "bo")], none, "unverifiable", "unknown_name"],
  [
    "nothing of a type that no edge has",
    [from("ana", "bo", { where: { types: ["NOTHING"] } })],
    none,
    "unverifiable",
    "unknown_name",
  ],
  [
    "nothing of a label that no node has",
    [from("ana", "bo", { where: { src: { labels: ["NOTHING"] } } })],
    none,
    "unverifiable",
    "unknown_name",
  ],
  [
    "nothing of a property that no edge has",
    [from("ana", "bo", { where: { edge: [{ prop: "nothing", op: "eq", value: 1 }] } })],
    none,
    "unverifiable",
    "unknown_name",
  ],
  [
    "nothing behind an empty list",
    [
      aggregate("s3", {
        where: { src: { uids: ["cy"] }, dst: { uids: ["bo"] } },
        group_by: [{ dim: "node", role: "dst" }],
      }),
      compute("s1", { fn: "difference", input: { $ref: "s3.rows[*].dst" }, other: [] }),
    ],
    none,
    "supported_partial",
    "vacuous",
  ],
  [
    "nothing after the data",
    [from("ana", "bo", { window: { from: at(5000), to: at(6000) } })],
    none,
    "supported_partial",
    "outside_data",
  ],
  [
    "nothing before the data",
    [from("ana", "bo", { window: { from: at(-6000), to: at(-5000) } })],
    none,
    "supported_partial",
    "outside_data",
  ],
  ["nothing within the data", [from("ana", "bo", { window: { from: at(16), to: at(20) } })], none, "supported"],
];

const PATTERNS: readonly Case[] = [
  ["a bucket that stands out", [bursts()], pattern("burst", { row: "s1.rows[5].from" }), "supported"],
  ["a bucket that does not", [bursts()], pattern("burst", { row: "s1.rows[4].from" }), "refuted", "pattern"],
  [
    "a bucket that stands out on the other side",
    [bursts()],
    pattern("burst", { row: "s1.rows[5].from", direction: "down" }),
    "refuted",
    "pattern",
  ],
  [
    "a bucket with too little before it",
    [bursts()],
    pattern("burst", { row: "s1.rows[1].from" }),
    "unverifiable",
    "short_history",
  ],
  ["a burst of no series", [BY_SENDER], pattern("burst", { row: "s1.rows[0].n" }), "unverifiable", "not_a_series"],
  [
    "a burst of nodes",
    [series({ metric: "active_node_count" })],
    pattern("burst", { row: "s1.rows[4].from" }),
    "unverifiable",
    "not_a_series",
  ],
  ["much in little", [bursts()], pattern("concentration", { row: "s1.rows[5].from", share: 50 }), "supported"],
  [
    "more than there is in it",
    [bursts()],
    pattern("concentration", { row: "s1.rows[5].from", share: 75 }),
    "refuted",
    "pattern",
  ],
  [
    "much in much",
    [bursts({ stride: "PT30S" })],
    pattern("concentration", { row: "s1.rows[1].from", share: 50 }),
    "refuted",
    "pattern",
  ],
  [
    "a share of nothing",
    [bursts({ where: { types: ["B"], src: { uids: ["cy"] } } })],
    pattern("concentration", { row: "s1.rows[1].from", share: 25 }),
    "unverifiable",
    "no_events",
  ],
  ["what rises", [bursts()], pattern("trend", { direction: "up" }), "supported"],
  ["what rises, as level", [bursts()], pattern("trend", { direction: "flat" }), "refuted", "pattern"],
  [
    "a trend of five",
    [bursts({ window: { from: at(1000), to: at(1050) } })],
    pattern("trend", { direction: "up" }),
    "unverifiable",
    "short_history",
  ],
  [
    "a trend of 2,001",
    [series({ stride: "PT0.03S", window: { from: at(0), to: at(60.03) } })],
    pattern("trend", { direction: "flat" }),
    "unverifiable",
    "too_many_buckets",
  ],
  [
    "a trend of 2,000",
    [series({ stride: "PT0.03S", window: { from: at(0), to: at(60) } })],
    pattern("trend", { direction: "flat" }),
    "supported",
  ],
];

const flag = ofSenders("t.n < 0 AS b, CAST(t.n AS STRING) AS s", "WHERE t.n = 1");
const VALUES: readonly Case[] = [
  ["another number", [BY_SENDER], { type: "count", cell: "s1.rows[0].n", value: 4 }, "refuted", "value"],
  ["a number as text", [BY_SENDER], { type: "count", cell: "s1.rows[0].n", value: "3" }, "refuted", "value"],
  ["false for nothing", [BY_SENDER, flag], { type: "value", cell: "s3.rows[0].b", value: 0 }, "refuted", "value"],
  ["false", [BY_SENDER, flag], { type: "value", cell: "s3.rows[0].b", value: false }, "supported"],
  ["a text as a number", [BY_SENDER, flag], { type: "value", cell: "s3.rows[0].s", value: 1 }, "refuted", "value"],
  ["another entity", [BY_SENDER], { type: "entity", cell: "s1.rows[0].src", value: "bo" }, "refuted", "value"],
  [
    "the tenth decimal",
    [
      BY_SENDER,
      aggregate("s2", {}),
      compute("s4", { fn: "ratio", x: { $ref: "s1.rows[2].n" }, y: { $ref: "s1.rows[0].n" } }),
    ],
    { type: "value", cell: "s4.value", value: 0.33333333333333 },
    "supported",
  ],
  [
    "the ninth decimal",
    [BY_SENDER, compute("s4", { fn: "ratio", x: { $ref: "s1.rows[2].n" }, y: { $ref: "s1.rows[0].n" } })],
    { type: "value", cell: "s4.value", value: 0.333333334 },
    "refuted",
    "value",
  ],
];

const page = aggregate("s1", { group_by: [{ dim: "node", role: "src" }], order_by: order, limit: 2 });
const sortedPage = compute("s2", { fn: "sort", input: { $ref: "s1.rows[*]" }, order: [{ field: "n", desc: true }] });
const UPSTREAM: readonly Case[] = [
  ["a value of a part", [page, sortedPage], { type: "value", cell: "s2.rows[0].n" }, "supported_partial", "upstream"],
  [
    "an entity of a part",
    [page, sortedPage],
    { type: "entity", cell: "s2.rows[0].src" },
    "supported_partial",
    "upstream",
  ],
  ["a count of a part", [page, sortedPage], { type: "count", cell: "s2.rows_total" }, "unverifiable", "upstream"],
  [
    "the first of a part",
    [page, sortedPage],
    { type: "entity", cell: "s2.rows[0].src", rank: { by: "n", side: "max" } },
    "unverifiable",
    "upstream",
  ],
  [
    "a whole set of a part",
    [page, sortedPage],
    { type: "entity_set", cells: "s2.rows[*].src", complete: true },
    "unverifiable",
    "upstream",
  ],
];

describe("a reason is given", () => {
  const asked = testCases(
    "to %s",
    [MALFORMED, PLACES, TIES, FORMS, TIMES, CHANGES, ABSENCES, PATTERNS, VALUES, UPSTREAM].flat(),
  );
  const ask = (steps: readonly Step[]): Promise<Evidence> => askSteps(asked(), steps);

  const COUNT = { type: "count", cell: "s1.rows[0].n" };

  it.each<[string, (record: Record<string, unknown>, envelope: Record<string, unknown>) => void]>([
    ["its operator in the trace", (record) => Object.assign(record, { op: "scan" })],
    ["its arguments in the trace", (record) => Object.assign(record.args as object, { limit: 7 })],
    ["its pin in the trace", (record) => Object.assign(record, { pin: { tx: 1, tx_time: null } })],
    ["a row of its answer", (_, envelope) => Object.assign((envelope.rows as object[])[2]!, { n: 2 })],
    ["the total of its answer", (_, envelope) => Object.assign(envelope, { rows_total: 4 })],
  ])("to a step of which %s was changed", async (_, change) => {
    const evidence = await ask([BY_SENDER]);
    const { record, result } = evidence.step("s1")!;
    change(record as unknown as Record<string, unknown>, result!.envelope as unknown as Record<string, unknown>);
    await expectVerdict(evidence, COUNT, ["unverifiable", "digest_mismatch"]);
  });

  it("to a step whose answer repeats other arguments, or another digest, than the trace has", async () => {
    for (const change of [{ args: {} }, { result_digest: "0".repeat(64) }]) {
      const evidence = await ask([BY_SENDER]);
      Object.assign(evidence.step("s1")!.result!.envelope, change);
      // The second verifier hashes what the trace repeats, and does not look at what the answer does.
      const { reasons } = await verifyClaim(evidence, { id: "c1", ...COUNT });
      expect(reasons).toEqual(["digest_mismatch"]);
    }
  });

  it("to a step that failed, and to one of which nothing is stored", async () => {
    const evidence = await ask([BY_SENDER]);
    await expectVerdict(new Evidence(evidence.trace, new Map(), evidence.store), COUNT, [
      "unverifiable",
      "no_evidence",
    ]);
    Object.assign(evidence.step("s1")!.record, { status: "failed" });
    await expectVerdict(evidence, COUNT, ["unverifiable", "no_evidence"]);
  });

  it("to what is no claim at all", async () => {
    const evidence = await ask([BY_SENDER]);
    for (const given of [null, undefined, 7, "count", [], {}, { id: 7 }, { id: "c1", type: "__proto__" }]) {
      const { verdict, reasons } = await verifyClaim(evidence, given);
      expect([verdict, ...reasons]).toEqual(["unverifiable", "malformed"]);
    }
  });

  it("together with others of its class alone, in the order of the rules", async () => {
    const evidence = await ask([BY_SENDER]);
    const wrong = { ...COUNT, cell: "s1.rows[0].src", about: ["s1.rows[1].src"], value: 3 };
    await expectVerdict(evidence, wrong, ["unverifiable", "untied", "not_a_count"]);
    await expectVerdict(evidence, { ...COUNT, value: 4 }, ["refuted", "value"]);
  });
});
