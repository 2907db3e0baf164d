// Times that are neither plain numbers nor ISO 8601: patterns, named zones, epochs, columns of clock and of length.
// Expected instants come from Date.UTC and from published changes of clocks.
import { describe, expect, it } from "vitest";
import type { InstantFormat } from "../../src/interchange/instants.js";
import { TimePattern } from "../../src/interchange/time-pattern.js";
import { localZone } from "../../src/interchange/zones.js";
import { instants, readText, refusalOf } from "./reading.js";

const utc = (...parts: [number, number, number, ...number[]]): bigint => {
  const [year, month, ...rest] = parts;
  return BigInt(Date.UTC(year, month - 1, ...rest)) * 1000n;
};
const text = (format: Partial<InstantFormat>, ...patterns: string[]) =>
  instants({
    unit: "iso",
    patterns:
      patterns.length === 0 ? null : patterns.map((pattern) => (pattern === "iso" ? "iso" : new TimePattern(pattern))),
    ...format,
  });
const csv = (time: string, until = "") => `src,dst,time,until\na,b,"${time}","${until}"\n`;

async function timeOf(time: string, format: InstantFormat): Promise<bigint> {
  return (await readText(csv(time), { instants: format })).rows[0]!.time;
}
async function endOf(time: string, until: string, format: InstantFormat): Promise<bigint> {
  return (await readText(csv(time, until), { instants: format, columns: { validTo: "until" } })).rows[0]!.validTo!;
}

describe("patterns", () => {
  it.each([
    ["%d/%m/%Y %H:%M", "13/06/2019 09:35", utc(2019, 6, 13, 9, 35)],
    ["%Y", "1986", utc(1986, 1, 1)],
    ["%Y%m%d%H%M%S%f", "20100214153220447", utc(2010, 2, 14, 15, 32, 20, 447)],
    ["%Y%m%d", "20160229", utc(2016, 2, 29)],
    ["%b %d %Y", "Feb 3 2020", utc(2020, 2, 3)],
    ["%m/%d/%Y", "2/3/2020", utc(2020, 2, 3)],
    ["%Y-%m-%dT%H:%M%z", "2024-01-01T09:00+02:00", utc(2024, 1, 1, 7)],
    ["%Y-%m-%d %H:%M:%S.%f", "2024-01-01 00:00:00.5", utc(2024, 1, 1, 0, 0, 0, 500)],
    ["100%% %Y", "100% 1999", utc(1999, 1, 1)],
  ])("%s reads %s", async (pattern, given, us) => {
    expect(await timeOf(given, text({}, pattern))).toBe(us);
  });

  it("reads years of any length where nothing follows, also before Christ", async () => {
    // 431 BC is year -430 of ISO 8601; the pattern counts as the calendar here does, with a year 0.
    const year = new Date(0);
    year.setUTCFullYear(-431, 0, 1);
    expect(await timeOf("-431-##-##", text({}, "%Y-##-##"))).toBe(BigInt(year.getTime()) * 1000n);
  });

  it("tries several in order, iso among them", async () => {
    const format = text({}, "%Y-##-##", "%Y-%m-##", "iso");
    expect(await timeOf("1952-##-##", format)).toBe(utc(1952, 1, 1));
    expect(await timeOf("1952-07-##", format)).toBe(utc(1952, 7, 1));
    expect(await timeOf("1952-07-04", format)).toBe(utc(1952, 7, 4));
    const found = await refusalOf(csv("1952/07/04"), { instants: format });
    expect(found.message).toContain('"1952/07/04" does not have the form %Y-##-## or %Y-%m-## or iso');
  });

  it.each([
    ["%Y-%m-%d", "2023-02-29", "a day that does not exist"],
    ["%Y-%m-%d", "2023-13-01", "a day that does not exist"],
    ["%d %b %Y", "01 Foo 2020", "a day that does not exist"],
    ["%Y %m %d %H", "2023 01 01 24", "a time of day that does not exist"],
    ["%Y", "10000", "outside the calendar"],
    ["%Y", "", "is missing"],
  ])("%s refuses %j", async (pattern, given, reason) => {
    const found = await refusalOf(csv(given), { instants: text({}, pattern) });
    expect(found.message).toContain(reason);
    expect(found.message).toContain('line 2, column "time" (3)');
  });

  it.each([
    ["%d/%m", "it names no year"],
    ["%Y %H", "it has the hour without the month"],
    ["%Y %Y", "%Y stands twice"],
    ["%q", "%q is not known"],
    ["%m %b %Y", "stand for the same"],
    ["%Y%", "% is not known"],
  ])("the pattern %s itself is refused", (pattern, reason) => {
    expect(() => new TimePattern(pattern)).toThrow(reason);
  });

  it("takes the last year, month or day that counts as an end", async () => {
    const format = text({ isEndInclusive: true }, "%Y-##-##", "%Y-%m-##", "iso");
    expect(await endOf("1952-##-##", "1952-##-##", format)).toBe(utc(1953, 1, 1));
    expect(await endOf("1952-##-##", "1952-12-##", format)).toBe(utc(1953, 1, 1));
    expect(await endOf("1952-##-##", "1952-02-29", format)).toBe(utc(1952, 3, 1));
    expect(await endOf("1952-##-##", "1953-01-01T00:00:00Z", format)).toBe(utc(1953, 1, 1) + 1n);
  });
});

describe("named zones", () => {
  const paris = instants({ unit: "iso", zone: localZone("Europe/Paris") });
  const london = instants({ unit: "iso", zone: localZone("Europe/London") });

  it("gives local times their offset of that day, dates their local midnight", async () => {
    expect(await timeOf("2024-01-15T12:00:00", paris)).toBe(utc(2024, 1, 15, 11));
    expect(await timeOf("2024-07-15T12:00:00", paris)).toBe(utc(2024, 7, 15, 10));
    expect(await timeOf("2024-07-15", paris)).toBe(utc(2024, 7, 14, 22));
    expect(await timeOf("2024-07-15T12:00:00Z", paris)).toBe(utc(2024, 7, 15, 12));
  });

  it("agrees near changes of clocks, in any order", async () => {
    const rows = ["2024-03-31T01:59:59", "2024-03-31T03:00:00", "2024-10-27T01:59:59", "2024-10-27T03:00:00"];
    const file = `src,dst,time\n${rows.map((row) => `a,b,${row}\n`).join("")}`;
    const found = (await readText(file, { instants: paris })).rows.map(({ time }) => time);
    expect(found).toEqual([
      utc(2024, 3, 31, 0, 59, 59),
      utc(2024, 3, 31, 1),
      utc(2024, 10, 26, 23, 59, 59),
      utc(2024, 10, 27, 2),
    ]);
  });

  it("refuses a local time that does not exist, and one that is twice", async () => {
    const gap = await refusalOf(csv("2021-03-28T01:30:00"), { instants: london });
    expect(gap.message).toContain("2021-03-28T01:30:00 does not exist in Europe/London");
    const overlap = await refusalOf(csv("2021-10-31T01:30:00"), { instants: london });
    expect(overlap.message).toContain("is twice in Europe/London: 2021-10-31T00:30:00Z or 2021-10-31T01:30:00Z");
    expect(overlap.message).toContain('line 2, column "time" (3)');
  });
});

describe("numbers, clocks and lengths", () => {
  it("counts hours, minutes and days from an epoch", async () => {
    const from2014 = (unit: "h" | "min" | "d") => instants({ unit, epochUs: utc(2014, 1, 1) });
    expect(await timeOf("8736", from2014("h"))).toBe(utc(2014, 12, 31));
    expect(await timeOf("-90", from2014("min"))).toBe(utc(2013, 12, 31, 22, 30));
    expect(await timeOf("59", from2014("d"))).toBe(utc(2014, 3, 1));
    expect(await timeOf("31.5", instants({ epochUs: utc(2014, 1, 1) }))).toBe(utc(2014, 1, 1, 0, 0, 31, 500));
    const found = await refusalOf(csv("1.5"), { instants: from2014("h") });
    expect(found.message).toContain("is no whole number of hours");
  });

  it("puts a date and a time of day together", async () => {
    const file = "src,dst,time,at\na,b,01.02.2024,17:05\n";
    const format = text({ zone: localZone("Europe/Paris") }, "%d.%m.%Y %H:%M");
    const { rows } = await readText(file, { instants: format, columns: { clock: "at" } });
    expect(rows[0]!.time).toBe(utc(2024, 2, 1, 16, 5));
    expect(
      (await refusalOf("src,dst,time,at\na,b,01.02.2024,\n", { instants: format, columns: { clock: "at" } })).message,
    ).toContain('column "at" (4)');
  });

  it("makes an end of a length in seconds; no length is an instant", async () => {
    const file = "src,dst,time,long\na,b,10,34\na,b,10,0.5\na,b,10,\na,b,10,0\n";
    const { rows } = await readText(file, { columns: { duration: "long" } });
    expect(rows.map(({ validTo }) => validTo)).toEqual([44_000_000n, 10_500_000n, 10_000_001n, 10_000_001n]);
    const { code, message } = await refusalOf("src,dst,time,long\na,b,10,-1\n", { columns: { duration: "long" } });
    expect([code, message]).toEqual(["E_PERIOD_ORDER", 'events.csv line 2, column "long" (4): "-1" is below 0']);
  });
});
