// The closed table of functions: texts, lists, JSON, casts, periods, calendars. Calendars are held against src/calendar,
// which has tests of its own; everything else against values worked out by hand.
import { describe, expect, it } from "vitest";
import { partOf, periodBegins } from "../../src/calendar/units.js";
import { zoneOf } from "../../src/calendar/zones.js";
import { ALLEN_RELATIONS } from "../../src/contract/allen.js";
import { lowerCase, upperCase } from "../../src/contract/case-mapping.js";
import { formatInstant } from "../../src/contract/instant.js";
import { FUNCTION_TABLE } from "../../src/relational/index.js";
import { randomOf } from "./random.js";
import { errorOf, oneValue, rowsOf, type TestTable } from "./tables.js";

const ITEMS: readonly (readonly [item: string, value: unknown])[] = [
  ["LENGTH('a😀ä')", 3],
  ["SUBSTRING('a😀äb', 2, 2)", "😀ä"],
  ["UPPER('straße ǆ')", "STRAßE Ǆ"],
  ["LOWER('İÄ')", "iä"],
  ["TRIM('  x ')", "x"],
  ["LTRIM('xxay', 'x')", "ay"],
  ["REPLACE('a.b.c', '.', '')", "abc"],
  ["SPLIT('a,b,', ',')", ["a", "b", ""]],
  ["LPAD('7', 3, '0')", "007"],
  ["CONCAT('a', NULL, 'b')", "ab"],
  ["'a' || NULL", null],
  ["'it''s' || '\\n'", "it's\\n"],
  ["'100%' LIKE '100!%' ESCAPE '!'", true],
  ["'100x' LIKE '100!%' ESCAPE '!'", false],
  ["'a\\b' LIKE 'a\\b'", true],
  ["'ÅSA' ILIKE 'å%'", true],
  ["'abc' STARTS WITH 'ab' AND 'abc' ENDS WITH 'bc' AND 'abc' CONTAINS 'b'", true],
  ["ABS(-5) + SIGN(-2.5)", 4],
  ["FLOOR(-2.5)", -3],
  ["ROUND(2.5)", 2],
  ["ROUND(2.675, 2)", 2.67],
  ["DIV(-7, 2)", -3],
  ["MOD(-7, 2)", -1],
  ["-7 % 2", -1],
  ["7 / 2", 3.5],
  ["POWER(2, 10)", 1024],
  ["POWER(2, -1)", 0.5],
  ["POWER(0, -1)", null],
  ["SQRT(3)", 1.732050808],
  ["LEAST(3, NULL, 2.5)", 2.5],
  ["GREATEST('a', 'b')", "b"],
  ["COALESCE(NULL, 2)", 2],
  ["NULLIF(2, 2.0)", null],
  ["LENGTH([1, NULL])", 2],
  ["[3, 1, 2][0]", 3],
  ["[3, 1, 2][5]", null],
  ["LIST_SORT([3, NULL, 1])", [null, 1, 3]],
  ["LIST_DISTINCT(['b', 'a', 'b'])", ["a", "b"]],
  ["LIST_CONTAINS([1, 2], 2.0)", true],
  ["LIST_SLICE([1, 2, 3, 4], 1, 3)", [2, 3]],
  ["2 IN [1, 2]", true],
  ["{b: 1 + 1, a: CONCAT('\"', 'ä')}", { a: '"ä', b: 2 }],
  ["{}", {}],
  ["{a: CAST([1, NULL] AS JSON), a: 3}", { a: 3 }],
  ["CAST([[1], NULL, []] AS JSON)", [[1], null, []]],
  ["CAST(NULLIF([1], [1]) AS JSON)", null],
  ["{x: 9007199254740993 + 0}.x", 9_007_199_254_740_993n],
  [
    "{a: DURATION 'PT90M', b: PERIOD(DATE '2025-01-01', FOREVER)}",
    { a: "PT1H30M", b: { from: "2025-01-01T00:00:00Z", to: null } },
  ],
  ["(1, 'a') = (1, 'a')", true],
  ["2 BETWEEN 1 AND 2", true],
  ["NULL IS DISTINCT FROM 1", true],
  ["1 IS NOT DISTINCT FROM 1.0", true],
  ["(1 = 2) IS FALSE", true],
  ["CASE 3 WHEN 1 THEN 'a' WHEN 3.0 THEN 'c' END", "c"],
  ["DURATION 'PT1H' / 3", "PT20M"],
  ["DURATION 'PT0.000001S' / 2", "PT0S"],
  ["DURATION 'PT0.000003S' / 2", "PT0.000002S"],
  ["DURATION 'PT1H' * 1.5", "PT1H30M"],
  ["DURATION 'P1D' / DURATION 'PT6H'", 4],
  ["HOURS(DURATION 'PT90M')", 1.5],
  ["DAYS(DURATION '-PT36H')", -1.5],
  ["EPOCH_MICROS(TIMESTAMP '1970-01-01T00:00:01Z')", 1_000_000],
  ["TIMESTAMP '2025-01-31T00:00:00Z' + INTERVAL 'P1M'", "2025-02-28T00:00:00Z"],
  ["TIMESTAMP '2024-02-29T00:00:00Z' - INTERVAL 'P1Y'", "2023-02-28T00:00:00Z"],
  ["WIDTH(PERIOD(DATE '2025-01-01', DATE '2025-01-02'))", "PT24H"],
  ["WIDTH(PERIOD(DATE '2025-01-01', FOREVER))", null],
  ["PERIOD_TO(PERIOD(DATE '2025-01-01', FOREVER)) = FOREVER", true],
  ["PERIOD(DATE '2025-01-01', DATE '2025-01-03')", { from: "2025-01-01T00:00:00Z", to: "2025-01-03T00:00:00Z" }],
  ["PERIOD(DATE '2025-01-01', DATE '2025-01-03') CONTAINS DATE '2025-01-03'", false],
  ["CAST(' 5' AS INT64) IS NULL", "E_INVALID_ARG"],
  ["TRY_CAST('5x' AS INT64)", null],
  ["CAST('-5' AS INT64)", -5],
  ["CAST('1e3' AS DOUBLE)", 1000],
  ["TRY_CAST('inf' AS DOUBLE)", null],
  ["CAST(2.5 AS INT64)", 2],
  ["CAST(9007199254740993 AS STRING)", "9007199254740993"],
  ["CAST(2.0 AS STRING)", "2"],
  ["CAST(TRUE AS STRING)", "true"],
  ["CAST('true' AS BOOL)", true],
  ["CAST('2025-03-01T08:00:00+01:00' AS INSTANT)", "2025-03-01T07:00:00Z"],
  ["CAST('2025-03-01' AS INSTANT)", "2025-03-01T00:00:00Z"],
  ["TRY_CAST('2025-03-01 08:00:00' AS INSTANT)", null],
  ["CAST(TIMESTAMP '-0043-03-15T00:00:00.5Z' AS STRING)", "-0043-03-15T00:00:00.500000Z"],
  ["CAST(DURATION 'PT26H3.5S' AS STRING)", "PT26H3.500000S"],
  ["CAST('P1DT2H' AS DURATION)", "PT26H"],
  ["TRY_CAST('P1M' AS DURATION)", null],
  ["MONTH_NAME(DATE '2025-03-01') || ' ' || DAY_NAME(DATE '2025-03-01')", "March Saturday"],
  ["FORMAT_TIME(TIMESTAMP '2025-03-01T23:30:00Z', '%d.%m.%Y %H:%M', 'Europe/Oslo')", "02.03.2025 00:30"],
];

it.each(ITEMS)("%s", async (item, value) => {
  if (typeof value === "string" && value.startsWith("E_"))
    expect((await errorOf(`SELECT ${item} AS x`)).code).toBe(value);
  else expect(await oneValue(`SELECT ${item} AS x`)).toEqual(value);
});

it("lower and upper case follow the table of Unicode for every code point", async () => {
  const letters = Array.from({ length: 0x20000 }, (_, code) => code)
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code));
  const texts = Array.from({ length: Math.ceil(letters.length / 512) }, (_, i) =>
    letters.slice(i * 512, i * 512 + 512).join(""),
  );
  const t: TestTable = { types: { i: "int", v: "string" }, rows: texts.map((text, i) => [i, text]) };
  const rows = await rowsOf("SELECT t.i, LOWER(t.v) AS l, UPPER(t.v) AS u FROM t", { t });
  expect(rows.map(({ l }) => l)).toEqual(texts.map(lowerCase));
  expect(rows.map(({ u }) => u)).toEqual(texts.map(upperCase));
});

describe("JSON", () => {
  const value = {
    a: { b: [1, null, "s"], "k.z": 1e21 },
    "q\"'\\": true,
    n: 9007199254740993n,
    e: [],
    t: "2025-03-01T00:00:00Z",
  };
  const t: TestTable = { types: { j: "json" }, rows: [[value]] };
  it.each([
    ["t.j.a.b[0]", 1],
    ["t.j.a.b[1]", null],
    ["t.j.a.b[9]", null],
    ["t.j['a']['k.z']", 1e21],
    ["t.j.a.nothing.more", null],
    ["t.j.n", 9007199254740993n],
    ["t.j['q\"''\\']", true],
    ["LENGTH(t.j.a.b)", 3],
    ["LENGTH(t.j.n)", null],
    ["CAST(t.j.n AS INT64)", 9007199254740993n],
    ["CAST(t.j.a.b[2] AS STRING)", "s"],
    ["TRY_CAST(t.j.a AS INT64)", null],
    ["CAST(t.j.t AS INSTANT)", "2025-03-01T00:00:00Z"],
    ["CAST(t.j.a.b AS STRING[])", ["1", null, "s"]],
    ["t.j.a", value.a],
    ["t.j.e = t.j.e", true],
    ["LIST_CONTAINS(t.j.a.b, 's')", true],
    ["LIST_CONTAINS(t.j.a.b, 1)", true],
    ["LIST_CONTAINS(t.j.e, 's')", false],
  ])("%s", async (item, expected) => {
    expect(await oneValue(`SELECT ${item} AS x FROM t`, { t })).toEqual(expected);
  });

  it("is unnested member by member", async () => {
    expect(
      await rowsOf("SELECT m.x, m.i FROM t, UNNEST(t.j.a.b) WITH ORDINALITY AS m(x, i) ORDER BY m.i", { t }),
    ).toEqual([
      { x: 1, i: 1 },
      { x: null, i: 2 },
      { x: "s", i: 3 },
    ]);
    expect(await rowsOf("SELECT x FROM UNNEST([3, 1]) AS m(x)")).toEqual([{ x: 1 }, { x: 3 }]);
  });
});

describe("calendars", () => {
  const random = randomOf(77);
  const ZONES = ["UTC", "Europe/Oslo", "America/St_Johns", "Pacific/Apia", "Asia/Kathmandu"];
  const near = [1_743_296_400_000_000n, 1_761_440_400_000_000n, 1_325_239_200_000_000n];
  const instants = [
    ...Array.from(
      { length: 150 },
      () => BigInt(random(2 ** 31)) * 8_000_000n - 6_000_000_000_000_000n + BigInt(random(1_000_000)),
    ),
    ...Array.from({ length: 20 }, () => -BigInt(random(2 ** 31)) * 140_000_000n),
    ...near.flatMap((us) => Array.from({ length: 30 }, () => us + BigInt(random(14_400) - 7200) * 1_000_000n)),
  ];
  const t: TestTable = { types: { i: "int", at: "instant" }, rows: instants.map((us, i) => [i, us]) };
  const UNITS = ["year", "quarter", "month", "week", "day", "hour", "minute", "second"];
  const PARTS = [
    ...UNITS.filter((unit) => unit !== "week"),
    "week",
    "iso_year",
    "day_of_year",
    "day_of_week",
    "microsecond",
  ];

  it.each(ZONES)("DATE_TRUNC, DATE_PART and EXTRACT in %s", async (name) => {
    const zone = zoneOf(name, "zone");
    const cut = UNITS.map((unit) => `DATE_TRUNC('${unit}', t.at, '${name}') AS t_${unit}`);
    const parts = PARTS.map((unit) => `EXTRACT(${unit} FROM t.at ZONE '${name}') AS p_${unit}`);
    const rows = await rowsOf(`SELECT t.i, ${[...cut, ...parts].join(", ")} FROM t ORDER BY t.i`, { t });
    for (const [i, us] of instants.entries()) {
      const expected = {
        i,
        ...Object.fromEntries(UNITS.map((unit) => [`t_${unit}`, formatInstant(periodBegins(us, unit, zone))])),
        ...Object.fromEntries(PARTS.map((unit) => [`p_${unit}`, partOf(us, unit, zone)])),
      };
      expect(rows[i], `${formatInstant(us)} in ${name}`).toEqual(expected);
    }
  });

  it("BUCKET counts exact steps from an origin, calendar steps as buckets do", async () => {
    const at = "TIMESTAMP '2025-03-30T12:34:56Z'";
    const one = (step: string, zone = "UTC"): Promise<unknown> =>
      oneValue(`SELECT BUCKET(${at}, ${step}) AS b`, {}, { zone });
    expect(await one("DURATION 'PT5M'")).toBe("2025-03-30T12:30:00Z");
    expect(await one("DURATION 'PT1H', TIMESTAMP '2025-01-01T00:20:00Z'")).toBe("2025-03-30T12:20:00Z");
    expect(await one("INTERVAL 'P1D'", "Europe/Oslo")).toBe("2025-03-29T23:00:00Z");
    expect(await one("INTERVAL 'P1W'", "Europe/Oslo")).toBe("2025-03-23T23:00:00Z");
    expect(await one("INTERVAL 'P3M'", "Europe/Oslo")).toBe("2024-12-31T23:00:00Z");
    expect(await one("INTERVAL 'P2Y'")).toBe("2024-01-01T00:00:00Z");
    expect(await one("INTERVAL 'P7D'")).toBe("2025-03-27T00:00:00Z");
  });

  it("INTERVAL moves in local time", async () => {
    const move = (step: string): Promise<unknown> =>
      oneValue(`SELECT TIMESTAMP '2025-03-29T12:00:00Z' ${step} AS x`, {}, { zone: "Europe/Oslo" });
    expect(await move("+ INTERVAL 'P1D'")).toBe("2025-03-30T11:00:00Z");
    expect(await move("+ DURATION 'P1D'")).toBe("2025-03-30T12:00:00Z");
    expect(await move("- INTERVAL 'P1M'")).toBe("2025-02-28T12:00:00Z");
  });
});

describe("periods", () => {
  const ends = [0, 1, 2, 3, 4, 5].flatMap((from) =>
    [1, 2, 3, 4, 5, 6].filter((to) => to > from).map((to) => [from, to] as const),
  );
  const t: TestTable = { types: { f: "instant", t: "instant" }, rows: ends };
  const NAMES: Readonly<Record<string, (p: readonly [number, number], q: readonly [number, number]) => boolean>> = {
    before: (p, q) => p[1] < q[0],
    meets: (p, q) => p[1] === q[0],
    overlaps: (p, q) => p[0] < q[0] && q[0] < p[1] && p[1] < q[1],
    starts: (p, q) => p[0] === q[0] && p[1] < q[1],
    during: (p, q) => p[0] > q[0] && p[1] < q[1],
    finishes: (p, q) => p[0] > q[0] && p[1] === q[1],
    equals: (p, q) => p[0] === q[0] && p[1] === q[1],
  };
  const INVERSES = ["after", "met_by", "overlapped_by", "started_by", "contains", "finished_by"];
  const relation = (p: readonly [number, number], q: readonly [number, number]): string => {
    const direct = Object.keys(NAMES).find((name) => NAMES[name]!(p, q));
    return direct ?? INVERSES[Object.keys(NAMES).findIndex((name) => NAMES[name]!(q, p))]!;
  };

  it("ALLEN gives each of the thirteen relations", async () => {
    const text =
      "SELECT EPOCH_MICROS(a.f) AS a, EPOCH_MICROS(a.t) AS b, EPOCH_MICROS(c.f) AS c, EPOCH_MICROS(c.t) AS d, ALLEN(PERIOD(a.f, a.t), PERIOD(c.f, c.t)) AS r FROM t AS a, t AS c";
    const rows = await rowsOf(text, { t });
    for (const { a, b, c, d, r } of rows as Record<string, number>[]) expect(r).toBe(relation([a!, b!], [c!, d!]));
    expect(new Set(rows.map(({ r }) => r))).toEqual(new Set(ALLEN_RELATIONS));
  });

  it.each([
    ["OVERLAPS", (p: readonly number[], q: readonly number[]) => p[0]! < q[1]! && q[0]! < p[1]!],
    ["CONTAINS", (p: readonly number[], q: readonly number[]) => p[0]! <= q[0]! && q[1]! <= p[1]!],
    ["EQUALS", (p: readonly number[], q: readonly number[]) => p[0] === q[0] && p[1] === q[1]],
    ["PRECEDES", (p: readonly number[], q: readonly number[]) => p[1]! <= q[0]!],
    ["SUCCEEDS", (p: readonly number[], q: readonly number[]) => q[1]! <= p[0]!],
    ["IMMEDIATELY PRECEDES", (p: readonly number[], q: readonly number[]) => p[1] === q[0]],
    ["IMMEDIATELY SUCCEEDS", (p: readonly number[], q: readonly number[]) => q[1] === p[0]],
  ])("%s", async (word, holds) => {
    const expected = ends.flatMap((p) => ends.filter((q) => holds(p, q))).length;
    const text = `SELECT COUNT(*) AS n FROM t AS a, t AS b WHERE PERIOD(a.f, a.t) ${word} PERIOD(b.f, b.t)`;
    expect(await oneValue(text, { t })).toBe(expected);
  });

  it("INTERSECT_TIME is the common period, NULL where there is none", async () => {
    const text = "SELECT COUNT(INTERSECT_TIME(PERIOD(a.f, a.t), PERIOD(b.f, b.t))) AS n FROM t AS a, t AS b";
    expect(await oneValue(text, { t })).toBe(
      ends.flatMap((p) => ends.filter((q) => p[0] < q[1] && q[0] < p[1])).length,
    );
  });
});

it("lists every function once, in capitals", () => {
  const names = FUNCTION_TABLE.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names.every((name) => name === name.toUpperCase())).toBe(true);
  expect(names).toEqual(
    expect.arrayContaining(["COUNT", "MEDIAN", "SESSION_NO", "MAX_IN_SPAN", "ALLEN", "BUCKET", "ID"]),
  );
});
