// Dates of a question in the zones that it names, held against what clocks showed by the zone table of Node.js.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mentionsOf } from "../../../src/agent/mentions/mentions.js";
import type { NameSource } from "../../../src/agent/mentions/names.js";
import { dayBegins, shownAt } from "./clocks.js";

const UIDS = new Set(["UTC", "Asia/Tokyo"]);
const SOURCE: NameSource = {
  knownUids: (texts) => new Set(texts.filter((text) => UIDS.has(text))),
  known: (texts) => Promise.resolve(new Set([...texts].filter((text) => UIDS.has(text) || text === "UTC Holdings"))),
  named: (name) => Promise.resolve(name === "UTC Holdings" ? ["h1"] : []),
};
const NOBODY: NameSource = {
  knownUids: () => new Set(),
  known: () => Promise.resolve(new Set()),
  named: () => Promise.resolve([]),
};

const named = (question: string, zone = "UTC", source = NOBODY) =>
  mentionsOf(question, source, { zone, entities: [], labels: new Set() });
async function timesOf(question: string, zone = "UTC"): Promise<unknown[]> {
  const { mentions } = await named(question, zone);
  return mentions.flatMap(({ kind, value }) => (kind === "window" || kind === "instant" ? [value] : []));
}

const [BERLIN, TOKYO, YORK] = ["Europe/Berlin", "Asia/Tokyo", "America/New_York"];
const at = (zone: string, local: string): string => shownAt(zone, local)[0]!;
const window = (zone: string, from: string, to: string) => ({ from: dayBegins(zone, from), to: dayBegins(zone, to) });

describe("times in the one zone that a question names", () => {
  it.each<[string, unknown[]]>([
    ["2004-06-01 09:00 Asia/Tokyo", [at(TOKYO, "2004-06-01T09:00")]],
    ["at 09:00 in Europe/Berlin on 1 June 2004", [at(BERLIN, "2004-06-01T09:00")]],
    ["at 09:00 on the 1st of June 2004 in Europe/Berlin", [at(BERLIN, "2004-06-01T09:00")]],
    ["on 2004-06-01, at 21:30, in america/new_york", [at(YORK, "2004-06-01T21:30")]],
    ["in America/New_York, on June 1, 2004 at 21:30", [at(YORK, "2004-06-01T21:30")]],
    ["on 2004-06-01 in Europe/Berlin", [dayBegins(BERLIN, "2004-06-01")]],
    ["how many per day in March 2004 (Europe/Berlin)?", [window(BERLIN, "2004-03-01", "2004-04-01")]],
    ["in 2004, in America/New_York", [window(YORK, "2004-01-01", "2005-01-01")]],
    ["from 2004-06-01 to 2004-06-08 in Europe/Berlin", [window(BERLIN, "2004-06-01", "2004-06-08")]],
    ["in Asia/Tokyo between 1 March 2004 and March 8, 2004", [window(TOKYO, "2004-03-01", "2004-03-08")]],
    [
      "from 2004-06-01 in Europe/Berlin through 2004-06-07 in Europe/Berlin",
      [window(BERLIN, "2004-06-01", "2004-06-08")],
    ],
    [
      "2004-06-01 09:00..2004-06-08 10:00 Asia/Tokyo",
      [{ from: at(TOKYO, "2004-06-01T09:00"), to: at(TOKYO, "2004-06-08T10:00") }],
    ],
    // The offset of an ISO time is its own; the zone is that of the other date.
    [
      "2004-06-01T09:00:00+05:00 and on 2004-06-02 in Europe/Berlin",
      ["2004-06-01T04:00:00Z", dayBegins(BERLIN, "2004-06-02")],
    ],
    // Arithmetic by hand: an offset is what is taken from local time.
    ["2004-06-01 09:00 UTC+2", ["2004-06-01T07:00:00Z"]],
    ["2004-06-01 09:00 UTC-05:30", ["2004-06-01T14:30:00Z"]],
    ["2004-06-01 09:00 -0500", ["2004-06-01T14:00:00Z"]],
    ["2004-06-01T09:00+0200", ["2004-06-01T07:00:00Z"]],
    ["in May 2004 UTC+05:45", [{ from: "2004-04-30T18:15:00Z", to: "2004-05-31T18:15:00Z" }]],
    ["2004-06-01+02:00", [{ from: "2004-05-31T22:00:00Z", to: "2004-06-01T22:00:00Z" }]],
    ["2004-06-01 09:00 in GMT", ["2004-06-01T09:00:00Z"]],
    // No zone of the question: the caller's.
    ["2004-06-01 09:00 in Europe/Atlantis", [at(YORK, "2004-06-01T09:00")]],
    ["2004-06-01 09:00 CST", [at(YORK, "2004-06-01T09:00")]],
    ['2004-06-01 09:00 for "Europe/Berlin"', [at(YORK, "2004-06-01T09:00")]],
  ])("of %j", async (question, expected) => {
    expect(expected.length).toBeGreaterThan(0);
    expect(await timesOf(question, YORK)).toEqual(expected);
  });

  it("is a window where the first time comes first, whatever their offsets", async () => {
    expect(await timesOf("from 2004-06-01T10:00+03:00 to 2004-06-01T09:00+01:00")).toEqual([
      { from: "2004-06-01T07:00:00Z", to: "2004-06-01T08:00:00Z" },
    ]);
    expect(await timesOf("from 2004-06-01T09:00+01:00 to 2004-06-01T10:00+03:00")).toEqual([
      "2004-06-01T08:00:00Z",
      "2004-06-01T07:00:00Z",
    ]);
  });

  it("has days as long as clocks made them", async () => {
    const hours = async (day: string, zone: string): Promise<number> => {
      const [value] = (await timesOf(`payments of ${day} (${zone})`)) as { from: string; to: string }[];
      expect(value).toEqual({ from: dayBegins(zone, day), to: value!.to });
      return (Date.parse(value!.to) - Date.parse(value!.from)) / 3_600_000;
    };
    expect(await hours("2004-03-27", BERLIN)).toBe(24);
    expect(await hours("2004-03-28", BERLIN)).toBe(23);
    expect(await hours("2004-10-31", BERLIN)).toBe(25);
    expect(await hours("2021-10-03", "Australia/Lord_Howe")).toBe(23.5);
    // Midnights that never were, and one that was twice.
    expect(await hours("2018-11-04", "America/Sao_Paulo")).toBe(23);
    expect(await hours("2006-10-29", "America/St_Johns")).toBe(25);
  });

  it("says how it reads a time that clocks skipped, or showed twice", async () => {
    expect(shownAt(BERLIN, "2004-10-31T02:30")).toEqual(["2004-10-31T00:30:00Z", "2004-10-31T01:30:00Z"]);
    const twice = await named("at 2004-10-31 02:30 in Europe/Berlin");
    expect(twice.mentions[0]!.value).toBe("2004-10-31T00:30:00Z");
    expect(twice.assumed).toEqual(["2004-10-31 02:30 = 2004-10-31T00:30:00Z: the earlier of two in Europe/Berlin"]);
    expect(shownAt(BERLIN, "2004-03-28T02:30")).toEqual([]);
    const skipped = await named("at 2004-03-28 02:30 in Europe/Berlin");
    // As far behind two o'clock, which was three o'clock then.
    expect(skipped.mentions[0]!.value).toBe(at(BERLIN, "2004-03-28T03:30"));
    expect(skipped.assumed).toEqual(["2004-03-28 02:30 = 2004-03-28T01:30:00Z: clocks skip it in Europe/Berlin"]);
    expect((await named("at 2004-03-28 03:30 in Europe/Berlin")).assumed).toEqual([]);
  });

  it("has no day that a zone never had", async () => {
    const { mentions, assumed } = await named("on 2011-12-30 in Pacific/Apia");
    // Its digits are no numbers, either.
    expect(mentions.map(({ kind }) => kind)).toEqual(["zone"]);
    expect(assumed).toEqual(["2011-12-30 is no time: Pacific/Apia had no such day"]);
    expect(await timesOf("on 2011-12-31 in Pacific/Apia")).toEqual([dayBegins("Pacific/Apia", "2011-12-31")]);
  });

  it("stays inside the calendar", async () => {
    expect(await timesOf("in December 9999 in America/New_York")).toEqual([
      { from: at(YORK, "9999-12-01T00:00"), to: "+10000-01-01T00:00:00Z" },
    ]);
    expect(await timesOf("9999-12-31 23:00 UTC-5")).toEqual([]);
  });

  it("has no time of day that no day has, and no part of it", async () => {
    for (const wrong of ["25:00", "09:60", "09:00:60", "09:00:00.1234567", "09:00+24:00"]) {
      expect(await timesOf(`2004-06-01 ${wrong}`), wrong).toEqual([]);
    }
  });

  const zone = fc.constantFrom(
    BERLIN,
    TOKYO,
    YORK,
    "Asia/Kathmandu",
    "America/St_Johns",
    "Pacific/Apia",
    "Europe/Dublin",
  );
  /** Where the package's table and that of Node.js agree. */
  const day = fc
    .integer({ min: 1_000, max: 24_000 })
    .map((days) => new Date(days * 86_400_000).toISOString().slice(0, 10));
  it("is what clocks showed, for any day", async () => {
    const of = fc.asyncProperty(zone, day, fc.integer({ min: 0, max: 1439 }), async (name, date, minute) => {
      fc.pre(!(name === "Pacific/Apia" && date === "2011-12-30"));
      const [value] = await timesOf(`on ${date} in ${name}`);
      expect(value).toBe(dayBegins(name, date));
      const clock = `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;
      const shown = shownAt(name, `${date}T${clock}`);
      fc.pre(shown.length > 0);
      expect(await timesOf(`${date} ${clock} ${name}`)).toEqual([shown[0]]);
    });
    await fc.assert(of, { numRuns: 15 });
  });
});

describe("dates of a question that names several zones", () => {
  it.each<[string, unknown[]]>([
    [
      "in Europe/Berlin on 2004-06-01, in Asia/Tokyo on 2004-06-02",
      [dayBegins(BERLIN, "2004-06-01"), dayBegins(TOKYO, "2004-06-02")],
    ],
    [
      "on 2004-06-01 in Europe/Berlin and on 2004-06-02 in Asia/Tokyo",
      [dayBegins(BERLIN, "2004-06-01"), dayBegins(TOKYO, "2004-06-02")],
    ],
    [
      "from 2004-06-01 09:00 Asia/Tokyo to 2004-06-01 09:00 Europe/Berlin",
      [{ from: at(TOKYO, "2004-06-01T09:00"), to: at(BERLIN, "2004-06-01T09:00") }],
    ],
    [
      "from 2004-06-01 to 2004-06-08 in Europe/Berlin, and from 2004-07-01 to 2004-07-08 (Asia/Tokyo)",
      [window(BERLIN, "2004-06-01", "2004-06-08"), window(TOKYO, "2004-07-01", "2004-07-08")],
    ],
    [
      "2004-06-01, 2004-06-02 and 2004-06-03 in the time zone Europe/Berlin, May 2004 Asia/Tokyo",
      [
        window(BERLIN, "2004-06-01", "2004-06-02"),
        window(BERLIN, "2004-06-02", "2004-06-03"),
        window(BERLIN, "2004-06-03", "2004-06-04"),
        window(TOKYO, "2004-05-01", "2004-06-01"),
      ],
    ],
    [
      "at 09:00 in Asia/Tokyo on 2004-06-01, at 09:00 in Europe/Berlin on 2004-06-01",
      [at(TOKYO, "2004-06-01T09:00"), at(BERLIN, "2004-06-01T09:00")],
    ],
  ])("are those of the zone that stands with each: %j", async (question, expected) => {
    expect(await timesOf(question)).toEqual(expected);
    const { assumed, zone } = await named(question);
    expect([assumed, zone]).toEqual([[], null]);
  });

  it("are in the caller's zone where none stands with them, which is said", async () => {
    const question = "as Europe/Berlin and Asia/Tokyo differ, what was in May 2004?";
    expect(await timesOf(question, YORK)).toEqual([window(YORK, "2004-05-01", "2004-06-01")]);
    expect((await named(question, YORK)).assumed).toEqual(["May 2004 is in America/New_York: it stands with no zone"]);
  });
});

describe("mentions of zones", () => {
  const seen = async (question: string, source = SOURCE): Promise<unknown[]> =>
    (await named(question, "UTC", source)).mentions.map(({ id, kind, text, uid, value }) => [
      id,
      kind,
      text,
      uid ?? value,
    ]);

  it("stand with the times, each with its own words", async () => {
    expect(await seen("on 2004-06-01 in europe/berlin, UTC+2")).toEqual([
      ["q1", "instant", "2004-06-01", dayBegins(BERLIN, "2004-06-01")],
      ["q2", "zone", "europe/berlin", "Europe/Berlin"],
      ["q3", "zone", "UTC+2", "Etc/GMT-2"],
    ]);
  });

  it("are mentions of the store, too, where it knows them", async () => {
    expect(await seen("what did UTC pay Asia/Tokyo?")).toEqual([
      ["q1", "uid", "UTC", "UTC"],
      ["q2", "zone", "UTC", "UTC"],
      ["q3", "uid", "Asia/Tokyo", "Asia/Tokyo"],
      ["q4", "zone", "Asia/Tokyo", "Asia/Tokyo"],
    ]);
  });

  it("are none inside a longer name, in quotes, or as a part of another", async () => {
    expect(await seen("what did UTC Holdings pay in 2004?")).toEqual([
      ["q1", "name", "UTC Holdings", "h1"],
      ["q2", "window", "2004", { from: "2004-01-01T00:00:00Z", to: "2005-01-01T00:00:00Z" }],
    ]);
    expect(await seen('what is "UTC" and `Asia/Tokyo`')).toEqual([
      ["q1", "quoted", '"UTC"', "UTC"],
      ["q2", "quoted", "`Asia/Tokyo`", "Asia/Tokyo"],
    ]);
    expect(await seen("in UTC +02:00")).toEqual([["q1", "zone", "UTC +02:00", "Etc/GMT-2"]]);
  });

  it("are found in the longest of questions without delay", async () => {
    for (const piece of ["Europe/Berlin ", "2004-06-01 Asia/Tokyo, ", "UTC Holdings ", "9:00 +02:00 on 2004-06-01 "]) {
      const begun = performance.now();
      await named(piece.repeat(Math.floor(4_000 / piece.length)), "UTC", SOURCE);
      expect(performance.now() - begun, piece).toBeLessThan(1_000);
    }
  });
});
