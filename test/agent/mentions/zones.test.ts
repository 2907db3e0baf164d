// Which words of a question are zones, and which are not; the time that finding them takes.
import { describe, expect, it } from "vitest";
import { onlyZone, zonesIn } from "../../../src/agent/mentions/zones.js";

const found = (text: string): unknown[] => zonesIn(text).map(({ from, to, name }) => [text.slice(from, to), name]);

describe("zones of a question", () => {
  it.each<[string, unknown[]]>([
    ["at 09:00 in Europe/Berlin", [["Europe/Berlin", "Europe/Berlin"]]],
    [
      "in europe/berlin, EUROPE/BERLIN.",
      [
        ["europe/berlin", "Europe/Berlin"],
        ["EUROPE/BERLIN", "Europe/Berlin"],
      ],
    ],
    ["(America/Argentina/Buenos_Aires)", [["America/Argentina/Buenos_Aires", "America/Argentina/Buenos_Aires"]]],
    [
      "zone:America/Port-au-Prince; tz=Asia/Ho_Chi_Minh",
      [
        ["America/Port-au-Prince", "America/Port-au-Prince"],
        ["Asia/Ho_Chi_Minh", "Asia/Ho_Chi_Minh"],
      ],
    ],
    ["Europe/Berlin's days", [["Europe/Berlin", "Europe/Berlin"]]],
    ["in UTC: how many", [["UTC", "UTC"]]],
    [
      "utc or Gmt?",
      [
        ["utc", "UTC"],
        ["Gmt", "UTC"],
      ],
    ],
    [
      "in UTC+2 or GMT-5",
      [
        ["UTC+2", "Etc/GMT-2"],
        ["GMT-5", "Etc/GMT+5"],
      ],
    ],
    ["UTC-05:30", [["UTC-05:30", "-05:30"]]],
    [
      "UTC+0530 and UTC +05:30",
      [
        ["UTC+0530", "+05:30"],
        ["UTC +05:30", "+05:30"],
      ],
    ],
    ["UTC\u22123", [["UTC\u22123", "Etc/GMT+3"]]],
    ["UTC+00:00", [["UTC+00:00", "UTC"]]],
    [
      "UTC+14 and UTC+15",
      [
        ["UTC+14", "Etc/GMT-14"],
        ["UTC+15", "+15:00"],
      ],
    ],
    [
      "09:00 +02:00, 09:00:30.5 (-05:30)",
      [
        ["+02:00", "Etc/GMT-2"],
        ["-05:30", "-05:30"],
      ],
    ],
    ["9:00 -0500", [["-0500", "Etc/GMT+5"]]],
    ["2004-06-01 +02:00", [["+02:00", "Etc/GMT-2"]]],
    [
      "in +02:00, time zone +03:00, offset: +04:00",
      [
        ["+02:00", "Etc/GMT-2"],
        ["+03:00", "Etc/GMT-3"],
        ["+04:00", "Etc/GMT-4"],
      ],
    ],
    ["Etc/GMT+5", [["Etc/GMT+5", "Etc/GMT+5"]]],
  ])("are in %j", (text, expected) => expect(found(text)).toEqual(expected));

  it.each([
    "CST, IST, BST, EST, CET, PST, MST7MDT",
    "Berlin, Tokyo, New York, Japan, Egypt, Cuba, Singapore, Turkey, Zulu, GB, NZ, Universal, Greenwich",
    "Europe/Atlantis, Mars/Olympus, and/or, w/o, 1/2, Europe/, /Berlin, Europe//Berlin",
    "https://example.org/Europe/Berlin?x, data/Europe/Berlin.txt, Europe/Berlin.csv, a@Europe/Berlin, Europe/Berlin/x",
    "xEurope/Berlin, Europe/Berlinx, Europe/Berlin-like, my-Europe/Berlin, Europe/Berlin_, 7Europe/Berlin",
    // Slashes that only look like one, letters of other alphabets, and what hides between letters.
    "Europe\u2215Berlin, Europe\u2044Berlin, Europe\uff0fBerlin, Europe\\Berlin",
    "\u0415urope/Berlin, Europe/Berl\u0456n, Europe/Ber\u200blin, E\u0301urope/Berlin, Europe/Berlin\u0301",
    "\uff35\uff34\uff23, U\u0422C, UTCs, xUTC, UTC_, UTC/x, UTC-based, UTC.exe, UTC:30",
    "UTC +2, UTC + 2, UTC - 2, UTC+2 hours, UTC+2h, UTC+5.5, UTC+123, UTC+24, UTC+02:60, UTC+530",
    "+02:00, -3, +2, by +02:00, sum+02:00, in -2000, in +2",
    "09:00+02:00, 2004-06-01T09:00:00+02:00, 2004-06-01T09:00:00Z",
    "09:00 +24:00, 09:00 +2, 09:00 -10:00:00, 9:00 +02:001",
  ])("are not in %j", (text) => expect(found(text)).toEqual([]));

  it("are one where all words mean the same", () => {
    const only = (text: string): string | null => onlyZone(zonesIn(text))?.name ?? null;
    expect(only("in Europe/Berlin, that is europe/berlin")).toBe("Europe/Berlin");
    expect(only("in UTC, that is GMT or UTC+0")).toBe("UTC");
    expect(only("in UTC+2, 09:00 +02:00")).toBe("Etc/GMT-2");
    expect(only("in Europe/Berlin, not in Europe/Paris")).toBeNull();
    expect(only("in Berlin")).toBeNull();
  });
});

describe("the time that it takes", () => {
  const HOSTILE: readonly string[] = [
    "Europe/Berlin ",
    "Europe/Berlin",
    "Europe/Atlantis ",
    "a/",
    "aa/a+a-a_",
    "America/Argentina/",
    "UTC+",
    "UTC +2 ",
    "+02:00 ",
    "1:11:11.111111 (",
    "2004-06-01 +",
    "in -",
    "offset of time zone: ",
    "\u2215Europe\u2044",
    "x",
    " ",
  ];

  it.each(HOSTILE)("is in proportion to the length of %j over and over", (piece) => {
    const text = piece.repeat(Math.ceil(160_000 / piece.length));
    const begun = performance.now();
    zonesIn(text);
    // It is a fifth of a second where the machine is busy; some ten thousand million steps, were the time quadratic.
    expect(performance.now() - begun).toBeLessThan(3_000);
  });
});
