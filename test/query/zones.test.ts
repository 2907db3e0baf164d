// The zone in force reaches whatever of a statement reads local time. Rows counted by hand around the night of
// 2025-03-30 in Oslo, where 02:00+01:00 became 03:00+02:00, and of 2025-10-26, where it went back.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Database, open, type QuerySession } from "../../src/index.js";

let db: Database;
let oslo: QuerySession;
const edge = (key: string, from: string) => ({
  op: "assert_edge" as const,
  src: "a",
  type: "PAID",
  dst: "b",
  key,
  valid_from: from,
  valid_to: from.replace("00Z", "30Z"),
});

beforeAll(async () => {
  db = await open(":memory:");
  await db.write([
    edge("1", "2025-03-29T23:30:00Z"), // Sunday 30 March, 00:30+01:00
    edge("2", "2025-03-30T22:30:00Z"), // Monday 31 March, 00:30+02:00
    edge("3", "2025-10-25T22:30:00Z"), // Sunday 26 October, 00:30+02:00
  ] as never);
  oslo = db.session({ zone: "Europe/Oslo" });
});
afterAll(async () => {
  await oslo.close();
  await db.close();
});

/** A text, its rows in Oslo, and its rows where no zone was set. */
const CASES: readonly [string, readonly unknown[][], readonly unknown[][]][] = [
  [
    "SELECT e.at + INTERVAL 'P1D' AS x FROM EVENTS(PAID) AS e ORDER BY e.at",
    [["2025-03-30T22:30:00Z"], ["2025-03-31T22:30:00Z"], ["2025-10-26T23:30:00Z"]],
    [["2025-03-30T23:30:00Z"], ["2025-03-31T22:30:00Z"], ["2025-10-26T22:30:00Z"]],
  ],
  [
    "SELECT e.at - INTERVAL 'P1M' AS x FROM EVENTS(PAID) AS e ORDER BY e.at",
    [["2025-02-27T23:30:00Z"], ["2025-02-27T23:30:00Z"], ["2025-09-25T22:30:00Z"]],
    [["2025-02-28T23:30:00Z"], ["2025-02-28T22:30:00Z"], ["2025-09-25T22:30:00Z"]],
  ],
  [
    "SELECT BUCKET(e.at, INTERVAL 'P1D') AS x, COUNT(*) AS n FROM EVENTS(PAID) AS e GROUP BY x ORDER BY x",
    [
      ["2025-03-29T23:00:00Z", 1],
      ["2025-03-30T22:00:00Z", 1],
      ["2025-10-25T22:00:00Z", 1],
    ],
    [
      ["2025-03-29T00:00:00Z", 1],
      ["2025-03-30T00:00:00Z", 1],
      ["2025-10-25T00:00:00Z", 1],
    ],
  ],
  [
    "SELECT DATE_TRUNC('month', e.at) AS x, DATE_PART('day', e.at) AS d, DAY_NAME(e.at) AS n, FORMAT_TIME(e.at, '%d %H:%M') AS f FROM EVENTS(PAID) AS e ORDER BY e.at",
    [
      ["2025-02-28T23:00:00Z", 30, "Sunday", "30 00:30"],
      ["2025-02-28T23:00:00Z", 31, "Monday", "31 00:30"],
      ["2025-09-30T22:00:00Z", 26, "Sunday", "26 00:30"],
    ],
    [
      ["2025-03-01T00:00:00Z", 29, "Saturday", "29 23:30"],
      ["2025-03-01T00:00:00Z", 30, "Sunday", "30 22:30"],
      ["2025-10-01T00:00:00Z", 25, "Saturday", "25 22:30"],
    ],
  ],
  // Dimensions of aggregate_events.
  [
    "SELECT DATE_TRUNC('day', e.at) AS x, COUNT(*) AS n FROM EVENTS(PAID) AS e GROUP BY x",
    [
      ["2025-03-29T23:00:00Z", 1],
      ["2025-03-30T22:00:00Z", 1],
      ["2025-10-25T22:00:00Z", 1],
    ],
    [
      ["2025-03-29T00:00:00Z", 1],
      ["2025-03-30T00:00:00Z", 1],
      ["2025-10-25T00:00:00Z", 1],
    ],
  ],
  [
    "SELECT EXTRACT(hour FROM e.at) AS h, COUNT(*) AS n FROM EVENTS(PAID) AS e GROUP BY h",
    [[0, 3]],
    [
      [22, 2],
      [23, 1],
    ],
  ],
  // A zone that is written wins.
  [
    "SELECT EXTRACT(hour FROM e.at ZONE 'UTC') AS h, COUNT(*) AS n FROM EVENTS(PAID) AS e GROUP BY h",
    [
      [22, 2],
      [23, 1],
    ],
    [
      [22, 2],
      [23, 1],
    ],
  ],
  [
    "SELECT DATE_TRUNC('day', $t) AS x, DAY_NAME($t, 'Asia/Tokyo') AS n",
    [["2025-03-29T23:00:00Z", "Sunday"]],
    [["2025-03-29T00:00:00Z", "Sunday"]],
  ],
  [
    "MATCH (n)-[r:PAID]->(m) WHERE DATE_PART('hour', r.valid_from) = 0 RETURN COUNT(*) AS n, MIN(r.valid_from + INTERVAL 'P1D') AS x",
    [[3, "2025-03-30T22:30:00Z"]],
    [[0, null]],
  ],
  [
    "WITH s AS (SELECT e.at FROM EVENTS(PAID) AS e) SELECT COUNT(DISTINCT DATE_TRUNC('month', s.at + INTERVAL 'P1D')) AS n FROM s",
    [[3]],
    [[2]],
  ],
];

const params = { t: "2025-03-29T23:30:00Z" };
const cells = (rows: readonly Record<string, unknown>[]): unknown[][] => rows.map((row) => Object.values(row));
const given = (text: string) => (text.includes("$t") ? { params } : {});

describe("the zone in force", () => {
  it.each(CASES)("%s", async (text, inOslo, inUtc) => {
    expect(cells((await oslo.query(text, given(text))).rows)).toEqual(inOslo);
    expect(cells((await db.query(text, given(text))).rows)).toEqual(inUtc);
    expect((await oslo.query(`EXPLAIN VERIFY ${text}`, given(text))).rows.length).toBeGreaterThan(0);
  });

  it("is what SET TIME ZONE said last", async () => {
    const session = db.session({});
    const text = "SELECT MIN(e.at + INTERVAL 'P1D') AS x, MIN(DATE_TRUNC('day', e.at)) AS d FROM EVENTS(PAID) AS e";
    const utc = [["2025-03-30T23:30:00Z", "2025-03-29T00:00:00Z"]];
    expect(cells((await session.query(text)).rows)).toEqual(utc);
    await session.query("SET TIME ZONE 'Europe/Oslo'");
    expect(cells((await session.query(text)).rows)).toEqual([["2025-03-30T22:30:00Z", "2025-03-29T23:00:00Z"]]);
    await session.query("SET TIME ZONE 'UTC'");
    expect(cells((await session.query(text)).rows)).toEqual(utc);
    await session.close();
  });

  it("is an argument of a step only where its text depends on it", async () => {
    const zoneOf = async (text: string): Promise<unknown> => (await oslo.query(text)).plan!.steps.at(-1)?.args?.zone;
    expect(await zoneOf("SELECT e.at + DURATION 'P1D' AS x FROM EVENTS(PAID) AS e")).toBeUndefined();
    expect(await zoneOf("SELECT DAY_NAME(e.at, 'UTC') AS x FROM EVENTS(PAID) AS e")).toBeUndefined();
    expect(await zoneOf("SELECT DAY_NAME(e.at) AS x FROM EVENTS(PAID) AS e")).toBe("Europe/Oslo");
  });
});
