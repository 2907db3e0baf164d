// Instants as they are printed in a zone that the question named: the same instant for whoever reads RFC 3339, and the time
// that clocks showed there, by the zone table of Node.js.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { shownInstant, shownInterval } from "../../src/agent/words/values.js";
import { fixedZone, zoneOf } from "../../src/calendar/zones.js";
import { clockAt } from "./mentions/clocks.js";

const BERLIN = zoneOf("Europe/Berlin", "zone");

describe("an instant in a zone", () => {
  it.each([
    ["2004-06-01T07:00:00Z", "Europe/Berlin", "2004-06-01T09:00:00+02:00"],
    ["2004-01-01T08:00:00Z", "Europe/Berlin", "2004-01-01T09:00:00+01:00"],
    ["2004-05-31T22:00:00Z", "Europe/Berlin", "2004-06-01T00:00:00+02:00"],
    ["2004-06-01T00:00:00Z", "Europe/Berlin", "2004-06-01T02:00:00+02:00"],
    ["2004-06-01T07:00:00.000001Z", "America/St_Johns", "2004-06-01T04:30:00.000001-02:30"],
    ["2004-06-01T07:00:00Z", "Asia/Kathmandu", "2004-06-01T12:45:00+05:45"],
    // The hour that was twice.
    ["2004-10-31T00:30:00Z", "Europe/Berlin", "2004-10-31T02:30:00+02:00"],
    ["2004-10-31T01:30:00Z", "Europe/Berlin", "2004-10-31T02:30:00+01:00"],
    // No offset is Z, and no date is alone.
    ["2004-06-01T00:00:00Z", "UTC", "2004-06-01T00:00:00Z"],
    ["2004-01-01T00:00:00Z", "Europe/London", "2004-01-01T00:00:00Z"],
    ["2004-06-01T00:00:00Z", "Europe/London", "2004-06-01T01:00:00+01:00"],
    // Before 1893 Berlin was 53 minutes and 28 seconds ahead, which no offset says.
    ["1880-01-01T00:00:00Z", "Europe/Berlin", "1880-01-01T00:00:00Z"],
    ["+10000-01-01T00:00:00Z", "Etc/GMT+5", "9999-12-31T19:00:00-05:00"],
    ["+10000-01-01T00:00:00Z", "Europe/Berlin", "+10000-01-01T00:00:00Z"],
    ["-9999-01-01T00:00:00Z", "Etc/GMT+5", "-9999-01-01T00:00:00Z"],
    ["-0043-03-15T00:00:00Z", "Etc/GMT-2", "-0043-03-15T02:00:00+02:00"],
  ])("%s is shown in %s as %s", (instant, zone, shown) => {
    expect(shownInstant(instant, zoneOf(zone, "zone"))).toBe(shown);
  });

  it("of an offset alone has that offset", () => {
    expect(shownInstant("2004-06-01T14:30:00Z", fixedZone(-19_800_000_000n))).toBe("2004-06-01T09:00:00-05:30");
  });

  it("is one with the ends of intervals", () => {
    expect(shownInterval("2004-05-31T22:00:00Z", "2004-06-30T22:00:00Z", BERLIN)).toBe(
      "2004-06-01T00:00:00+02:00 to 2004-07-01T00:00:00+02:00 (end excluded)",
    );
    expect(shownInterval("2004-05-31T22:00:00Z", null, BERLIN)).toBe("since 2004-06-01T00:00:00+02:00");
  });

  const zone = fc.constantFrom(
    "Europe/Berlin",
    "America/New_York",
    "Asia/Kolkata",
    "Pacific/Apia",
    "Australia/Lord_Howe",
  );
  it("is the same instant, at the time that clocks showed", () => {
    const instants = fc.integer({ min: 100_000_000, max: 2_100_000_000 });
    const of = fc.property(zone, instants, (name, seconds) => {
      const instant = new Date(seconds * 1000).toISOString().replace(".000Z", "Z");
      const shown = shownInstant(instant, zoneOf(name, "zone"));
      expect(Date.parse(shown)).toBe(seconds * 1000);
      expect(shown.slice(0, 16)).toBe(clockAt(name)(seconds * 1000));
    });
    fc.assert(of, { numRuns: 200 });
  });
});
