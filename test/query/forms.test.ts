// Which operators each form of query becomes, and what of it goes along with them.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/contract/values.js";
import { type Database, open } from "../../src/index.js";
import type { CompileContext } from "../../src/query/compile/context.js";
import { compiled, contextOf, errorOf, operatorsOf } from "./compiling.js";

const at = (day: string): string => `${day}T00:00:00Z`;
let db: Database;
let context: CompileContext;

beforeAll(async () => {
  db = await open(":memory:");
  const node = (uid: string, labels: string[], props: JsonObject = {}) => ({
    op: "assert_node" as const,
    uid,
    labels,
    props,
    valid_from: at("2024-01-01"),
  });
  const edge = (src: string, type: string, dst: string, props: JsonObject = {}) => ({
    op: "assert_edge" as const,
    src,
    type,
    dst,
    props,
    valid_from: at("2025-01-02"),
    valid_to: at("2025-01-09"),
  });
  await db.write(
    [
      node("nurse9", ["Nurse"], { name: "Åsa", grade: 5 }),
      node("w7", ["Ward"], { name: "north", order: 3 }),
      node("t1", ["Trainee"]),
      node("acc1", ["Account"]),
      node("OSL", ["Airport"]),
      edge("nurse9", "WORKS_ON", "w7", { shift: "night", hours: 6 }),
      edge("nurse9", "ON_LEAVE", "w7"),
      edge("acc1", "PAID", "acc2", { amount: 10.5, channel: "card", cents: 1050 }),
      edge("OSL", "FLIGHT", "SYD", { carrier: "SK", fare: 99.5 }),
      edge("nurse9", "HOLDS", "consul"),
      edge("nurse9", "FROZEN_BY", "w7"),
    ] as never,
    { txTime: "2025-02-01T00:00:00Z" } as never,
  );
  await db.write([edge("x", "LATER", "y", { late: true })] as never);
  context = contextOf(db, {
    parameters: {
      from: at("2025-01-01"),
      to: at("2025-06-01"),
      a: at("2025-01-10"),
      b: at("2025-01-10"),
      day: at("2025-03-01"),
    },
  });
});
afterAll(() => db.close());

const lines = (text: string): [string, string][] =>
  text
    .trim()
    .split(/^-- /m)
    .filter((part) => part.trim() !== "")
    .map((part) => {
      const [operators, ...statement] = part.split("\n");
      return [statement.join("\n").trim(), operators!.trim()];
    });

const FORMS = `
-- scan, select
SELECT n.name, n.grade FROM NODES(Nurse) FOR VALID_TIME AS OF DATE '2025-03-01' AS n WHERE n.grade >= 5 ORDER BY n.name
-- aggregate_events
SELECT e.channel, COUNT(*) AS n, SUM(e.amount) AS total FROM EVENTS(PAID) FOR VALID_TIME FROM DATE '2025-01-01' TO DATE '2025-02-01' AS e GROUP BY e.channel
-- aggregate_events, select
SELECT p.uid, COUNT(DISTINCT p.other) AS partners FROM ENDPOINTS(FLIGHT) AS p GROUP BY p.uid ORDER BY partners DESC LIMIT 10 WITH TIES
-- scan, scan, select
SELECT b.bucket_from, COUNT(f.at) AS flights FROM BUCKETS(FROM DATE '2025-06-01' TO DATE '2025-07-01' STEP INTERVAL 'P1D' ZONE 'Europe/Oslo') AS b LEFT JOIN EVENTS(FLIGHT) AS f ON f.src = 'OSL' AND f.at >= b.bucket_from AND f.at < b.bucket_to GROUP BY b.bucket_from ORDER BY b.bucket_from
-- aggregate_events
SELECT EXTRACT(hour FROM f.at ZONE 'Europe/Oslo') AS hour, AVG(f.fare) AS fare FROM EVENTS(FLIGHT) AS f GROUP BY hour
-- scan, select
SELECT 100 * COUNT(*) FILTER (WHERE e.channel = 'card') / COUNT(*) AS percent FROM EVENTS(PAID) AS e
-- scan, select
SELECT f.carrier, COUNT(*) AS loops FROM EVENTS(FLIGHT) AS f WHERE f.src = f.dst GROUP BY f.carrier
-- scan, select
SELECT w.uid, w.props['order'] AS o FROM NODES(Ward) AS w WHERE w.props['order'] IS NOT NULL
-- scan, select
SELECT n.uid FROM NODES(Nurse & !Trainee) FOR VALID_TIME AS OF CURRENT_TIMESTAMP AS n WHERE n.name ILIKE 'å%' OR n.name STARTS WITH 'B'
-- scan, scan, select
MATCH (n:Nurse)-[r:WORKS_ON]->(w:Ward {uid: 'w7'}) FOR VALID_TIME AS OF TIMESTAMP '2025-03-01T08:00:00+01:00' RETURN n.name, r.shift
-- scan, select
SELECT h.src, h.dst FROM EDGES(HOLDS) FOR VALID_TIME CONTAINED IN (DATE '1990-01-01', DATE '1991-01-01') AS h
-- scan, select
SELECT v.tx, v.valid_from, v.valid_to, v.reason, v.ended_by, v.ended_reason FROM VERSIONS(EDGES WORKS_ON) AS v WHERE v.src = 'nurse4' ORDER BY v.tx, v.valid_from
-- scan, scan, select
SELECT a.src, a.valid_to AS was, b.valid_to AS became FROM EDGES(WORKS_ON) FOR TRANSACTION_TIME AS OF TX 1 AS a JOIN EDGES(WORKS_ON) FOR TRANSACTION_TIME AS OF LATEST AS b ON a.src = b.src AND a.valid_from = b.valid_from WHERE a.valid_to <> b.valid_to
-- diff_snapshots
CALL diff_snapshots(left => {at: DATE '2025-01-01', as_of_tt: 'tx:1'}, right => {at: DATE '2025-02-01', as_of_tt: 'tx:2'}, where => {types: ['WORKS_ON']})
-- aggregate_events, aggregate_events, select
WITH old AS (SELECT e.dst AS uid, SUM(e.amount) AS s FROM EVENTS(PAID) FOR TRANSACTION_TIME AS OF DATE '2025-03-05' AS e GROUP BY e.dst), cur AS (SELECT e.dst AS uid, SUM(e.amount) AS s FROM EVENTS(PAID) AS e GROUP BY e.dst) SELECT uid, old.s AS believed, cur.s AS known FROM old FULL JOIN cur USING (uid) WHERE old.s IS DISTINCT FROM cur.s
-- scan, select
SELECT v.type, DATE_TRUNC('month', v.tx_to) AS month, COUNT(*) AS n FROM VERSIONS(EDGES) AS v WHERE v.ended_by = 'corrected' GROUP BY v.type, month
-- scan, select
SELECT v.src, v.dst, v.key, MIN(v.valid_from) AS began, MIN(v.tx_from) AS recorded FROM VERSIONS(EDGES PAID) AS v GROUP BY v.src, v.dst, v.key HAVING recorded - began > DURATION 'P7D'
-- scan, select
SELECT c.tx, c.tx_time, c.corrected FROM COMMITS() AS c WHERE c.corrected > 0
-- scan, select
MATCH (n {uid: 'nurse9'})-[r:WORKS_ON|ON_LEAVE]-(m) RETURN r.type, m.uid, r.valid_from ORDER BY r.valid_from
-- temporal_paths
MATCH p = EARLIEST TIME_RESPECTING (ARRIVAL END, MAX WAIT DURATION 'PT6H') (a:Airport {uid: 'OSL'})-[f:FLIGHT]->{1,6}(b:Airport {uid: 'SYD'}) FOR VALID_TIME FROM $from TO $to RETURN NODES(p), ARRIVAL(p)
-- temporal_paths
MATCH p = LATEST DEPARTURE 3 TIME_RESPECTING (ARRIVAL END) (a {uid: 'OSL'})-[:FLIGHT]->{1,4}(b {uid: 'SYD'}) FOR VALID_TIME FROM $from TO $to RETURN DEPARTURE(p), LENGTH(p)
-- temporal_reachability, select
CALL temporal_reachability(uid => 'acc1', direction => 'backward', max_wait => DURATION 'P2D') FOR VALID_TIME FROM $from TO $to YIELD uid, departure AS at WHERE at >= DATE '2025-01-15'
-- count_temporal_motifs
CALL count_temporal_motifs(motif => 'M_triangle_cyclic', delta => DURATION 'PT1H') FOR VALID_TIME FROM EPOCH_MS 1735689600000 TO EPOCH_MS 1738368000000 YIELD count
-- find_temporal_motifs
CALL find_temporal_motifs(motif => 'a>b,b>c,c>a', delta => DURATION 'PT1H') FOR VALID_TIME FROM DATE '2025-01-01' TO DATE '2025-02-01' LIMIT 10
-- graph_metric_timeseries, select
WITH s AS (CALL graph_metric_timeseries(metric => 'edge_event_count', stride => INTERVAL 'P1M') FOR VALID_TIME FROM DATE '2024-01-01' TO DATE '2025-01-01') SELECT s.from, s.value FROM s WHERE s.value > 2 * (SELECT AVG(x.value) FROM s AS x)
-- resolve_entities, entity_history
WITH who AS (CALL resolve_entities(query => 'berg', labels => ['Nurse']) LIMIT 1) CALL entity_history(uid => who.rows[0].uid) YIELD valid_from, valid_to, props
-- scan, select
SELECT g.dst, MAX(g.gap) AS pause FROM (SELECT e.dst, e.at - LAG(e.at) OVER (PARTITION BY e.dst ORDER BY e.at) AS gap FROM EVENTS(WORKS_ON) AS e) AS g GROUP BY g.dst ORDER BY pause DESC
-- aggregate_events
SELECT e.dst, MAX_GAP(e.at) AS pause FROM EVENTS(WORKS_ON) AS e GROUP BY e.dst ORDER BY pause DESC
-- aggregate_events, select
SELECT f.dst, MAX_IN_SPAN(f.at, DURATION 'PT3H') AS peak FROM EVENTS(FLIGHT) AS f GROUP BY f.dst ORDER BY peak DESC LIMIT 1
-- scan, select
SELECT a.src, a.at, COUNT(DISTINCT b.dst) AS wards FROM EVENTS(WORKS_ON) AS a JOIN EVENTS(WORKS_ON) AS b ON b.src = a.src AND b.at >= a.at AND b.at < a.at + DURATION 'P30D' GROUP BY a.src, a.at, a.seq ORDER BY wards DESC LIMIT 1
-- scan, select
WITH s AS (SELECT e.src, e.at, SESSION_NO(e.at, DURATION 'P2D') OVER (PARTITION BY e.src ORDER BY e.at) AS no FROM EVENTS(WORKS_ON) AS e) SELECT s.src, s.no, MAX(s.at) - MIN(s.at) AS length, COUNT(*) AS n FROM s GROUP BY s.src, s.no ORDER BY length DESC LIMIT 5
-- aggregate_events, select
SELECT LEAST(f.src, f.dst) AS x, GREATEST(f.src, f.dst) AS y, DATE_TRUNC('month', f.at) AS month, SUM(f.fare) AS takings FROM EVENTS(FLIGHT) AS f GROUP BY x, y, month ORDER BY takings DESC LIMIT 10
-- scan, scan, select
SELECT f.dst FROM EVENTS(FLIGHT) FOR VALID_TIME FROM $a TO $a + DURATION 'P7D' AS f EXCEPT SELECT f.dst FROM EVENTS(FLIGHT) FOR VALID_TIME FROM $b - DURATION 'P7D' TO $b AS f
-- aggregate_events, aggregate_events, select
WITH w AS (SELECT e.src, MIN(e.at) AS at FROM EVENTS(WORKS_ON) AS e GROUP BY e.src), l AS (SELECT e.src, MIN(e.at) AS at FROM EVENTS(ON_LEAVE) AS e GROUP BY e.src) SELECT MEDIAN(l.at - w.at) AS mid, QUANTILE(l.at - w.at, 0.9) AS slow FROM w JOIN l ON l.src = w.src WHERE w.at < l.at
-- aggregate_events, select
WITH s AS (SELECT f.src, f.dst, SUM(f.fare) AS sold FROM EVENTS(FLIGHT) AS f GROUP BY f.src, f.dst), r AS (SELECT s.sold, ROW_NUMBER() OVER (ORDER BY s.sold DESC) AS pos, COUNT(*) OVER () AS n FROM s) SELECT SUM(r.sold) FILTER (WHERE r.pos <= CEIL(0.1 * r.n)) / SUM(r.sold) AS share FROM r
-- scan, scan, select
SELECT w.uid FROM NODES(Ward) FOR VALID_TIME AS OF $day AS w ANTI JOIN EDGES(WORKS_ON) FOR VALID_TIME AS OF $day AS r ON r.dst = w.uid
-- scan, scan, select
SELECT DISTINCT l.src FROM EVENTS(ON_LEAVE) AS l WHERE EXISTS (SELECT 1 FROM EVENTS(WORKS_ON) AS w WHERE w.src = l.src AND w.shift = 'night' AND w.at < l.at) AND l.src NOT IN (SELECT x.src FROM EVENTS(ON_LEAVE) AS x WHERE x.at < (SELECT MIN(y.at) FROM EVENTS(WORKS_ON) AS y WHERE y.src = x.src AND y.shift = 'night'))
-- aggregate_events, select, temporal_reachability
WITH top AS (SELECT e.dst AS uid, SUM(e.amount) AS got, MIN(e.at) AS since FROM EVENTS(PAID) AS e GROUP BY e.dst ORDER BY got DESC LIMIT 1) CALL temporal_reachability(uid => top.rows[0].uid) FOR VALID_TIME FROM top.rows[0].since TO $to
-- aggregate_events, select, count_temporal_motifs
WITH act AS (SELECT p.uid, COUNT(*) AS n FROM ENDPOINTS(PAID) AS p GROUP BY p.uid ORDER BY n DESC LIMIT 10) CALL count_temporal_motifs(motif => 'M_2node_pingpong', delta => DURATION 'P1D', where => {node: {uids: act.rows[*].uid}}) FOR VALID_TIME FROM $from TO $to
-- diff_snapshots, scan, select
WITH d AS (CALL diff_snapshots(left => {at: DATE '2025-01-01'}, right => {at: DATE '2025-02-01'}, include => ['nodes_added'])) SELECT d.uid, n.name FROM d LEFT JOIN NODES() FOR VALID_TIME AS OF DATE '2025-02-01' AS n ON n.uid = d.uid
-- entity_history, select
WITH h AS (CALL entity_history(uid => 'nurse9', include_edges => TRUE)) SELECT x.type, COUNT(*) AS n FROM h.edges AS x GROUP BY x.type
-- aggregate_events, aggregate_events, select
(SELECT 'out' AS way, e.src AS uid, COUNT(*) AS n FROM EVENTS(PAID) AS e GROUP BY e.src) UNION ALL (SELECT 'in', e.dst, COUNT(*) FROM EVENTS(PAID) AS e GROUP BY e.dst) ORDER BY n DESC LIMIT 20
-- temporal_reachability
MATCH p = EARLIEST WALK TIME_RESPECTING (ARRIVAL END) (a {uid: 'OSL'})-[:FLIGHT]->+(b) FOR VALID_TIME FROM $from TO $to RETURN b.uid, ARRIVAL(p) AS at
-- longest_temporal_chain
MATCH p = LONGEST WALK TIME_RESPECTING (TIES STRICT) (a {uid: 'OSL'})-[:FLIGHT]->+(b {uid: 'SYD'}) RETURN LENGTH(p) AS legs, SPAN(p) AS span
-- scan, select, scan, select
WITH seniors AS (SELECT n.uid FROM NODES(Nurse) FOR VALID_TIME AS OF DATE '2025-03-01' AS n WHERE n.grade >= 7) MATCH (a IN seniors)-[r:WORKS_ON]->(w:Ward) FOR VALID_TIME AS OF DATE '2025-03-01' RETURN w.uid, COUNT(DISTINCT a.uid) AS seniors ORDER BY seniors DESC
-- scan, select
CALL "select"(query => 'SELECT e.src, COUNT(*) AS n FROM EVENTS(PAID) AS e GROUP BY e.src')
-- scan, select
SELECT e.src, SUM(e.cents) AS n FROM EVENTS(PAID) AS e GROUP BY e.src LIMIT 3
`;

describe("the operators of a statement", () => {
  it.each(lines(FORMS))("%s", (statement, operators) => {
    expect(operatorsOf(compiled(statement, context))).toBe(operators);
  });
});

describe("what goes along", () => {
  const steps = (text: string): JsonObject[] =>
    compiled(text, context).plan.steps.map(({ op, args }) => ({ op, ...args }));

  it("conditions, columns and the period of a scan", () => {
    const [scan, select] = steps(
      "SELECT e.dst, SUM(e.hours) AS h FROM EDGES(WORKS_ON) FOR VALID_TIME AS OF DATE '2025-03-01' AS e WHERE e.hours >= 6 AND e.src = 'nurse9' GROUP BY e.dst",
    );
    expect(scan).toEqual({
      op: "scan",
      of: "edges",
      names: ["WORKS_ON"],
      as_of_tt: null,
      valid: { at: at("2025-03-01") },
      where: { edge: [{ prop: "hours", op: "ge", value: 6 }], src: { uids: ["nurse9"] } },
      columns: ["dst", "props.hours"],
    });
    expect(select).toEqual({
      op: "select",
      query: "SELECT e.dst, SUM(e.hours) AS h FROM e GROUP BY e.dst",
      tables: { e: { $ref: "s1" } },
    });
  });

  it("the keys, measures, conditions and order of a grouping", () => {
    const [step] = steps(
      "SELECT e.channel, COUNT(*) AS n FROM EVENTS(PAID) FOR VALID_TIME FROM $from TO $to AS e WHERE e.amount > 5 GROUP BY e.channel HAVING COUNT(*) > 1 ORDER BY n DESC",
    );
    expect(step).toEqual({
      op: "aggregate_events",
      as_of_tt: null,
      group_by: [{ dim: "prop", of: "edge", prop: "channel" }],
      aggregates: [{ fn: "count", as: "n" }],
      window: { from: at("2025-01-01"), to: at("2025-06-01") },
      where: { types: ["PAID"], edge: [{ prop: "amount", op: "gt", value: 5 }] },
      having: [{ column: "n", op: "gt", value: 1 }],
      order_by: [
        { column: "n", desc: true, nulls: "last" },
        { column: "edge.channel", desc: false, nulls: "first" },
      ],
    });
  });

  it("no condition whose truth a scan would take for another", () => {
    const where = (condition: string) =>
      steps(`SELECT e.src FROM EDGES(PAID) AS e WHERE ${condition}`)[0]!.where as JsonObject | undefined;
    expect(where("NOT (e.channel = 'card')")).toEqual({ edge: [{ prop: "channel", op: "ne", value: "card" }] });
    expect(where("NOT (e.channel = 'card' OR e.amount > 3)")).toBeUndefined();
    expect(where("e.channel NOT IN ('card')")).toBeUndefined();
    expect(where("e.channel IN ('card', NULL)")).toBeUndefined();
    expect(where("e.src = ''")).toBeUndefined();
    expect(where("e.channel = 'card' OR e.amount > 3")).toEqual({
      edge: [
        {
          any: [
            { prop: "channel", op: "eq", value: "card" },
            { prop: "amount", op: "gt", value: 3 },
          ],
        },
      ],
    });
    expect(where("5 < e.amount")).toEqual({ edge: [{ prop: "amount", op: "gt", value: 5 }] });
  });

  it("conditions only to that side of an outer join where they may go", () => {
    const scans = (join: string) =>
      steps(
        `SELECT a.src FROM EDGES(PAID) AS a ${join} JOIN EDGES(WORKS_ON) AS b ON b.src = a.src AND b.hours > 1 WHERE a.amount > 1 AND b.shift = 'day'`,
      )
        .filter(({ op }) => op === "scan")
        .map(({ where }) => where ?? null);
    const [amount, hours, shift] = [
      { prop: "amount", op: "gt", value: 1 },
      { prop: "hours", op: "gt", value: 1 },
      { prop: "shift", op: "eq", value: "day" },
    ];
    expect(scans("INNER")).toEqual([{ edge: [amount] }, { edge: [shift, hours] }]);
    expect(scans("LEFT")).toEqual([{ edge: [amount] }, { edge: [hours] }]);
    expect(scans("RIGHT")).toEqual([null, { edge: [shift] }]);
    expect(scans("FULL")).toEqual([null, null]);
  });

  it("the types of columns, before anything runs", () => {
    const { columns } = compiled(
      "SELECT e.src, e.valid_to, e.hours, COUNT(*) OVER () AS n FROM EDGES(WORKS_ON) AS e",
      context,
    );
    expect(columns.map(({ name, type }) => [name, type.kind])).toEqual([
      ["src", "string"],
      ["valid_to", "instant_open"],
      ["hours", "int"],
      ["n", "int"],
    ]);
  });
});

describe("notices", () => {
  const codes = (text: string) => compiled(text, context).notices.map(({ code }) => code);
  it("say what was defaulted, and what may not be meant", () => {
    expect(codes("SELECT e.src FROM EDGES(PAID) AS e")).toEqual(["W_DEFAULT_PERIOD"]);
    const all = "FOR VALID_TIME ALL FOR TRANSACTION_TIME AS OF LATEST";
    expect(codes(`SELECT e.src FROM EDGES(PAID) ${all} AS e`)).toEqual([]);
    expect(
      codes("SELECT e.src FROM EDGES(PAID) FOR VALID_TIME BETWEEN $from AND $to FOR TRANSACTION_TIME AS OF TX 1 AS e"),
    ).toEqual(["W_BETWEEN_END"]);
    expect(
      codes(
        "SELECT e.src FROM EDGES(PAID) FOR VALID_TIME FROM $from TO TIMESTAMP '2025-02-01T23:59:59Z' FOR TRANSACTION_TIME AS OF TX 1 AS e",
      ),
    ).toEqual(["W_HAND_INCLUSIVE"]);
    expect(codes("SELECT e.late FROM EDGES(LATER) FOR VALID_TIME ALL FOR TRANSACTION_TIME AS OF TX 1 AS e")).toEqual([
      "W_NOT_YET",
    ]);
  });
});

describe("errors", () => {
  it.each([
    ["SELECT n.uid FROM NODES() FOR VALID_TIME AS OF 1735689600 AS n", "E_EPOCH_UNIT", "point", 48],
    [
      "SELECT n.uid FROM NODES() FOR VALID_TIME AS OF TIMESTAMP '2025-03-01 08:00:00' AS n",
      "E_ZONE_MISSING",
      "literal",
      48,
    ],
    [
      "SELECT e.at FROM EVENTS() FOR VALID_TIME FROM DATE '2025-02-01' TO DATE '2025-01-01' AS e",
      "E_PERIOD_ORDER",
      "period",
      42,
    ],
    ["SELECT n.uid FROM NODES(Nurze) AS n", "E_SCHEMA", "unknown_name", 25],
    ["SELECT n.uid FROM NODES() FOR TRANSACTION_TIME AS OF TX 99 AS n", "E_TX_UNKNOWN", "tx", null],
    ["SELECT e.src FROM EVENTS(PAID) FOR VALID_TIME AS OF $day AS e", "E_AXIS", "events_at", 32],
    ["SELECT n.uid FROM NODES() FOR TRANSACTION_TIME FROM $a TO $to AS n", "E_AXIS", "tx_range", 27],
    ["CALL temporal_reach(uid => 'x')", "E_NOT_FOUND", "unknown_operator", 6],
    ["CALL entity_history(uit => 'x')", "E_SCHEMA", "unknown_argument", 21],
    [
      "CALL temporal_reachability(uid => 'x', window => NULL) FOR VALID_TIME FROM $from TO $to",
      "E_INVALID_ARG",
      "time_twice",
      56,
    ],
    ["MATCH (a)-[:PAID]->(b)-[:PAID]->(c) RETURN a.uid", "E_INVALID_ARG", "pattern_not_supported", null],
    ["MATCH (a)-[:PAID]->{1,3}(b) RETURN a.uid", "E_INVALID_ARG", "pattern_not_supported", null],
    [
      "MATCH p = EARLIEST TIME_RESPECTING (ARRIVAL END) (a {uid: 'x'})-[:FLIGHT]->+(b {uid: 'y'}) RETURN ARRIVAL(p)",
      "E_INVALID_ARG",
      "unbounded",
      null,
    ],
    [
      "MATCH p = FASTEST WALK TIME_RESPECTING (ARRIVAL END) (a {uid: 'x'})-[:FLIGHT]->+(b) RETURN ARRIVAL(p)",
      "E_INVALID_ARG",
      "free_end",
      null,
    ],
    [
      "WITH w AS (SELECT e.src FROM EDGES(PAID) AS e) CALL entity_history(uid => w.rows[0].scr)",
      "E_SCHEMA",
      "unknown_name",
      null,
    ],
  ] as [string, string, string, number | null][])("%s", (text, code, kind, column) => {
    const error = errorOf(text, context);
    expect([error.code, error.details.kind]).toEqual([code, kind]);
    if (column !== null) expect(error.details.column).toBe(column);
    expect(error.hint).not.toBe("");
  });
});
