// Instants: reading every form, the one output form, the edges of the calendar.
// Oracle: JavaScript's own Date, which the product does not use.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PalimpsestError } from "../../src/contract/errors.js";
import {
  BEGINNING_US,
  END_OF_CALENDAR_US,
  formatEnd,
  formatInstant,
  LAST_INSTANT_US,
  OPEN_END_US,
} from "../../src/contract/instant.js";
import { parseInstant, parseValidTo } from "../../src/contract/parse-instant.js";
import { codeOf } from "../support/error-code.js";

/** Microseconds of a Date's text with a sign and six digits for years outside 0..9999. */
const oracle = (text: string): bigint => BigInt(Date.parse(text)) * 1000n;

describe("the edges of the calendar", () => {
  it("are where Date says they are", () => {
    expect(BEGINNING_US).toBe(oracle("-009999-01-01T00:00:00Z"));
    expect(END_OF_CALENDAR_US).toBe(oracle("+010000-01-01T00:00:00Z"));
    expect(LAST_INSTANT_US).toBe(END_OF_CALENDAR_US - 1n);
    expect(OPEN_END_US).toBe(4611686018427387904n);
  });

  it("print as the texts of the semantics", () => {
    expect(formatInstant(BEGINNING_US)).toBe("-9999-01-01T00:00:00Z");
    expect(formatInstant(LAST_INSTANT_US)).toBe("9999-12-31T23:59:59.999999Z");
    expect(formatInstant(END_OF_CALENDAR_US)).toBe("+10000-01-01T00:00:00Z");
    expect(formatInstant(oracle("-000043-03-15T00:00:00Z"))).toBe("-0043-03-15T00:00:00Z");
    expect(formatInstant(oracle("0000-02-29T12:00:00Z") - 1n)).toBe("0000-02-29T11:59:59.999999Z");
    expect(formatInstant(-1n)).toBe("1969-12-31T23:59:59.999999Z");
    expect(formatEnd(OPEN_END_US)).toBeNull();
  });

  it("bind: one microsecond beyond is refused", () => {
    expect(parseInstant("-9999-01-01T00:00:00Z", "at")).toBe(BEGINNING_US);
    expect(codeOf(() => parseInstant("-9999-01-01T00:00:00+00:01", "at"))).toBe("E_INVALID_ARG");
    expect(codeOf(() => parseInstant("9999-12-31T23:59:59-00:01", "at"))).toBe("E_INVALID_ARG");
    expect(codeOf(() => parseInstant(BEGINNING_US - 1n, "at"))).toBe("E_INVALID_ARG");
    expect(codeOf(() => parseInstant({ us: LAST_INSTANT_US + 1n }, "at"))).toBe("E_INVALID_ARG");
  });

  it("have one end that only a valid_to may take", () => {
    expect(parseValidTo("+10000-01-01T00:00:00Z", "valid_to")).toBe(END_OF_CALENDAR_US);
    expect(parseValidTo(null, "valid_to")).toBe(OPEN_END_US);
    expect(codeOf(() => parseInstant("+10000-01-01T00:00:00Z", "at"))).toBe("E_INVALID_ARG");
    expect(codeOf(() => parseValidTo("+10000-01-01T00:00:00.000001Z", "valid_to"))).toBe("E_INVALID_ARG");
    expect(codeOf(() => parseValidTo("+2020-01-01T00:00:00Z", "valid_to"))).toBe("E_INVALID_ARG");
  });
});

describe("reading", () => {
  it("takes the forms of RFC 3339, dates and JavaScript's own", () => {
    const us = 1082016161000000n;
    for (const form of [
      "2004-04-15T08:02:41Z",
      "2004-04-15t08:02:41z",
      "2004-04-15 08:02:41Z",
      "2004-04-15T10:02:41+02:00",
      "2004-04-15T07:32:41.000-00:30",
      "2004-04-15T08:02:41.0000000000Z",
      { us: 1082016161000000 },
      { us },
      us,
      new Date("2004-04-15T08:02:41Z"),
      { epochNanoseconds: us * 1000n },
    ]) {
      expect(parseInstant(form, "at")).toBe(us);
    }
    expect(parseInstant("2004-04-15", "at")).toBe(oracle("2004-04-15T00:00:00Z"));
    expect(parseInstant("-0001-12-31", "at")).toBe(oracle("-000001-12-31T00:00:00Z"));
    expect(parseInstant("2004-04-15T08:02:41.5Z", "at")).toBe(us + 500000n);
  });

  it.each([
    ["no such day", "2023-02-29", "E_INVALID_ARG"],
    ["no such month", "2023-13-01T00:00:00Z", "E_INVALID_ARG"],
    ["a leap second", "2016-12-31T23:59:60Z", "E_INVALID_ARG"],
    ["hour 24", "2016-12-31T24:00:00Z", "E_INVALID_ARG"],
    ["a fraction finer than a microsecond", "2020-01-01T00:00:00.0000001Z", "E_INVALID_ARG"],
    ["no zone", "2020-01-01T00:00:00", "E_ZONE_MISSING"],
    ["an offset of 24 hours", "2020-01-01T00:00:00+24:00", "E_INVALID_ARG"],
    ["five digits of a year", "12020-01-01T00:00:00Z", "E_INVALID_ARG"],
    ["a negative year zero", "-0000-01-01T00:00:00Z", "E_INVALID_ARG"],
    ["no seconds", "2020-01-01T00:00Z", "E_INVALID_ARG"],
    ["a non-digit in the common form", "2020-01-0xT00:00:00Z", "E_INVALID_ARG"],
    ["an empty text", "", "E_INVALID_ARG"],
    ["a bare number", 1082016161000000, "E_SCHEMA"],
    ["a fractional us", { us: 1.5 }, "E_SCHEMA"],
    ["a us that lost digits", { us: 2 ** 60 }, "E_INVALID_ARG"],
    ["a foreign key beside us", { us: 1, zone: "UTC" }, "E_SCHEMA"],
    ["an invalid Date", new Date(Number.NaN), "E_INVALID_ARG"],
    ["nanoseconds", { epochNanoseconds: 1n }, "E_INVALID_ARG"],
    ["null", null, "E_SCHEMA"],
    ["a boolean", true, "E_SCHEMA"],
  ])("refuses %s", (_title, value, code) => {
    expect(codeOf(() => parseInstant(value, "at"))).toBe(code);
  });

  it.each([
    ["2004-06-01T12:00Z", "has no seconds", "write 2004-06-01T12:00:00Z"],
    ["2004-06-01 12:30z", "has no seconds", "write 2004-06-01T12:30:00Z"],
    ["2004-06-01t12:00+02:00", "has no seconds", "write 2004-06-01T12:00:00+02:00"],
    [
      "-0043-03-15 12:00",
      "has no seconds",
      "write -0043-03-15T12:00:00Z for UTC, or -0043-03-15T12:00:00 with an offset",
    ],
    ["2004-06-01T12Z", "has no minutes and no seconds", "write 2004-06-01T12:00:00Z"],
    ["2004-06-01T12-05:00", "has no minutes and no seconds", "write 2004-06-01T12:00:00-05:00"],
  ])("says of %s what is missing, and the form that is read", (text, what, hint) => {
    const error = (() => {
      try {
        return parseInstant(text, "at");
      } catch (thrown) {
        return thrown as PalimpsestError;
      }
    })();
    expect(error).toMatchObject({ code: "E_INVALID_ARG", message: `at: ${JSON.stringify(text)} ${what}`, hint });
    // What the hint shows first is read as the instant that Date reads.
    const [, mended] = /^write (\S+)/.exec(hint)!;
    expect(parseInstant(mended, "at")).toBe(oracle(mended!.replace(/^-/, "-00")));
  });

  it("shows the unit in the hint for a bare number", () => {
    try {
      parseInstant(5, "window/from");
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({ details: { path: "window/from" }, hint: 'write {"us": 5} for microseconds' });
    }
  });
});

describe("properties", () => {
  const instants = fc.oneof(
    fc.bigInt({ min: BEGINNING_US, max: LAST_INSTANT_US }),
    fc.bigInt({ min: -5_000_000n, max: 5_000_000n }),
    fc.bigInt({ min: -(2n ** 53n) - 3n, max: -(2n ** 53n) + 3n }),
  );

  it("parse(format(x)) = x, and the milliseconds agree with Date", () => {
    fc.assert(
      fc.property(instants, (us) => {
        const text = formatInstant(us);
        expect(parseInstant(text, "at")).toBe(us);
        const year = text.startsWith("-") ? `-00${text.slice(1)}` : text;
        const dateMillis = Date.parse(year.replace(/(\.\d{3})\d{3}Z$/, "$1Z"));
        expect(BigInt(dateMillis)).toBe(us >= 0n || us % 1000n === 0n ? us / 1000n : us / 1000n - 1n);
      }),
    );
  });

  it("offsets shift the instant by exactly themselves", () => {
    const inner = fc.bigInt({ min: BEGINNING_US + 10n ** 12n, max: LAST_INSTANT_US - 10n ** 12n });
    fc.assert(
      fc.property(inner, fc.integer({ min: -1439, max: 1439 }), (us, minutes) => {
        const hours = String(Math.floor(Math.abs(minutes) / 60)).padStart(2, "0");
        const rest = String(Math.abs(minutes) % 60).padStart(2, "0");
        const text = formatInstant(us).replace("Z", `${minutes < 0 ? "-" : "+"}${hours}:${rest}`);
        expect(parseInstant(text, "at")).toBe(us - BigInt(minutes) * 60_000_000n);
      }),
    );
  });
});
