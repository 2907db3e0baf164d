// Every example statement of the language over one small store: which run, with rows counted by hand, and which wait for
// patterns of several edges. They run in their order and in one session, so the reads come before the writes.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parseScript } from "../../grammar/index.js";
import { PalimpsestError } from "../../src/contract/errors.js";
import type { Database, QuerySession } from "../../src/index.js";
import { exampleStore } from "./example-store.js";

const PARAMETERS: Readonly<Record<string, unknown>> = {
  day: "2025-03-01T00:00:00Z",
  from: "2025-01-01T00:00:00Z",
  to: "2025-02-01T00:00:00Z",
  a: "2025-01-10T00:00:00Z",
  b: "2025-01-02T00:00:00Z",
  end: "2025-03-01T00:00:00Z",
  holder: "p3",
  x: "OSL",
  y: "SYD",
  why: "acting only",
};

/** Cells of each row from the left, as many as matter; a record: members of the one row. */
type Rows = readonly (readonly unknown[])[];
type Expected = Rows | Readonly<Record<string, unknown>> | "pattern" | "rows";
const NONE: Rows = [];
const SESSION: Rows = [];

const PAYMENTS = [
  "2025-01-02T10:00:00Z",
  "2025-01-20T08:00:00Z",
  "2025-01-25T08:00:00Z",
  "2025-01-02T10:05:00Z",
  "2025-01-05T08:00:00Z",
  "2025-01-02T10:09:00Z",
];
const atStart = (month: number): string => `2025-0${month}-01T00:00:00Z`;

/** By the number of the example, one for each of its statements. */
const EXPECTED: Readonly<Record<number, readonly Expected[]>> = {
  1: [
    [
      ["Berg", 7],
      ["Åsa", 5],
    ],
  ],
  2: [
    [
      ["card", 4, 1454],
      ["cash", 2, 136],
    ],
  ],
  3: [
    [
      ["OSL", 3],
      ["SYD", 2],
      ["TRD", 2],
    ],
  ],
  4: ["rows"], // 30 days of June, looked at below
  5: [
    [
      [0, 80],
      [6, 1400],
      [8, 1500],
      [9, 100],
      [12, 50],
      [13, 900],
    ],
  ],
  6: [[[66.666666667]]],
  7: [[["DY", 1]]],
  8: [[["OSL", "TRD", "DY, SK"]]],
  9: [
    [
      ["w7", 1],
      ["w9", "last"],
    ],
  ],
  10: [[["nurse1"], ["nurse4"]]],
  11: [
    [
      ["Berg", "day"],
      ["Åsa", "night"],
    ],
  ],
  12: [
    [
      ["Berg", "day"],
      ["Åsa", "night"],
    ],
  ],
  13: [
    [
      ["nurse1", "w7", "PT744H"],
      ["nurse4", "w7", "PT720H"],
    ],
  ],
  14: [[["p3", "consul"]]],
  15: [[["p3", "2000-01-01T00:00:00Z"]]],
  16: [
    [
      [1, "2025-02-03T00:00:00Z", "2025-03-31T00:00:00Z", null, "corrected", "rota typed in wrong"],
      [2, "2025-02-03T00:00:00Z", "2025-02-10T00:00:00Z", "rota typed in wrong", null, null],
      [2, "2025-02-10T00:00:00Z", "2025-03-31T00:00:00Z", null, null, null],
    ],
  ],
  17: [[["nurse4", "w7", "2025-03-31T00:00:00Z", "2025-02-10T00:00:00Z"]]],
  18: [
    [
      ["added", "node", "w10"],
      ["added", "edge", null, "nurse1", "WORKS_ON", "w7"],
    ],
  ],
  19: [[["acc2", 100, 140]]],
  20: [[["p1", "-0044-01-01T00:00:00Z", "-0043-01-01T00:00:00Z", atStart(2), null]]],
  21: [[["w7", 2]]],
  22: [[["WORKS_ON", atStart(3), 1]]],
  23: [
    [
      ["acc1", "acc2", "t1", "2025-01-02T10:00:00Z", atStart(2)],
      ["acc1", "acc2", "t6", "2025-01-25T08:00:00Z", "2025-03-10T00:00:00Z"],
      ["acc1", "acc3", "t5"],
      ["acc2", "acc1", "t4"],
      ["acc2", "acc3", "t2"],
      ["acc3", "acc1", "t3"],
    ],
  ],
  24: [[[2, "2025-03-03T00:00:00Z", 1]]],
  25: ["pattern"],
  26: ["pattern"],
  27: ["pattern"],
  28: ["pattern"],
  29: ["pattern"],
  30: ["pattern"],
  31: ["pattern"],
  32: ["pattern"],
  33: ["pattern"],
  34: [
    [
      ["WORKS_ON", "w7", "2025-07-01T00:00:00Z"],
      ["WORKS_ON", "w7", "2025-10-05T00:00:00Z"],
    ],
  ],
  35: ["pattern"],
  36: ["pattern"],
  37: [[[["OSL", "TRD", "SYD"], "2025-01-04T10:00:00Z"]]],
  38: [
    [
      ["2025-01-12T07:00:00Z", 1],
      ["2025-01-03T08:00:00Z", 2],
    ],
  ],
  39: [[["PT23H", ["OSL", "SYD"]]]],
  40: ["pattern"],
  41: [NONE], // what acc1 got came before the middle of January
  42: ["pattern"],
  43: ["pattern"],
  44: ["pattern"],
  45: ["pattern"],
  46: ["pattern"],
  47: ["pattern"],
  48: [
    [
      ["2025-01-04T10:00:00Z", 1000],
      ["2025-01-13T06:00:00Z", 1500],
    ],
  ],
  49: [[[1]]],
  50: [[["a>b,b>c,c>a", "M24", { a: "acc1", b: "acc2", c: "acc3" }]]],
  51: ["rows"],
  52: [[["2024-01-01T00:00:00Z", 4]]],
  53: [
    [
      ["2025-01-02T10:00:00Z", "2025-01-02T11:00:00Z", 2],
      ["2025-01-05T08:00:00Z", "2025-01-05T09:00:00Z", 1],
      ["2025-01-15T00:00:00Z", "2025-01-15T01:00:00Z", 1],
      ["2025-01-20T08:00:00Z", "2025-01-20T09:00:00Z", 1],
      ["2025-01-25T08:00:00Z", "2025-01-25T09:00:00Z", 1],
    ],
  ],
  54: [
    [
      ["gained", "nurse4", 1],
      ["lost", "nurse1", 1],
    ],
  ],
  55: [NONE], // they were never on a ward together
  56: [
    [
      ["nurse1", "WORKS_ON", "w7"],
      ["nurse4", "WORKS_ON", "w7"],
      ["w7", "HEADED_BY", "nurse4"],
      ["w7", "MOVED_TO", "w8"],
    ],
  ],
  57: [[["2024-01-01T00:00:00Z", null, { name: "Berg", grade: 7 }]]],
  58: [
    [
      ["w7", "PT3552H"],
      ["w8", null],
    ],
  ], // 3 February to 1 July: 148 days
  59: [
    [
      ["w7", "PT3552H"],
      ["w8", null],
    ],
  ],
  60: [
    [
      ["DY", "OSL", "OSL"],
      ["DY", "OSL", "TRD"],
      ["QF", "OSL", "SYD"],
      ["QF", "SYD", "OSL"],
      ["SK", "OSL", "TRD"],
      ["SK", "TRD", "SYD"],
    ],
  ],
  61: [[["OSL", 1]]],
  62: [[["nurse1", "2025-01-06T00:00:00Z", 1]]],
  63: [
    [
      ["nurse1", 1, "PT0S", 1],
      ["nurse1", 2, "PT0S", 1],
      ["nurse4", 1, "PT0S", 1],
      ["nurse9", 1, "PT0S", 1],
      ["nurse9", 2, "PT0S", 1],
    ],
  ],
  64: [
    [
      ["OSL", "SYD", atStart(1), 2900],
      ["SYD", "TRD", atStart(1), 900],
      ["OSL", "TRD", atStart(1), 100],
      ["OSL", "TRD", atStart(6), 80],
      ["OSL", "OSL", atStart(6), 50],
    ],
  ],
  65: [
    [
      ["acc1", "2025-01-02T10:00:00Z", 100, 2],
      ["acc1", "2025-01-20T08:00:00Z", 1300, 1],
      ["acc1", "2025-01-25T08:00:00Z", 1340, 3],
      ["acc2", "2025-01-02T10:05:00Z", 96, 1],
      ["acc2", "2025-01-05T08:00:00Z", 156, 2],
      ["acc3", "2025-01-02T10:09:00Z", 94, 1],
    ],
  ],
  66: [PAYMENTS.map((at, i) => [`acc${[1, 1, 1, 2, 2, 3][i]}`, at, 1])],
  67: [[["SYD"]]],
  68: [NONE], // nobody began in the second quarter at w7
  69: [[["PT1512H", "PT1512H"]]], // 6 January to 10 March: 63 days
  70: [[[0.372208437]]], // 1500 of 4030
  71: [NONE], // no ward has six ended spells
  72: [[["w10"], ["w8"], ["w9"]]],
  73: [
    [
      ["acc1", "2025-01-20T08:00:00Z", "large"],
      ["acc1", "2025-01-25T08:00:00Z", "small"],
    ],
  ],
  74: [[["nurse1"]]],
  75: [
    [
      ["acc3", "acc1", "2025-01-02T10:09:00Z"],
      ["acc3", "mayor", "2025-01-02T10:09:00Z"],
      ["acc3", "p3", "2025-01-02T10:09:00Z"],
      ["acc3", "bank", "2025-01-15T00:00:00Z"],
      ["acc3", "acc2", "2025-01-25T08:00:00Z"],
    ],
  ],
  76: [[["a>b,b>a,a>b", "M51", "M_2node_pingpong", 0]]],
  77: [[["w7", 1]]],
  78: [[["w10", "East"]]],
  79: ["pattern"],
  80: [
    [
      ["out", "acc1", 3],
      ["in", "acc1", 2],
      ["in", "acc2", 2],
      ["in", "acc3", 2],
      ["out", "acc2", 2],
      ["out", "acc3", 1],
    ],
  ],
  102: [[["nurse4", "2025-02-03T00:00:00Z", "2025-03-31T00:00:00Z", null, 2, "rota typed in wrong"]]],
  103: [
    [
      ["w7", "HEADED_BY", "nurse4", "", atStart(2), null, "current"],
      ["w7", "HEADED_BY", "nurse1", "", "2024-01-01T00:00:00Z", atStart(2), "superseded"],
    ],
  ],
  104: [[["WORKS_ON", 2]]],
  81: [{ tx: 4, operations: 2 }],
  82: [{ tx: 5, operations: 1 }],
  83: [{ tx: 6, operations: 2 }],
  84: [{ tx: 7, operations: 1 }],
  85: [{ tx: 8, operations: 1 }],
  86: [{ tx: 9, operations: 2 }],
  87: [{ tx: 10, operations: 2 }],
  88: [{ tx: 11, operations: 4 }],
  89: [{ tx: null }, { tx: 12 }],
  90: ["pattern"],
  91: [...Array.from({ length: 7 }, () => SESSION), ...Array.from({ length: 8 }, () => "rows" as const)],
  99: ["pattern"],
  100: ["rows"],
  101: [[["am", 3]]],
  105: [
    [
      ["acc1", 4],
      ["acc2", 2],
      ["acc3", 1],
    ],
  ], // 82 paid once more
  106: [
    [
      ["TRD", "2025-01-03T09:00:00Z"],
      ["SYD", "2025-01-04T10:00:00Z"],
    ],
    "pattern",
    [[94]],
  ],
};

// The store has three commits where the examples speak of the fortieth and the eight hundred and twelfth.
const file = readFileSync(join(import.meta.dirname, "../language/examples.tql"), "utf8")
  .replace(/\b(TX |tx:)40\b/g, "$11")
  .replace(/\b(TX |tx:)812\b/g, "$13");
const examples = file
  .split(/^(?=-- \d)/m)
  .filter((block) => block.trim() !== "")
  .map((block) => ({
    number: Number(/^-- (\d+)/.exec(block)![1]),
    statements: parseScript(block).map(({ text }) => text),
  }));

let db: Database;
let session: QuerySession;
beforeAll(async () => {
  db = await exampleStore();
  session = db.session({});
});
afterAll(async () => {
  await session.close();
  await db.close();
});

const given = (text: string) =>
  Object.fromEntries(Object.entries(PARAMETERS).filter(([name]) => new RegExp(`\\$${name}\\b`).test(text)));
const ask = (text: string) => session.query(text, { params: given(text) });

async function problemOf(text: string): Promise<unknown> {
  try {
    await ask(text);
  } catch (error) {
    if (error instanceof PalimpsestError) return [error.code, error.details?.kind];
    throw error;
  }
  return null;
}

async function check(text: string, expected: Expected): Promise<void> {
  if (expected === "pattern") {
    expect(await problemOf(text), text).toEqual(["E_INVALID_ARG", "pattern_not_supported"]);
    return;
  }
  const { rows, columns } = await ask(text);
  if (expected === "rows") {
    expect(rows.length, text).toBeGreaterThan(0);
  } else if (Array.isArray(expected)) {
    const cells = rows.map((row, i) => columns.slice(0, expected[i]?.length).map(({ name }) => row[name]));
    expect(cells, text).toEqual(expected);
  } else {
    expect(rows, text).toMatchObject([expected]);
  }
}

it("knows what each example does", () => {
  const counts = examples.map(({ number, statements }) => [number, statements.length]);
  const known = examples.map(({ number }) => [number, EXPECTED[number]?.length]);
  expect(known).toEqual(counts);
  expect(Object.values(EXPECTED).flat().filter(Array.isArray).length).toBeGreaterThan(70);
});

it("finds flights on two local days of June", async () => {
  const { rows } = await ask(examples.find(({ number }) => number === 4)!.statements[0]!);
  // 30 local days, from 2025-05-31T22:00Z at Oslo on; the range begins and ends at midnight UTC, inside two of them.
  const flown = rows.filter(({ flights }) => flights !== 0);
  expect(flown.map((row) => Object.values(row))).toEqual([
    ["2025-06-01T00:00:00Z", 1],
    ["2025-06-03T22:00:00Z", 1],
  ]);
  expect(rows.length).toBe(31);
});

for (const { number, statements } of examples) {
  statements.forEach((text, i) => {
    it(`${number}: ${text.slice(0, 80).replace(/\s+/g, " ")}`, () => check(text, EXPECTED[number]![i]!));
  });
}
