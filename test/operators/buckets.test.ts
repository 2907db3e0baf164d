// Bucket boundaries against the reference engine's, which steps through the window and shares no calendar code.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bucketsOf, countBuckets } from "../../src/calendar/buckets.js";
import { PalimpsestError } from "../../src/contract/errors.js";
import { BEGINNING_US, END_OF_CALENDAR_US, formatInstant, LAST_INSTANT_US } from "../../src/contract/instant.js";
import { parseInstant } from "../../src/contract/parse-instant.js";
import { bucketsOf as referenceBuckets } from "../../src/reference/buckets.js";

const DAY_US = 86_400_000_000n;
const shown = (stride: string, fromUs: bigint, toUs: bigint, zone = "UTC") =>
  bucketsOf(stride, zone, fromUs, toUs, 0, 100_000).map((bucket) => ({
    bucket_from: formatInstant(bucket.fromUs),
    bucket_to: formatInstant(bucket.toUs),
    partial: bucket.partial,
  }));

describe("buckets", () => {
  const stride = fc.oneof(
    fc.tuple(fc.integer({ min: 1, max: 40 }), fc.constantFrom("D", "W", "M", "Y")).map(([n, unit]) => `P${n}${unit}`),
    fc.integer({ min: 1, max: 500 }).map((hours) => `PT${hours}H`),
  );
  const lengthUs = fc.bigInt({ min: 1n, max: 400n * DAY_US });
  const middle = fc.oneof(
    fc.bigInt({ min: BEGINNING_US + 400n * DAY_US, max: LAST_INSTANT_US - 900n * DAY_US }),
    fc.bigInt({ min: -400n, max: 400n }).map((days) => days * DAY_US),
  );

  it("are those of the reference engine", () => {
    fc.assert(
      fc.property(stride, middle, lengthUs, (text, fromUs, length) => {
        const window = { from: formatInstant(fromUs), to: formatInstant(fromUs + length) };
        expect(shown(text, fromUs, fromUs + length)).toEqual(referenceBuckets(window, text, "UTC"));
      }),
    );
  });

  it("are those of the reference engine in zones with rules, whose table comes from Node.js", () => {
    const zone = fc.constantFrom(
      "Europe/London",
      "America/St_Johns",
      "Asia/Kathmandu",
      "Pacific/Apia",
      "America/Sao_Paulo",
      "Australia/Lord_Howe",
    );
    // Before 2499, with which the package's table ends; from 1970, where both tables are the same.
    const from = fc.bigInt({ min: 0n, max: 500n * 365n * DAY_US });
    fc.assert(
      fc.property(stride, zone, from, lengthUs, (text, name, fromUs, length) => {
        const window = { from: formatInstant(fromUs), to: formatInstant(fromUs + length) };
        expect(shown(text, fromUs, fromUs + length, name)).toEqual(referenceBuckets(window, text, name));
      }),
    );
  });

  it("begin where clocks say so: gaps, and midnights that are twice", () => {
    const begins = (zone: string, from: string, to: string) =>
      shown("P1D", parseInstant(from, "from"), parseInstant(to, "to"), zone).map((bucket) => bucket.bucket_from);
    // Sao Paulo put clocks from 00:00 to 01:00 on 2018-11-04; St John's from 00:01 back to 23:01 on 2006-10-29.
    expect(begins("America/Sao_Paulo", "2018-11-03T03:00:00Z", "2018-11-05T02:00:00Z")).toEqual([
      "2018-11-03T03:00:00Z",
      "2018-11-04T03:00:00Z",
    ]);
    expect(begins("America/St_Johns", "2006-10-28T02:30:00Z", "2006-10-30T03:30:00Z")).toEqual([
      "2006-10-28T02:30:00Z",
      "2006-10-29T02:30:00Z",
    ]);
  });

  it("leave out a day that never was, and the pages agree", () => {
    // Samoa went from the 29th to the 31st of December 2011: the 30th lasts no time.
    const [fromUs, toUs] = [parseInstant("2011-12-28T10:00:00Z", "from"), parseInstant("2012-01-01T10:00:00Z", "to")];
    const days = shown("P1D", fromUs, toUs, "Pacific/Apia");
    expect(days.map((bucket) => bucket.bucket_from)).toEqual([
      "2011-12-28T10:00:00Z",
      "2011-12-29T10:00:00Z",
      "2011-12-30T10:00:00Z",
      "2011-12-31T10:00:00Z",
    ]);
    expect(days.some((bucket) => bucket.partial || bucket.bucket_from === bucket.bucket_to)).toBe(false);
    const pages = [0, 1, 2, 3].flatMap((skip) => bucketsOf("P1D", "Pacific/Apia", fromUs, toUs, skip, 1));
    expect(pages).toEqual(bucketsOf("P1D", "Pacific/Apia", fromUs, toUs, 0, 100));
    expect(countBuckets("P1D", "Pacific/Apia", fromUs, toUs)).toBe(4);
    // Two days at a time, the 30th is half of one.
    expect(shown("P2D", fromUs, toUs, "Pacific/Apia")).toHaveLength(3);
  });

  it("follow clocks that go forward and back", () => {
    const lengths = (from: string, to: string) =>
      bucketsOf("P1D", "Europe/Berlin", parseInstant(from, "from"), parseInstant(to, "to"), 0, 10).map(
        (bucket) => Number(bucket.toUs - bucket.fromUs) / 3_600_000_000,
      );
    expect(lengths("2004-03-26T23:00:00Z", "2004-03-29T22:00:00Z")).toEqual([24, 23, 24]);
    expect(lengths("2004-10-29T22:00:00Z", "2004-11-01T23:00:00Z")).toEqual([24, 25, 24]);
    expect(lengths("2050-03-25T23:00:00Z", "2050-03-28T22:00:00Z")).toEqual([24, 23, 24]);
    // Beyond the table, which ends with 2499, its last offset holds: no summer time any more.
    expect(lengths("2600-03-25T23:00:00Z", "2600-03-28T23:00:00Z")).toEqual([24, 24, 24]);
  });

  it("refuse a name that is no zone", () => {
    expect(() => shown("P1D", 0n, DAY_US, "Europe/Pariss")).toThrow(/Europe\/Pariss/);
  });

  it("pages of them concatenate to the whole", () => {
    const whole = bucketsOf("P1M", "UTC", 0n, 400n * DAY_US, 0, 1000);
    const pages = [0, 5, 10].flatMap((skip) => bucketsOf("P1M", "UTC", 0n, 400n * DAY_US, skip, 5));
    expect(pages).toEqual(whole);
    expect(whole).toHaveLength(14);
  });

  it("reach to both ends of the calendar", () => {
    expect(shown("P1Y", BEGINNING_US, BEGINNING_US + 1n)[0]?.bucket_from).toBe("-9999-01-01T00:00:00Z");
    const last = shown("P1Y", LAST_INSTANT_US, END_OF_CALENDAR_US);
    expect(last).toEqual([
      { bucket_from: "9999-12-31T23:59:59.999999Z", bucket_to: "+10000-01-01T00:00:00Z", partial: true },
    ]);
  });

  it("are at most 100,000, and the smallest legal stride in the error is legal", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("P1D", "P1W", "PT1S", "PT0.000007S"),
        fc.bigInt({ min: 1n, max: 9000n }),
        (text, years) => {
          const toUs = years * 365n * DAY_US;
          try {
            expect(countBuckets(text, "UTC", 0n, toUs)).toBeLessThanOrEqual(100_000);
          } catch (error) {
            if (!(error instanceof PalimpsestError)) throw error;
            expect(error.code).toBe("E_LIMIT");
            expect(countBuckets(error.details.smallest as string, "UTC", 0n, toUs)).toBeLessThanOrEqual(100_000);
          }
        },
      ),
    );
  });
});
