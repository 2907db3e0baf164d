// What questions name: times in their forms, durations, quoted texts, uids and names, numbers.
import { describe, expect, it } from "vitest";
import { mentionsOf } from "../../../src/agent/mentions/mentions.js";
import type { NameSource } from "../../../src/agent/mentions/names.js";

const UIDS = new Set(["ada", "1598", "ada lovelace", "x-1"]);
const NAMES: Readonly<Record<string, readonly string[]>> = {
  "New York": ["ny"],
  Bo: ["bo"],
  Sam: ["sam1", "sam2"],
  "Sam's": ["sams"],
};
const SOURCE: NameSource = {
  knownUids: (texts) => new Set(texts.filter((text) => UIDS.has(text))),
  known: async (texts) => new Set([...texts].filter((text) => text in NAMES || UIDS.has(text))),
  named: (name) => Promise.resolve(NAMES[name] ?? []),
};

const LABELS = new Set(["Person", "Straße"]);

async function mentioned(question: string, zone = "UTC", entities: readonly string[] = []): Promise<unknown[]> {
  const { mentions: found } = await mentionsOf(question, SOURCE, { zone, entities, labels: LABELS });
  expect(found.map(({ id }) => id)).toEqual(found.map((_, i) => `q${i + 1}`));
  return found.map(({ kind, uid, value, text }) => [kind, value ?? uid ?? text]);
}
const day = (date: string): string => `${date}T00:00:00Z`;

describe("mentions", () => {
  it.each<[string, unknown[]]>([
    ["from 2004-06-01 up to 2004-06-08", [["window", { from: day("2004-06-01"), to: day("2004-06-08") }]]],
    ["between 1 March 2004 and March 8, 2004", [["window", { from: day("2004-03-01"), to: day("2004-03-08") }]]],
    ["2004-06-01..2004-06-08", [["window", { from: day("2004-06-01"), to: day("2004-06-08") }]]],
    ["from 2004-06-01 through 2004-06-07", [["window", { from: day("2004-06-01"), to: day("2004-06-08") }]]],
    ["in May 2020", [["window", { from: day("2020-05-01"), to: day("2020-06-01") }]]],
    ["in December 2020", [["window", { from: day("2020-12-01"), to: day("2021-01-01") }]]],
    ["in 2004", [["window", { from: day("2004-01-01"), to: day("2005-01-01") }]]],
    ["from 2004 to 2006", [["window", { from: day("2004-01-01"), to: day("2006-01-01") }]]],
    ["what was believed on 2021-03-01", [["instant", day("2021-03-01")]]],
    ["at 2021-03-01T10:00:00.5+02:00", [["instant", "2021-03-01T08:00:00.500000Z"]]],
    [
      "on 31 February 2021",
      [
        ["number", 31],
        ["number", 2021],
      ],
    ],
    [
      "waits of up to 6 hours or PT30M or a day",
      [
        ["duration", "PT6H"],
        ["duration", "PT30M"],
        ["duration", "PT24H"],
      ],
    ],
    ["whom did ada reach", [["uid", "ada"]]],
    ["is it ada lovelace", [["uid", "ada lovelace"]]],
    [
      "account 1598 and 77",
      [
        ["uid", "1598"],
        ["number", 1598],
        ["number", 77],
      ],
    ],
    [
      "Was Bo in New York with Sam?",
      [
        ["name", "bo"],
        ["name", "ny"],
        ["name", "Sam"],
      ],
    ],
    ["what did bo do", []],
    ['who is "x-1"', [["quoted", "x-1"]]],
    [
      "the number 9007199254740993 or -3 or 2.5",
      [
        ["number", 9007199254740993n],
        ["number", -3],
        ["number", 2.5],
      ],
    ],
    [
      "as of commit 3, at tx:12 or in transaction #4; 2 commits and a commit 2.5",
      [
        ["number", "tx:3"],
        ["number", "tx:12"],
        ["number", "tx:4"],
        ["number", 2],
        ["number", 2.5],
      ],
    ],
    // A half of a number is no number of the question.
    [
      "within 1.5 hours or 2,500 seconds",
      [
        ["duration", "PT1H30M"],
        ["duration", "PT41M40S"],
      ],
    ],
    [
      "within half an hour, or half a day",
      [
        ["duration", "PT30M"],
        ["duration", "PT12H"],
      ],
    ],
    ["0.5 microseconds is finer than time", [["number", 0.5]]],
    [
      "Count them by P1D. Then in steps of PT1.5S.",
      [
        ["duration", "P1D"],
        ["duration", "PT1.5S"],
      ],
    ],
    ["neither P1DT nor P, nor P99999999999999999999D, nor XP1D", []],
    [
      "more than 2,500 or -1,234,567.5, or 1,500,2",
      [
        ["number", 2500],
        ["number", -1234567.5],
        ["number", 1],
        ["number", 500],
        ["number", 2],
      ],
    ],
    [`${"9".repeat(400)}.5 is no number that there is`, []],
    [
      "Did Bo's calls reach 1598's, or New York’s",
      [
        ["name", "bo"],
        ["uid", "1598"],
        ["number", 1598],
        ["name", "ny"],
      ],
    ],
    // The longer name is meant.
    ["was it at Sam's", [["name", "sams"]]],
    ["", []],
  ])("of %j", async (question, expected) => expect(await mentioned(question)).toEqual(expected));

  it("take dates in the zone that is asked", async () => {
    const [found] = await mentioned("on 2021-07-01", "Europe/Paris");
    expect(found).toEqual(["instant", "2021-06-30T22:00:00Z"]);
    expect(await mentioned("in July 2021", "Asia/Kathmandu")).toEqual([
      ["window", { from: "2021-06-30T18:15:00Z", to: "2021-07-31T18:15:00Z" }],
    ]);
  });

  it("include what the caller names, once", async () => {
    expect(await mentioned("whom did ada pay", "UTC", ["ada", "zed"])).toEqual([
      ["uid", "ada"],
      ["uid", "zed"],
    ]);
  });

  it.each<[string, string, readonly string[], unknown[]]>([
    [
      "stands alone",
      "whom did 1598 pay",
      [],
      [
        ["uid", "1598"],
        ["number", 1598],
      ],
    ],
    [
      "stands behind another word",
      "whom did account 1598 pay",
      [],
      [
        ["uid", "1598"],
        ["number", 1598],
      ],
    ],
    ["stands behind a label", "whom did Person 1598 pay", [], [["uid", "1598"]]],
    ["stands behind a label in other letters", "whom did STRASSE  1598 pay", [], [["uid", "1598"]]],
    ["is named by the caller", "whom did 1598 pay", ["1598"], [["uid", "1598"]]],
    [
      "is not what the caller names",
      "whom did 1598 pay 7 times",
      ["ada"],
      [
        ["uid", "1598"],
        ["number", 1598],
        ["number", 7],
        ["uid", "ada"],
      ],
    ],
    ["is quoted", 'whom did "1598" pay', [], [["quoted", "1598"]]],
  ])("of a number that is a uid are two, where nothing tells which: it %s", async (_, question, entities, found) => {
    expect(await mentioned(question, "UTC", entities)).toEqual(found);
  });

  it("have spans of the question", async () => {
    const question = "did ada pay in May 2020?";
    const { mentions: found } = await mentionsOf(question, SOURCE, { zone: "UTC", entities: [], labels: new Set() });
    expect(found.map(({ span: [from, to] }) => question.slice(from, to))).toEqual(["ada", "May 2020"]);
  });
});
