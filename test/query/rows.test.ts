// Rows of statements over small stores, counted by hand.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/contract/values.js";
import { type Database, open } from "../../src/index.js";
import type { CompileContext } from "../../src/query/compile/context.js";
import { contextOf, rowsOf } from "./compiling.js";

const day = (n: number): string => `2025-03-${String(n).padStart(2, "0")}T00:00:00Z`;
let db: Database;
let context: CompileContext;

beforeAll(async () => {
  db = await open(":memory:");
  const node = (uid: string, labels: string[], props: JsonObject, from = 1, to: number | null = null) => ({
    op: "assert_node" as const,
    uid,
    labels,
    props,
    valid_from: day(from),
    valid_to: to === null ? null : day(to),
  });
  const edge = (
    src: string,
    type: string,
    dst: string,
    from: number,
    to: number | null,
    props: JsonObject = {},
    key = "",
  ) => ({
    op: "assert_edge" as const,
    src,
    type,
    dst,
    key,
    props,
    valid_from: day(from),
    valid_to: to === null ? null : day(to),
  });
  await db.write([
    node("ada", ["Nurse"], { name: "Ada", grade: 5 }),
    node("bob", ["Nurse", "Trainee"], { name: "Bob", grade: 3 }, 1, 10),
    node("bob", ["Nurse"], { name: "Bob", grade: 4 }, 10),
    node("w1", ["Ward"], { name: "north" }),
    node("w2", ["Ward"], { name: "south" }, 5),
    edge("ada", "WORKS_ON", "w1", 2, 8, { shift: "night", hours: 6 }),
    edge("ada", "WORKS_ON", "w2", 8, null, { shift: "day", hours: 8 }),
    edge("bob", "WORKS_ON", "w1", 4, 12, { shift: "day" }),
    edge("bob", "ON_LEAVE", "bob", 6, 7),
    edge("ada", "PAID", "bob", 3, 4, { amount: 10.5, channel: "card" }, "p1"),
    edge("ada", "PAID", "bob", 5, 6, { amount: 2.25, channel: "cash" }, "p2"),
    edge("bob", "PAID", "ada", 9, 10, { amount: 7.25, channel: "card" }, "p3"),
  ] as never);
  await db.write([
    {
      op: "correct",
      ref: { src: "ada", type: "WORKS_ON", dst: "w1", key: "" },
      mode: "patch",
      props: { hours: 7 },
      valid_from: day(3),
      valid_to: day(5),
      reason: "typed in wrong",
    },
  ] as never);
  context = contextOf(db, { parameters: { day: day(6), who: "ada", uids: ["ada", "nobody"], d: new Date(day(4)) } });
});
afterAll(() => db.close());

const rows = (text: string): Promise<readonly JsonObject[]> => rowsOf(db, text, context);

describe("SELECT", () => {
  it.each([
    [
      "versions at an instant",
      "SELECT n.uid, n.grade FROM NODES(Nurse) FOR VALID_TIME AS OF $day AS n ORDER BY n.grade",
      [
        { uid: "bob", grade: 3 },
        { uid: "ada", grade: 5 },
      ],
    ],
    [
      "a label that is not there",
      "SELECT n.uid, n.valid_from FROM NODES(Nurse & !Trainee) AS n",
      [
        { uid: "ada", valid_from: day(1) },
        { uid: "bob", valid_from: day(10) },
      ],
    ],
    [
      "missing values are neither equal nor unequal",
      "SELECT e.src, e.valid_from FROM EDGES(WORKS_ON) AS e WHERE NOT (e.hours = 8)",
      [
        { src: "ada", valid_from: day(2) },
        { src: "ada", valid_from: day(3) },
        { src: "ada", valid_from: day(5) },
      ],
    ],
    [
      "events, not versions",
      "SELECT e.src, e.hours, e.duration FROM EVENTS(WORKS_ON) AS e WHERE e.dst = 'w1'",
      [
        { src: "ada", hours: 6, duration: "PT144H" },
        { src: "bob", hours: null, duration: "PT192H" },
      ],
    ],
    [
      "a period cut",
      "SELECT e.src, e.valid_from, e.valid_to FROM EDGES(WORKS_ON) FOR VALID_TIME ONLY FROM TIMESTAMP '2025-03-07T00:00:00Z' TO TIMESTAMP '2025-03-09T00:00:00Z' AS e",
      [
        { src: "ada", valid_from: day(7), valid_to: day(8) },
        { src: "ada", valid_from: day(8), valid_to: day(9) },
        { src: "bob", valid_from: day(7), valid_to: day(9) },
      ],
    ],
    [
      "whole lives inside",
      "SELECT e.src, e.type FROM EDGES() FOR VALID_TIME CONTAINED IN (DATE '2025-03-05', DATE '2025-03-08') AS e",
      [
        { src: "ada", type: "PAID" },
        { src: "ada", type: "WORKS_ON" },
        { src: "bob", type: "ON_LEAVE" },
      ].sort((a, b) => (a.src + a.type < b.src + b.type ? -1 : 1)),
    ],
    ["an end that is open", "SELECT e.src FROM EDGES(WORKS_ON) AS e WHERE e.valid_to = FOREVER", [{ src: "ada" }]],
    [
      "what was corrected",
      "SELECT v.hours, v.ended_by FROM VERSIONS(EDGES WORKS_ON) AS v WHERE v.ended_by = 'corrected'",
      [{ hours: 6, ended_by: "corrected" }],
    ],
    [
      "an earlier belief",
      "SELECT e.hours, e.valid_to FROM EDGES(WORKS_ON) FOR TRANSACTION_TIME AS OF TX 1 AS e WHERE e.dst = 'w1' AND e.src = $who",
      [{ hours: 6, valid_to: day(8) }],
    ],
    [
      "the log",
      "SELECT c.tx, c.corrected FROM COMMITS() AS c",
      [
        { tx: 1, corrected: 0 },
        { tx: 2, corrected: 1 },
      ],
    ],
    [
      "days, also those without events",
      "SELECT b.bucket_from, COUNT(e.at) AS n FROM BUCKETS(FROM DATE '2025-03-03' TO DATE '2025-03-06' STEP INTERVAL 'P1D') AS b LEFT JOIN EVENTS(PAID) AS e ON e.at >= b.bucket_from AND e.at < b.bucket_to GROUP BY b.bucket_from",
      [
        { bucket_from: day(3), n: 1 },
        { bucket_from: day(4), n: 0 },
        { bucket_from: day(5), n: 1 },
      ],
    ],
    ["uids of a parameter", "SELECT n.uid FROM NODES() AS n WHERE n.uid IN $uids", [{ uid: "ada" }]],
    [
      "an instant as a parameter",
      "SELECT e.src, e.at FROM EVENTS(WORKS_ON) AS e WHERE e.at >= $d",
      [
        { src: "ada", at: day(8) },
        { src: "bob", at: day(4) },
      ],
    ],
    [
      "all properties",
      "SELECT n.props, n.props['grade'] AS g FROM NODES(Ward) AS n",
      [
        { props: { name: "north" }, g: null },
        { props: { name: "south" }, g: null },
      ],
    ],
    [
      "a property of a join that is missing",
      "SELECT w.uid, e.hours FROM NODES(Ward) AS w LEFT JOIN EDGES(WORKS_ON) FOR VALID_TIME AS OF $day AS e ON e.dst = w.uid AND e.shift = 'night'",
      [
        { uid: "w1", hours: 6 },
        { uid: "w2", hours: null },
      ],
    ],
  ] as [string, string, JsonObject[]][])("%s", async (_, text, expected) => {
    expect(await rows(text)).toEqual(expected);
  });
});

describe("SELECT over events as a grouping", () => {
  it.each([
    [
      "with an order",
      "SELECT e.channel, COUNT(*) AS n, SUM(e.amount) AS total FROM EVENTS(PAID) AS e GROUP BY e.channel ORDER BY total DESC",
      [
        { channel: "card", n: 2, total: 17.75 },
        { channel: "cash", n: 1, total: 2.25 },
      ],
    ],
    [
      "in the standing order of its columns",
      "SELECT COUNT(*) AS n, e.src FROM EVENTS(PAID) AS e GROUP BY e.src",
      [
        { n: 1, src: "bob" },
        { n: 2, src: "ada" },
      ],
    ],
    [
      "under other names, with HAVING",
      "SELECT e.dst AS uid, MAX(e.amount) AS most FROM EVENTS(PAID) AS e GROUP BY uid HAVING most > 8",
      [{ uid: "bob", most: 10.5 }],
    ],
    [
      "with computing after it",
      "SELECT e.src, SUM(e.amount) / COUNT(*) AS mean FROM EVENTS(PAID) AS e GROUP BY e.src ORDER BY mean",
      [
        { src: "ada", mean: 6.375 },
        { src: "bob", mean: 7.25 },
      ],
    ],
    [
      "with LIMIT",
      "SELECT e.channel, COUNT(*) AS n FROM EVENTS(PAID) AS e GROUP BY e.channel ORDER BY n DESC LIMIT 1",
      [{ channel: "card", n: 2 }],
    ],
    [
      "by both ends",
      "SELECT p.uid, COUNT(*) AS n, COUNT(DISTINCT p.other) AS others FROM ENDPOINTS(PAID) AS p GROUP BY p.uid",
      [
        { uid: "ada", n: 3, others: 1 },
        { uid: "bob", n: 3, others: 1 },
      ],
    ],
    [
      "of a gap",
      "SELECT e.src, MAX_GAP(e.at) AS pause FROM EVENTS(PAID) AS e GROUP BY e.src",
      [
        { src: "ada", pause: "PT48H" },
        { src: "bob", pause: null },
      ],
    ],
    [
      "in two branches",
      "(SELECT 'out' AS way, e.src AS uid, COUNT(*) AS n FROM EVENTS(PAID) AS e GROUP BY e.src) UNION ALL (SELECT 'in', e.dst, COUNT(*) FROM EVENTS(PAID) AS e GROUP BY e.dst) ORDER BY n DESC, way LIMIT 3",
      [
        { way: "in", uid: "bob", n: 2 },
        { way: "out", uid: "ada", n: 2 },
        { way: "in", uid: "ada", n: 1 },
      ],
    ],
  ] as [string, string, JsonObject[]][])("%s", async (_, text, expected) => {
    expect(await rows(text)).toEqual(expected);
  });
});

describe("MATCH", () => {
  it.each([
    [
      "versions of a node",
      "MATCH (n:Nurse) RETURN n.uid, n.grade",
      [
        { uid: "ada", grade: 5 },
        { uid: "bob", grade: 3 },
        { uid: "bob", grade: 4 },
      ],
    ],
    [
      "an edge, its nodes as entities",
      "MATCH (n:Nurse)-[r:WORKS_ON]->(w:Ward) RETURN n.name, w.name AS ward, r.valid_from",
      [
        { name: "Ada", ward: "north", valid_from: day(2) },
        { name: "Ada", ward: "north", valid_from: day(3) },
        { name: "Ada", ward: "north", valid_from: day(5) },
        { name: "Ada", ward: "south", valid_from: day(8) },
        { name: "Bob", ward: "north", valid_from: day(4) },
      ],
    ],
    [
      "properties at the anchor in a window",
      "MATCH (n:Nurse {uid: 'bob'})-[r:WORKS_ON]->(w) FOR VALID_TIME FROM TIMESTAMP '2025-03-11T00:00:00Z' TO FOREVER RETURN n.grade, r.valid_from",
      [{ grade: 4, valid_from: day(4) }],
    ],
    ["labels at the anchor", "MATCH (n:Trainee)-[r:WORKS_ON]->(w) RETURN n.uid", [{ uid: "bob" }]],
    [
      "labels that are not there at the anchor",
      "MATCH (n:!Trainee)-[r:PAID]->(m) RETURN n.uid, r.key",
      [
        { uid: "ada", key: "p1" },
        { uid: "ada", key: "p2" },
      ],
    ],
    [
      "backwards",
      "MATCH (w:Ward)<-[r:WORKS_ON]-(n) FOR VALID_TIME AS OF $day RETURN w.uid, n.uid AS nurse",
      [
        { uid: "w1", nurse: "ada" },
        { uid: "w1", nurse: "bob" },
      ],
    ],
    [
      "either way, a loop once",
      "MATCH (n {uid: 'bob'})-[r:ON_LEAVE|PAID]-(m) RETURN r.type, m.uid, r.key ORDER BY r.valid_from",
      [
        { type: "PAID", uid: "ada", key: "p1" },
        { type: "PAID", uid: "ada", key: "p2" },
        { type: "ON_LEAVE", uid: "bob", key: "" },
        { type: "PAID", uid: "ada", key: "p3" },
      ],
    ],
    ["the same node twice", "MATCH (n)-[r]->(n) RETURN n.uid, r.type", [{ uid: "bob", type: "ON_LEAVE" }]],
    [
      "grouped by what is no aggregate",
      "MATCH (n)-[r:WORKS_ON]->(w) FOR VALID_TIME AS OF $day RETURN w.uid, COUNT(*) AS staff",
      [{ uid: "w1", staff: 2 }],
    ],
    [
      "distinct, cut",
      "MATCH (n)-[r:PAID]->(m) RETURN DISTINCT n.uid, m.uid AS other ORDER BY n.uid DESC LIMIT 1",
      [{ uid: "bob", other: "ada" }],
    ],
    [
      "of a cohort",
      "WITH few AS (SELECT n.uid FROM NODES(Nurse) FOR VALID_TIME AS OF $day AS n WHERE n.grade < 5) MATCH (a IN few)-[r:PAID]->(b) RETURN a.uid, r.amount",
      [{ uid: "bob", amount: 7.25 }],
    ],
    [
      "events in order of time",
      "MATCH TIME_RESPECTING (a)-[x:WORKS_ON]->(b) RETURN a.uid, x.at, x.hours ORDER BY x.at",
      [
        { uid: "ada", at: day(2), hours: 6 },
        { uid: "bob", at: day(4), hours: null },
        { uid: "ada", at: day(8), hours: 8 },
      ],
    ],
    ["an unknown uid matches nothing", "MATCH (n {uid: 'nobody'})-[r:PAID]->(m) RETURN m.uid", []],
    [
      "whole properties, for who writes them",
      "MATCH (n {uid: 'ada'})-[r:WORKS_ON]->(w {uid: 'w2'}) RETURN n.uid, r.props, r.valid_to",
      [{ uid: "ada", props: { hours: 8, shift: "day" }, valid_to: null }],
    ],
  ] as [string, string, JsonObject[]][])("%s", async (_, text, expected) => {
    expect(await rows(text)).toEqual(expected);
  });
});

describe("journeys and calls", () => {
  it.each([
    [
      "the earliest arrival",
      "MATCH p = EARLIEST TIME_RESPECTING (ARRIVAL INSTANT) (a {uid: 'ada'})-[:PAID]->{1,2}(b {uid: 'bob'}) RETURN ARRIVAL(p) AS at, LENGTH(p) AS n",
      [{ at: day(3), n: 1 }],
    ],
    [
      "one free end",
      "MATCH p = EARLIEST WALK TIME_RESPECTING (ARRIVAL INSTANT) (a {uid: 'bob'})-[:PAID]->+(b) RETURN b.uid, ARRIVAL(p) AS at",
      [{ uid: "ada", at: day(9) }],
    ],
    [
      "an unknown start",
      "MATCH p = EARLIEST WALK TIME_RESPECTING (ARRIVAL INSTANT) (a {uid: 'nobody'})-[:PAID]->+(b) RETURN b.uid, ARRIVAL(p) AS at",
      [],
    ],
    ["a part of a list", "CALL temporal_reachability(uid => 'ada') YIELD uid LIMIT 1 OFFSET 1", [{ uid: "bob" }]],
    [
      "conditions on the rows of a call",
      "CALL temporal_reachability(uid => 'ada') YIELD uid, arrival AS at WHERE at >= DATE '2025-03-04' ORDER BY at DESC",
      [{ uid: "w2", at: day(8) }],
    ],
    [
      "a list of a call",
      "WITH h AS (CALL entity_history(uid => 'ada', include_edges => TRUE)) SELECT x.type, COUNT(*) AS n FROM h.edges AS x GROUP BY x.type",
      [
        { type: "PAID", n: 3 },
        { type: "WORKS_ON", n: 4 },
      ],
    ],
    [
      "times from an earlier step",
      "WITH f AS (SELECT MIN(e.at) AS at FROM EVENTS(PAID) AS e) SELECT e.key FROM EVENTS(PAID) FOR VALID_TIME FROM f.rows[0].at TO FOREVER AS e WHERE e.at > f.rows[0].at",
      [{ key: "p2" }, { key: "p3" }],
    ],
  ] as [string, string, JsonObject[]][])("%s", async (_, text, expected) => {
    expect(await rows(text)).toEqual(expected);
  });
});
