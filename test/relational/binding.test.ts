// What the binder refuses, with kind, place and cure; and the types that it gives to columns before anything runs.
import { describe, expect, it } from "vitest";
import type { PalimpsestError } from "../../src/contract/errors.js";
import { typeName } from "../../src/relational/index.js";
import { type Asked, bound, type TestTables } from "./tables.js";

const events = {
  types: {
    src: "string",
    dst: "string",
    at: "instant",
    seq: "int",
    duration: "duration",
    amount: "double",
    n: "int",
    valid_from: "instant",
    valid_to: "instant_open",
    "props.hours": "int",
    "props.src": "int",
    mixed: "json",
    ok: "bool",
  },
  rows: [],
} as const;
const TABLES: TestTables = { e: events, f: events };

function refused(text: string, asked: Asked = {}): PalimpsestError {
  try {
    bound(text, TABLES, asked);
  } catch (error) {
    return error as PalimpsestError;
  }
  throw new Error(`bound: ${text}`);
}

const REFUSED: readonly (readonly [text: string, code: string, kind: string, hint: string | RegExp])[] = [
  ["SELECT e.src FROM e WHERE e.at > '2025-03-01'", "E_SCHEMA", "string_for_instant", "write DATE '2025-03-01'"],
  ["SELECT e.src FROM e WHERE e.at IN ('2025-03-01T00:00:00Z')", "E_SCHEMA", "string_for_instant", /TIMESTAMP '2025/],
  ["SELECT e.src FROM e WHERE e.at > 1735689600", "E_EPOCH_UNIT", "epoch_unit", /EPOCH_S/],
  ["SELECT e.src FROM e WHERE e.valid_to IS NULL", "E_SCHEMA", "never_null", "write e.valid_to = FOREVER"],
  ["SELECT e.src FROM e WHERE valid_to IS NOT NULL", "E_SCHEMA", "never_null", "write valid_to = FOREVER"],
  ["SELECT e.dst, COUNT(*) FROM e", "E_SCHEMA", "not_grouped", /^GROUP BY e\.dst, or write ARG_MIN\(e\.dst/],
  ["SELECT e.dst, e.src FROM e GROUP BY e.dst", "E_SCHEMA", "not_grouped", /^add e\.src to GROUP BY/],
  ["SELECT e.dst FROM e GROUP BY e.dst HAVING e.n > 1", "E_SCHEMA", "not_grouped", /e\.n/],
  ["SELECT e.dst FROM e GROUP BY e.dst ORDER BY e.n", "E_SCHEMA", "not_grouped", /e\.n/],
  ["SELECT COUNT(*), (SELECT MAX(f.n) FROM f WHERE f.src = e.src) FROM e", "E_SCHEMA", "not_grouped", /e\.src/],
  ['SELECT "ward 7" FROM e', "E_SCHEMA", "double_quoted", "strings take single quotes: 'ward 7'"],
  ["SELECT e.srcc FROM e", "E_SCHEMA", "unknown_name", "did you mean src?"],
  ["SELECT e.hors FROM e", "E_SCHEMA", "unknown_name", "did you mean hours?"],
  ["SELECT hors FROM e", "E_SCHEMA", "unknown_name", /hours/],
  ["SELECT x.src FROM e", "E_SCHEMA", "unknown_name", /./],
  ["SELECT g.src FROM g", "E_SCHEMA", "unknown_name", /known: e, f; .*COMMITS\(\)/],
  ["SELECT CONT(e.src) FROM e", "E_SCHEMA", "unknown_name", /COUNT/],
  ["SELECT RANDOM() FROM e", "E_SCHEMA", "unknown_name", /SHOW FUNCTIONS/],
  ["SELECT read_csv('/etc/passwd') FROM e", "E_SCHEMA", "unknown_name", /SHOW FUNCTIONS/],
  ["SELECT src FROM e, f", "E_SCHEMA", "ambiguous_name", "write e.src"],
  ["SELECT e.src FROM e, e", "E_SCHEMA", "same_name", /AS e2/],
  ["SELECT e FROM e", "E_SCHEMA", "element_value", /e\.src/],
  ["SELECT MAX_GAP(e.at) FROM e", "E_SCHEMA", "event_aggregate", /LAG\(e\.at\) OVER/],
  ["SELECT LAG(e.at) OVER () FROM e", "E_SCHEMA", "no_order", /ORDER BY/],
  ["SELECT FIRST_VALUE(e.at) OVER (PARTITION BY e.src) FROM e", "E_SCHEMA", "no_order", /ORDER BY/],
  ["SELECT SUM(e.n) OVER (ORDER BY e.at RANGE 3 PRECEDING) FROM e", "E_SCHEMA", "wrong_type", /DURATION/],
  ["SELECT e.src FROM e WHERE COUNT(*) > 1", "E_SCHEMA", "misplaced_aggregate", /HAVING/],
  ["SELECT e.src FROM e WHERE RANK() OVER (ORDER BY e.n) = 1", "E_SCHEMA", "misplaced_window", /QUALIFY/],
  ["SELECT SUM(COUNT(*)) FROM e", "E_SCHEMA", "misplaced_aggregate", /FROM \(SELECT/],
  ["SELECT e.src FROM e QUALIFY e.n > 1", "E_SCHEMA", "no_window", /WHERE/],
  ["SELECT e.mixed + 1 FROM e", "E_SCHEMA", "wrong_type", /CAST/],
  ["SELECT e.src FROM e WHERE e.mixed = 'x'", "E_SCHEMA", "wrong_type", /CAST/],
  ["SELECT e.at + 5 FROM e", "E_SCHEMA", "wrong_type", /DURATION/],
  ["SELECT e.src + 'x' FROM e", "E_SCHEMA", "wrong_type", /\|\|/],
  ["SELECT e.src FROM e WHERE e.n", "E_SCHEMA", "wrong_type", ""],
  ["SELECT e.src FROM e WHERE e.ok AND e.src = 1", "E_SCHEMA", "wrong_type", ""],
  ["SELECT e.src FROM e WHERE e.at OVERLAPS e.valid_time", "E_SCHEMA", "wrong_type", /valid_time/],
  ["SELECT PERIOD(DATE '2025-02-01', DATE '2025-01-01') FROM e", "E_PERIOD_ORDER", "period", /PERIOD\(2025-01-01/],
  ["SELECT DATE_TRUNC('yaer', e.at) FROM e", "E_INVALID_ARG", "unknown_unit", "did you mean year?"],
  ["SELECT DATE_TRUNC('day', e.at, 'Europe/Olso') FROM e", "E_INVALID_ARG", "zone", /Europe\/Oslo/],
  ["SELECT e.at FROM e WHERE e.at > TIMESTAMP '2025-03-01 08:00:00'", "E_ZONE_MISSING", "literal", /Z/],
  ["SELECT BUCKET(e.at, DURATION 'PT0S') FROM e", "E_INVALID_ARG", "step", ""],
  ["SELECT ROUND(e.amount, e.n) FROM e", "E_SCHEMA", "not_constant", ""],
  ["SELECT QUANTILE(e.amount, 90) FROM e", "E_INVALID_ARG", "out_of_range", "write 0.9"],
  ["SELECT LIST(DISTINCT e.src ORDER BY e.n) FROM e", "E_SCHEMA", "distinct_order", /DISTINCT/],
  ["SELECT DISTINCT e.src FROM e ORDER BY e.n", "E_SCHEMA", "distinct_order", /select it/],
  ["SELECT e.src FROM e UNION SELECT f.src, f.dst FROM f", "E_SCHEMA", "set_columns", /same columns/],
  ["SELECT e.src FROM e UNION SELECT f.n FROM f", "E_SCHEMA", "wrong_type", ""],
  ["SELECT e.src FROM e UNION SELECT f.src FROM f ORDER BY n", "E_SCHEMA", "unknown_name", /src/],
  ["SELECT e.src FROM e ORDER BY 1", "E_SCHEMA", "position", /output name/],
  ["SELECT COUNT(*) FROM e GROUP BY 1", "E_SCHEMA", "position", /output name/],
  ["SELECT e.src FROM e LIMIT 3 WITH TIES", "E_SCHEMA", "no_order", /tie/],
  ["SELECT e.src FROM e WHERE e.src IN (SELECT f.src, f.dst FROM f)", "E_SCHEMA", "subquery_columns", /compared/],
  ["SELECT (SELECT f.src, f.dst FROM f) FROM e", "E_SCHEMA", "subquery_columns", /select/],
  ["SELECT e.src FROM e WHERE EXISTS { (a)-[:T]->(b) }", "E_INVALID_ARG", "pattern_not_supported", /EXISTS \(SELECT/],
  ["SELECT LENGTH(e.n) FROM e", "E_SCHEMA", "wrong_type", ""],
  ["SELECT SUBSTRING(e.src) FROM e", "E_SCHEMA", "wrong_arguments", /SUBSTRING\(string, from/],
  ["SELECT CAST(e.src AS MONEY) FROM e", "E_SCHEMA", "unknown_name", /INT64/],
  ["SELECT CAST(e.at AS INT64) FROM e", "E_SCHEMA", "wrong_type", ""],
  ["SELECT e.src FROM e WHERE e.src = $p", "E_SCHEMA", "unknown_name", ""],
  ["SELECT e.amount FROM e WHERE e.at > $t", "E_INVALID_ARG", "parameter", /2004/],
  ["SELECT SUM(e.n) OVER w FROM e WINDOW v AS (ORDER BY e.at)", "E_SCHEMA", "unknown_name", /v/],
  ["WITH a AS (SELECT 1 AS x), a AS (SELECT 2 AS x) SELECT a.x FROM a", "E_SCHEMA", "same_name", ""],
];

describe("what is refused", () => {
  it.each(REFUSED)("%s", (text, code, kind, hint) => {
    const asked: Asked = text.includes("$t") ? { parameters: { t: { type: { kind: "string" }, value: "soon" } } } : {};
    const error = refused(text, asked);
    expect([error.code, error.details.kind]).toEqual([code, kind]);
    if (typeof hint === "string" && hint !== "") expect(error.hint).toBe(hint);
    else if (hint !== "") expect(error.hint).toMatch(hint);
    expect(typeof error.details.column, "the place").toBe("number");
  });

  it("says where in the text", () => {
    const { details } = refused("SELECT e.src,\n  e.hors FROM e");
    expect([details.line, details.column, details.length]).toEqual([2, 3, 6]);
  });
});

const TYPES: readonly (readonly [item: string, type: string])[] = [
  ["e.hours", "int"],
  ["e.props['src']", "int"],
  ["e.src", "string"],
  ["e.props['never']", "json"],
  ["e.valid_time", "period"],
  ["e.valid_to", "instant_open"],
  ["e.valid_to - e.at", "duration"],
  ["e.at + DURATION 'P1D'", "instant"],
  ["e.n / 2", "double"],
  ["e.n * 2", "int"],
  ["e.n + e.amount", "double"],
  ["DIV(e.n, 2)", "int"],
  ["e.duration / e.duration", "double"],
  ["COUNT(*)", "int"],
  ["AVG(e.n)", "double"],
  ["AVG(e.at)", "instant"],
  ["MAX(e.valid_to)", "instant_open"],
  ["LIST(e.at)", "list(instant)"],
  ["[1, 2.5]", "list(double)"],
  ["CASE WHEN e.ok THEN 1 ELSE 2.5 END", "double"],
  ["COALESCE(e.at, FOREVER)", "instant_open"],
  ["e.mixed.a.b", "json"],
  ["CAST(e.mixed AS STRING[])", "list(string)"],
  ["EXISTS (SELECT 1 FROM f)", "bool"],
  ["(SELECT MAX(f.at) FROM f)", "instant"],
  ["HOURS(e.duration)", "double"],
  ["ALLEN(e.valid_time, e.valid_time)", "string"],
];

it.each(TYPES)("%s is %s", (item, type) => {
  expect(bound(`SELECT ${item} AS x FROM e`, TABLES).columns.map((each) => typeName(each.type))).toEqual([type]);
});

it("reads only the columns that are named, and says which", () => {
  const query = bound("SELECT e.src, COUNT(*) FROM e JOIN f ON f.n = e.hours GROUP BY e.src", TABLES);
  expect(query.sources.map(({ name, used }) => [name, used.map((each) => each.name)])).toEqual([
    ["e", ["props.hours", "src"]],
    ["f", ["n"]],
  ]);
});

it("tells event aggregates by their types where they are allowed", () => {
  const asked = { scope: { eventAggregates: true } };
  expect(bound("SELECT e.dst, MAX_GAP(e.at) AS g FROM e GROUP BY e.dst", TABLES, asked).columns).toEqual([
    { name: "dst", type: { kind: "string" } },
    { name: "g", type: { kind: "duration" } },
  ]);
});

it("names columns that have none, and none twice", () => {
  const names = (text: string): string[] => bound(text, TABLES).columns.map(({ name }) => name);
  expect(names("SELECT e.src, f.src, COUNT(*), e.props['hours'], 1 + 1 FROM e, f GROUP BY ALL")).toEqual([
    "src",
    "src_2",
    "count",
    "hours",
    "column5",
  ]);
});
