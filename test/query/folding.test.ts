// Points of time as statements write them, folded to microseconds, and the typed errors of those that are none.
import { describe, expect, it } from "vitest";
import type { Expr } from "../../grammar/ast.js";
import { PalimpsestError } from "../../src/contract/errors.js";
import { formatInstant } from "../../src/contract/instant.js";
import { Catalogue, type CatalogueSource } from "../../src/query/compile/catalogue.js";
import type { CompileContext } from "../../src/query/compile/context.js";
import { Folder } from "../../src/query/compile/fold.js";
import { NO_DEFAULTS } from "../../src/query/compile/periods.js";

const EMPTY: CatalogueSource = {
  headTx: () => 0,
  txAt: () => 0,
  txTimeUs: () => null,
  erasures: () => 0,
  names: () => [],
  properties: () => new Map(),
  sample: () => ({ versions: [], total: 0, isWhole: true }),
};
const NOW = 1_740_000_000_000_000n; // 2025-02-19T21:20:00Z

function folder(given: Partial<CompileContext> = {}): Folder {
  const catalogue = new Catalogue(EMPTY);
  return new Folder({
    catalogue,
    parameters: {},
    zone: null,
    nowUs: NOW,
    session: NO_DEFAULTS,
    blockTx: null,
    ...given,
  });
}

const text = (value: string) => ({ kind: "string", value }) as const;
const date = (value: string): Expr => ({ kind: "instant", form: "date", text: text(value) });
const timestamp = (value: string): Expr => ({ kind: "instant", form: "timestamp", text: text(value) });
const duration = (value: string): Expr => ({ kind: "duration", text: text(value) });
const interval = (value: string): Expr => ({ kind: "interval", text: text(value) });
const plus = (left: Expr, right: Expr): Expr => ({ kind: "binary", op: "+", left, right });
const minus = (left: Expr, right: Expr): Expr => ({ kind: "binary", op: "-", left, right });
const parameter = (name: string): Expr => ({ kind: "parameter", name });
const trunc = (unit: string, of: Expr, ...zone: Expr[]): Expr => ({
  kind: "function",
  name: { text: "DATE_TRUNC" },
  distinct: false,
  star: false,
  args: [text(unit), of, ...zone],
  orderBy: [],
  ignoreNulls: false,
  filter: null,
  over: null,
});

const shown = (expr: Expr, given: Partial<CompileContext> = {}): string => formatInstant(folder(given).instant(expr));
function errorOf(expr: Expr, given: Partial<CompileContext> = {}): PalimpsestError {
  try {
    folder(given).instant(expr);
  } catch (error) {
    if (error instanceof PalimpsestError) return error;
    throw error;
  }
  throw new Error("nothing was refused");
}

describe("points", () => {
  const oslo = { zone: "Europe/Oslo" };
  it.each([
    ["a timestamp with an offset", timestamp("2025-03-01T08:00:00+01:00"), {}, "2025-03-01T07:00:00Z"],
    ["a date in UTC", date("2025-03-01"), {}, "2025-03-01T00:00:00Z"],
    ["a date in the zone in force", date("2025-07-01"), oslo, "2025-06-30T22:00:00Z"],
    ["a local time where a zone was set", timestamp("2025-07-01 08:00:00"), oslo, "2025-07-01T06:00:00Z"],
    ["44 BC", date("-0043-03-15"), {}, "-0043-03-15T00:00:00Z"],
    ["now", { kind: "named_instant", name: "current_timestamp" }, {}, "2025-02-19T21:20:00Z"],
    ["today in Oslo", { kind: "named_instant", name: "current_date" }, oslo, "2025-02-18T23:00:00Z"],
    [
      "epoch seconds",
      { kind: "epoch", unit: "s", value: { kind: "integer", value: 1735689600n } },
      {},
      "2025-01-01T00:00:00Z",
    ],
    [
      "a negative epoch",
      { kind: "epoch", unit: "ms", value: { kind: "integer", value: -1n } },
      {},
      "1969-12-31T23:59:59.999000Z",
    ],
    ["a day as 24 hours", plus(date("2025-03-30"), duration("P1D")), oslo, "2025-03-30T23:00:00Z"],
    ["a day of the calendar, 23 hours there", plus(date("2025-03-30"), interval("P1D")), oslo, "2025-03-30T22:00:00Z"],
    ["the last day of a shorter month", plus(date("2025-01-31"), interval("P1M")), {}, "2025-02-28T00:00:00Z"],
    ["a year back from a leap day", minus(date("2024-02-29"), interval("P1Y")), {}, "2023-02-28T00:00:00Z"],
    [
      "the month of now",
      trunc("month", { kind: "named_instant", name: "current_timestamp" }),
      {},
      "2025-02-01T00:00:00Z",
    ],
    ["a week from Monday", trunc("week", date("1970-01-01")), {}, "1969-12-29T00:00:00Z"],
    [
      "a day in a named zone",
      trunc("day", timestamp("2025-07-01T23:00:00Z"), text("Europe/Oslo")),
      {},
      "2025-07-01T22:00:00Z",
    ],
  ] as [string, Expr, Partial<CompileContext>, string][])("%s", (_, expr, given, expected) => {
    expect(shown(expr, given)).toBe(expected);
  });

  it("reads parameters where an instant must stand", () => {
    const given = (value: unknown) => ({ parameters: { p: value } });
    expect(shown(parameter("p"), given("2025-03-01T08:00:00+01:00"))).toBe("2025-03-01T07:00:00Z");
    expect(shown(parameter("p"), given(1_740_000_000_000_000n))).toBe("2025-02-19T21:20:00Z");
    expect(shown(parameter("p"), given(new Date(0)))).toBe("1970-01-01T00:00:00Z");
    expect(shown(parameter("p"), given({ us: 5n }))).toBe("1970-01-01T00:00:00.000005Z");
    expect(shown(parameter("p"), given({ epochNanoseconds: 7000n }))).toBe("1970-01-01T00:00:00.000007Z");
  });
});

describe("what is refused", () => {
  const epoch: Expr = { kind: "integer", value: 1735689600n };
  it.each([
    ["a time without a zone", timestamp("2025-03-01 08:00:00"), {}, "E_ZONE_MISSING", "literal", /Z/],
    [
      "a bare integer",
      epoch,
      {},
      "E_EPOCH_UNIT",
      "point",
      /EPOCH_S 1735689600 \(2025-01-01\), EPOCH_MS 1735689600 \(1970-01-21\)/,
    ],
    ["a number as a parameter", parameter("p"), { parameters: { p: 5 } }, "E_EPOCH_UNIT", "point", /EPOCH_S 5/],
    ["a string", text("2025-03-01"), {}, "E_SCHEMA", "string_for_instant", /DATE '2025-03-01'/],
    ["a parameter without a value", parameter("q"), { parameters: { p: 1 } }, "E_INVALID_ARG", "parameter", /given: p/],
    [
      "a local time that clocks went over",
      timestamp("2021-03-28T01:30:00"),
      { zone: "Europe/London" },
      "E_INVALID_ARG",
      "gap",
      /\+00:00.*\+01:00/,
    ],
    [
      "a local time that was twice",
      timestamp("2021-10-31T01:30:00"),
      { zone: "Europe/London" },
      "E_INVALID_ARG",
      "overlap",
      /\+01:00.*\+00:00/,
    ],
    ["the end of the day as 24:00", timestamp("2025-03-01T24:00:00Z"), {}, "E_INVALID_ARG", "literal", /.*/],
    [
      "a month as a duration",
      plus(date("2025-01-01"), duration("P1M")),
      {},
      "E_INVALID_ARG",
      "literal",
      /months and years/,
    ],
    ["a number added", plus(date("2025-01-01"), { kind: "integer", value: 1n }), {}, "E_SCHEMA", "point", /DURATION/],
    ["beyond the calendar", plus(date("9999-12-31"), duration("P1D")), {}, "E_INVALID_ARG", "point", /FOREVER/],
    ["a column", { kind: "name", name: { text: "x" } }, {}, "E_SCHEMA", "point", /parameter/],
  ] as [string, Expr, Partial<CompileContext>, string, string, RegExp][])("%s", (_, expr, given, code, kind, hint) => {
    const error = errorOf(expr, given);
    expect([error.code, error.details.kind]).toEqual([code, kind]);
    expect(error.hint).toMatch(hint);
  });
});
