// Corners of the rules of claims: what lies one step beside a case that holds. Each fails where its rule is taken out of
// the source; both verifiers say the same.
import { describe } from "vitest";
import { aggregate, at, BY_SENDER, type Case, compute, order, type Step, testCases, WINDOW } from "./small-store.js";

const call = (id: string, op: string, args: object): Step => ({ id, op, args });
const series = (id: string, args: object = {}): Step =>
  call(id, "graph_metric_timeseries", { metric: "edge_event_count", window: WINDOW, stride: "PT10S", ...args });
const select = (id: string, query: string): Step =>
  call(id, "select", { query, tables: { e: { $ref: "s1.rows[*]" } } });
const most = { by: "n", side: "max" };
const first = (id: string) => ({ type: "entity", cell: `${id}.rows[0].src`, rank: most });

const FORMS: readonly Case[] = [
  [
    "a burst with a share",
    [BY_SENDER],
    { type: "temporal_pattern", pattern: "burst", step: "s1", row: "s1.rows[0].n", share: 50 },
    "unverifiable",
    "malformed",
  ],
  [
    "a level burst",
    [BY_SENDER],
    { type: "temporal_pattern", pattern: "burst", step: "s1", row: "s1.rows[0].n", direction: "flat" },
    "unverifiable",
    "malformed",
  ],
  [
    "a concentration with a direction",
    [BY_SENDER],
    { type: "temporal_pattern", pattern: "concentration", step: "s1", row: "s1.rows[0].n", share: 50, direction: "up" },
    "unverifiable",
    "malformed",
  ],
  [
    "a concentration without a share",
    [BY_SENDER],
    { type: "temporal_pattern", pattern: "concentration", step: "s1", row: "s1.rows[0].n" },
    "unverifiable",
    "malformed",
  ],
];

const people = call("s1", "entity_history", { uid: "zed" });
const PLACES: readonly Case[] = [
  [
    "the row of another step as that of a pattern",
    [series("s1"), series("s2")],
    { type: "temporal_pattern", pattern: "concentration", step: "s1", row: "s2.rows[0].from", share: 25 },
    "unverifiable",
    "no_cell",
  ],
  [
    "an end that is open",
    [people],
    {
      type: "interval",
      from: "s1.rows[0].valid_from",
      to: "s1.rows[0].valid_to",
      value: { from: at(0), to: null },
    },
    "supported",
  ],
  ["an open end as a value", [people], { type: "value", cell: "s1.rows[0].valid_to" }, "unverifiable", "null_cell"],
  [
    "the pins of a diff",
    [call("s1", "diff_snapshots", { left: { at: at(80), as_of_tt: "tx:3" }, right: { at: at(80), as_of_tt: "tx:4" } })],
    { type: "value", cell: "s1.pins.left.tx" },
    "unverifiable",
    "not_evidence",
  ],
];

const RANKS: readonly Case[] = [
  [
    "the first of the lowest",
    [
      BY_SENDER,
      compute("s2", {
        fn: "topk",
        input: { $ref: "s1.rows[*]" },
        order: [{ field: "n", desc: true }],
        k: 2,
        side: "bottom",
      }),
    ],
    first("s2"),
    "unverifiable",
    "rank",
  ],
  ["the first behind a slice", [{ ...BY_SENDER, slice: [1, 2] } as Step], first("s1"), "unverifiable", "rank"],
  [
    "the first behind an offset",
    [BY_SENDER, select("s2", "SELECT e.src, e.n FROM e ORDER BY n DESC LIMIT 5 OFFSET 1")],
    first("s2"),
    "unverifiable",
    "rank",
  ],
  [
    "the first of a select",
    [BY_SENDER, select("s2", "SELECT e.src, e.n FROM e ORDER BY n DESC")],
    first("s2"),
    "supported",
  ],
  [
    "the only one that a select left",
    [BY_SENDER, select("s2", "SELECT e.src, e.n FROM e ORDER BY n DESC LIMIT 1")],
    first("s2"),
    "unverifiable",
    "rank",
  ],
  [
    "the first of what two reach",
    [call("s1", "temporal_reachability", { uid: ["ana", "bo"], window: WINDOW })],
    { type: "entity", cell: "s1.rows[0].uid", rank: { by: "arrival", side: "min" } },
    "unverifiable",
    "rank",
  ],
  [
    "the first of the best paths, of which there are more",
    [call("s1", "temporal_paths", { src: "ana", dst: "bo", criterion: "shortest", k: 1, window: WINDOW })],
    { type: "value", cell: "s1.rows[0].hops", rank: { by: "hops", side: "min" } },
    "unverifiable",
    "rank",
  ],
  [
    "the first of rows without a value",
    [
      aggregate("s1", {
        window: { from: at(9), to: at(13) },
        group_by: [{ dim: "node", role: "src" }],
        aggregates: [{ fn: "max_gap", as: "gap" }],
        where: { dst: { uids: ["bo", "cy"] } },
        order_by: [{ column: "gap", desc: true }],
      }),
    ],
    { type: "entity", cell: "s1.rows[0].src", rank: { by: "gap", side: "max" } },
    "unverifiable",
    "rank",
  ],
  [
    "both ends of a bucket that is not first, once",
    [series("s1")],
    { type: "interval", from: "s1.rows[1].from", to: "s1.rows[1].to", rank: { by: "value", side: "max" } },
    "unverifiable",
    "rank",
  ],
];

const inWindow = (id: string, from: number, to: number, more: object = {}): Step =>
  aggregate(id, { window: { from: at(from), to: at(to) }, ...more });
const change = (axis: string, direction: string, before = "s1.rows[0].n", after = "s2.rows[0].n") => ({
  type: "change",
  axis,
  direction,
  before,
  after,
});
const corner = (second: number, tx: number) => ({ at: at(second), as_of_tt: `tx:${tx}` });
const diff = (left: object, right: object): Step =>
  call("s1", "diff_snapshots", { left, right, include: ["edges_changed"] });
const grew = (axis: string, direction = "up") =>
  change(axis, direction, "s1.rows[0].before.props.w", "s1.rows[0].after.props.w");
const bySource = { group_by: [{ dim: "node", role: "src" }], order_by: order };
const total = (id: string, of: string): Step => compute(id, { fn: "sum", input: { $ref: `${of}.rows[*].n` } });

const CHANGES: readonly Case[] = [
  [
    "another field",
    [inWindow("s1", 0, 12), inWindow("s2", 12, 24)],
    change("valid", "up", "s1.rows[0].n", "s2.events"),
    "unverifiable",
    "not_comparable",
  ],
  [
    "another field beside the lists",
    [inWindow("s1", 0, 12), inWindow("s2", 12, 24)],
    change("valid", "same", "s1.events", "s2.rows_total"),
    "unverifiable",
    "not_comparable",
  ],
  [
    "the rows of two senders",
    [inWindow("s1", 0, 20, bySource), inWindow("s2", 20, 50, bySource)],
    change("valid", "same", "s1.rows[0].n", "s2.rows[0].n"),
    "unverifiable",
    "not_comparable",
  ],
  [
    "the rows of one sender",
    [inWindow("s1", 0, 20, bySource), inWindow("s2", 20, 50, bySource)],
    change("valid", "up", "s1.rows[1].n", "s2.rows[0].n"),
    "supported",
  ],
  [
    "two windows at two pins",
    [inWindow("s1", 0, 12, { as_of_tt: "tx:1" }), inWindow("s2", 12, 24, { as_of_tt: "tx:4" })],
    change("valid", "up"),
    "unverifiable",
    "not_comparable",
  ],
  [
    "what no store was asked",
    [inWindow("s1", 0, 12), inWindow("s2", 12, 24), total("s3", "s1"), total("s4", "s2")],
    change("valid", "up", "s3.value", "s4.value"),
    "unverifiable",
    "not_comparable",
  ],
  [
    "all time twice",
    [aggregate("s1", { window: null }), aggregate("s2", { window: null })],
    change("valid", "same"),
    "unverifiable",
    "same_corner",
  ],
  [
    "all time and a window",
    [aggregate("s1", { window: null }), inWindow("s2", 12, 24)],
    change("valid", "down"),
    "unverifiable",
    "not_comparable",
  ],
  ["two instants of a diff", [diff(corner(102, 7), corner(107, 7))], grew("valid"), "supported"],
  [
    "two instants of a diff, turned",
    [diff(corner(107, 7), corner(102, 7))],
    grew("valid", "down"),
    "unverifiable",
    "not_comparable",
  ],
  [
    "two instants of a diff, as beliefs",
    [diff(corner(102, 7), corner(107, 7))],
    grew("belief"),
    "unverifiable",
    "not_comparable",
  ],
  [
    "two beliefs of a diff, turned",
    [diff(corner(80, 4), corner(80, 3))],
    grew("belief", "down"),
    "unverifiable",
    "not_comparable",
  ],
  ["two instants at two pins", [diff(corner(102, 6), corner(107, 7))], grew("valid"), "unverifiable", "not_comparable"],
];

const TIES: readonly Case[] = [
  [
    "a row of another list",
    [call("s1", "temporal_reachability", { uid: "ana", window: WINDOW })],
    { type: "count", cell: "s1.reached[0].count", about: ["s1.rows[0].uid"] },
    "unverifiable",
    "untied",
  ],
  [
    "an operand, which is no subject",
    [BY_SENDER, compute("s2", { fn: "diff", x: { $ref: "s1.rows[0].n" }, y: { $ref: "s1.rows[1].n" } })],
    { type: "value", cell: "s2.value", about: ["s1.rows[0].n"] },
    "unverifiable",
    "untied",
  ],
  [
    "a mention that only stands in a search",
    [call("s1", "resolve_entities", { query: "ana" })],
    { type: "count", cell: "s1.rows_total", about: ["q1"] },
    "unverifiable",
    "untied",
  ],
];

const moments = aggregate("s1", {
  window: { from: at(1999), to: at(2001) },
  group_by: [{ dim: "node", role: "src" }],
  aggregates: [{ fn: "min", of: "at", as: "first" }],
});
const TIMES: readonly Case[] = [
  [
    "ends of two steps",
    [series("s1"), series("s2")],
    { type: "interval", from: "s1.rows[1].from", to: "s2.rows[1].to" },
    "unverifiable",
    "not_a_pair",
  ],
  [
    "ends of both sides of a diff",
    [diff(corner(102, 7), corner(107, 7))],
    { type: "interval", from: "s1.rows[0].before.valid_from", to: "s1.rows[0].after.valid_to" },
    "unverifiable",
    "not_a_pair",
  ],
  [
    "moments that follow each other",
    [moments],
    { type: "ordering", a: { at: "s1.rows[0].first" }, b: { at: "s1.rows[1].first" }, relation: "before" },
    "supported",
  ],
  [
    "moments that follow each other, as if they met",
    [moments],
    { type: "ordering", a: { at: "s1.rows[0].first" }, b: { at: "s1.rows[1].first" }, relation: "meets" },
    "refuted",
    "relation",
  ],
];

const page = aggregate("s1", { group_by: [{ dim: "node", role: "src" }], order_by: order, limit: 2 });
const sorted = compute("s2", { fn: "sort", input: { $ref: "s1.rows[*]" }, order: [{ field: "n", desc: true }] });
const edges = call("s1", "scan", {
  of: "edges",
  names: ["K", "L"],
  columns: ["src", "valid_from", "valid_to"],
  limit: 2,
});
const sortedEdges = compute("s2", { fn: "sort", input: { $ref: "s1.rows[*]" }, order: [{ field: "valid_from" }] });
const UPSTREAM: readonly Case[] = [
  [
    "the greatest value of a part",
    [page, sorted],
    { type: "value", cell: "s2.rows[0].n", rank: most },
    "unverifiable",
    "upstream",
  ],
  [
    "the first interval of a part",
    [edges, sortedEdges],
    {
      type: "interval",
      from: "s2.rows[0].valid_from",
      to: "s2.rows[0].valid_to",
      rank: { by: "valid_from", side: "min" },
    },
    "unverifiable",
    "upstream",
  ],
  [
    "an interval of a part",
    [edges, sortedEdges],
    { type: "interval", from: "s2.rows[0].valid_from", to: "s2.rows[0].valid_to" },
    "supported_partial",
    "upstream",
  ],
  [
    "nothing in a part",
    [page, select("s2", "SELECT e.src FROM e WHERE e.n > 100")],
    { type: "absence", list: "s2.rows" },
    "unverifiable",
    "page",
    "upstream",
  ],
];

describe("a verdict is given", () => {
  testCases("on %s", [FORMS, PLACES, RANKS, CHANGES, TIES, TIMES, UPSTREAM].flat());
});
