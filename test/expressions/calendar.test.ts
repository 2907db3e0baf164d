// Calendar periods and their parts against the reference engine's, in UTC over all of the calendar, and in zones.
import fc from "fast-check";
import { expect, it } from "vitest";
import { partOf, periodBegins } from "../../src/calendar/units.js";
import { zoneOf } from "../../src/calendar/zones.js";
import { BEGINNING_US, LAST_INSTANT_US } from "../../src/contract/instant.js";
import { UNITS } from "../../src/operators/expressions/functions.js";
import { calendarPart, periodBegins as referenceBegins } from "../../src/reference/local-calendar.js";

const YEAR_US = 366n * 86_400_000_000n;
const ZONES = [
  "UTC",
  "Europe/Paris",
  "America/New_York",
  "Asia/Kolkata",
  "America/St_Johns",
  "Pacific/Apia",
  "America/Havana",
];
const zone = fc.constantFrom(...ZONES);
// Where the machine's rules, which the reference engine takes, agree with the table of the package: 1972 to 2036.
const recent = fc.bigInt({ min: 63_072_000_000_000n, max: 2_114_380_800_000_000n });
const anyTime = fc.bigInt({ min: BEGINNING_US + YEAR_US, max: LAST_INSTANT_US - YEAR_US });
const where = fc.oneof(fc.tuple(recent, zone), fc.tuple(anyTime, fc.constant("UTC")));

it("periods begin where the reference engine's do", () => {
  fc.assert(
    fc.property(where, fc.constantFrom(...UNITS.trunc), ([us, name], unit) => {
      expect(periodBegins(us, unit, zoneOf(name, ""))).toBe(referenceBegins(us, unit, name));
    }),
    { numRuns: 500 },
  );
});

it("parts are those that the reference engine names", () => {
  const names: [unit: string, reference: string, read: (value: string | number) => number][] = [
    ["year", "year", Number],
    ["month", "month_of_year", Number],
    ["day", "day_of_month", Number],
    ["day_of_week", "day_of_week", Number],
    ["hour", "hour_of_day", Number],
    ["quarter", "quarter", (text) => Number(String(text).at(-1))],
    ["week", "week", (text) => Number(String(text).slice(-2))],
    ["iso_year", "week", (text) => Number(String(text).slice(0, -4))],
  ];
  fc.assert(
    fc.property(where, fc.constantFrom(...names), ([us, name], [unit, reference, read]) => {
      expect(partOf(us, unit, zoneOf(name, ""))).toBe(read(calendarPart(us, reference, name)));
    }),
    { numRuns: 500 },
  );
});
