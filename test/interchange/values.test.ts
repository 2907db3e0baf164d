// Cells: instants of every unit, property classes, keys, ends, and what each refuses.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { localZone } from "../../src/interchange/zones.js";
import { instants, type Row, readText, refusalOf, rowsOf, withEvents } from "./reading.js";

const csv = (time: string) => `src,dst,time\na,b,${time}\n`;
const timeOf = async (time: string, unit: "s" | "ms" | "us" | "iso", zone: string | null = null) =>
  (await readText(csv(time), { instants: instants({ unit, zone: zone === null ? null : localZone(zone) }) })).rows[0]!
    .time;

describe("instants of a file", () => {
  it("keeps the fraction of every number of seconds to the microsecond", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.bigInt({ min: -377_705_116_800_000_000n, max: 253_402_300_799_999_999n }),
        fc.boolean(),
        async (us, trimZeros) => {
          const size = us < 0n ? -us : us;
          const fraction = String(size % 1_000_000n).padStart(6, "0");
          const shown = trimZeros ? fraction.replace(/0+$/, "") : fraction;
          const text = `${us < 0n ? "-" : ""}${size / 1_000_000n}${shown === "" ? "" : `.${shown}`}`;
          expect(await timeOf(text, "s")).toBe(us);
          expect(await timeOf(String(us), "us")).toBe(us);
        },
      ),
      { numRuns: 100 },
    );
  });

  it.each([
    ["1289241911.72836", "s", 1_289_241_911_728_360n],
    ["1289241911.728360000", "s", 1_289_241_911_728_360n],
    ["0", "s", 0n],
    ["-1", "s", -1_000_000n],
    ["-0.000001", "s", -1n],
    ["1577836800000", "ms", 1_577_836_800_000_000n],
    ["1577836800000.125", "ms", 1_577_836_800_000_125n],
    ["1577836800000000", "us", 1_577_836_800_000_000n],
    ["1577836800.0", "us", 1_577_836_800n],
    ["2004-04-15T08:02:41Z", "iso", 1_082_016_161_000_000n],
    ["2004-04-15 10:02:41+02:00", "iso", 1_082_016_161_000_000n],
    ["2004-04-15", "iso", 1_081_987_200_000_000n],
  ] as const)("reads %s (%s)", async (text, unit, us) => {
    expect(await timeOf(text, unit)).toBe(us);
  });

  it.each([
    ["1289241911.7283601", "s", "E_INVALID_ARG", "is finer than a microsecond"],
    ["1577836800.5", "us", "E_INVALID_ARG", "is finer than a microsecond"],
    ["1e9", "s", "E_INVALID_ARG", "has an exponent"],
    ["1.5e9", "iso", "E_EPOCH_UNIT", "has no unit"],
    ["NaT", "s", "E_INVALID_ARG", "is not a number of seconds"],
    ["1.", "s", "E_INVALID_ARG", "is not a number of seconds"],
    [" 1", "s", "E_INVALID_ARG", "is not a number of seconds"],
    ["1577836800000", "s", "E_INVALID_ARG", "outside the calendar"],
    ["1577836800", "iso", "E_EPOCH_UNIT", "has no unit"],
    ["2004-04-15T08:02:41", "iso", "E_ZONE_MISSING", "has no zone"],
    ["2004-02-30", "iso", "E_INVALID_ARG", "names a day that does not exist"],
    ["2016-12-31T23:59:60Z", "iso", "E_INVALID_ARG", "names a time of day that does not exist"],
    ["2024-01-01T09:00Z", "iso", "E_INVALID_ARG", "has no seconds"],
    ["20240101T090000Z", "iso", "E_INVALID_ARG", "is not an instant"],
    ["null", "iso", "E_INVALID_ARG", "is not an instant"],
    ["", "iso", "E_INVALID_ARG", "is missing"],
  ] as const)("refuses %s (%s)", async (text, unit, code, reason) => {
    const found = await refusalOf(csv(text), { instants: instants({ unit }) });
    expect(found.code).toBe(code);
    expect(found.message).toContain(reason);
    expect(found.message).toContain('line 2, column "time" (3)');
  });

  it.each([
    ["01.02.2024", true],
    ["2024-01-01T09:00", true],
    ["2024-02-30", false],
    ["2024-01-01T09:00:00.1234567Z", false],
  ])("refuses %s with the flag for other forms where it is of another form", async (text, isOther) => {
    const { hint } = await refusalOf(csv(text), { instants: instants({ unit: "iso" }) });
    expect(hint?.includes("--time-format")).toBe(isOther);
  });

  it("gives a text without zone the zone that was asked for, and leaves the others", async () => {
    expect(await timeOf("2004-04-15T10:02:41", "iso", "+02:00")).toBe(1_082_016_161_000_000n);
    expect(await timeOf("2004-04-15T08:02:41Z", "iso", "+02:00")).toBe(1_082_016_161_000_000n);
  });

  it("names the unit that would fit", async () => {
    expect((await refusalOf(csv("1577836800000"))).hint).toContain("--unit ms");
    expect((await refusalOf(csv("1577836800"), { instants: instants({ unit: "iso" }) })).hint).toContain("s would");
  });
});

describe("ends of a file", () => {
  const read = (end: string) => `src,dst,time,until\na,b,10,${end}\n`;
  const columns = { validTo: "until" };

  it("takes an end, and an empty cell as an open one", async () => {
    expect((await readText(read("11"), { columns })).rows[0]!.validTo).toBe(11_000_000n);
    expect((await readText(read(""), { columns })).rows[0]!.validTo).toBe(1n << 62n);
  });

  it.each(["10", "9"])("refuses an end that is not after the beginning: %s", async (end) => {
    const found = await refusalOf(read(end), { columns });
    expect(found.code).toBe("E_PERIOD_ORDER");
    expect(found.message).toContain('line 2, column "until" (4)');
  });
});

describe("properties of a file", () => {
  const propsOf = async (cell: string) =>
    (await readText(`src,dst,time,p\na,b,1,${cell}\n`, { columns: { props: [{ column: "p", name: null }] } })).rows[0]!
      .props;

  it.each([
    ["5", 5n],
    ["-5", -5n],
    ["-0", 0n],
    ["9007199254740993", 9_007_199_254_740_993n],
    ["-9223372036854775808", -9_223_372_036_854_775_808n],
    ["1.5", 1.5],
    ["1.0", 1n],
    ["1e3", 1000n],
    ["1e300", 1e300],
    ["true", true],
    ["false", false],
    ["True", "True"],
    ["007", "007"],
    ["+3", "+3"],
    ["3.", "3."],
    ["NaN", "NaN"],
    ["null", "null"],
    ["-", "-"],
    ['"7"', 7n],
    ['""', ""],
    ["日本", "日本"],
  ])("reads %s as the value that its look says", async (cell, value) => {
    expect(await propsOf(cell)).toEqual({ p: value });
  });

  it("takes an empty cell as no property", async () => {
    expect(await propsOf("")).toEqual({});
  });

  it.each(["9223372036854775808", "1e999"])("refuses %s, which no number can hold", async (cell) => {
    const found = await refusalOf(`src,dst,time,p\na,b,1,${cell}\n`, {
      columns: { props: [{ column: "p", name: null }] },
    });
    expect(found.message).toContain("is out of the range");
    expect(found.details).toMatchObject({ line: 2, column: "p", columnNumber: 4, value: cell });
  });

  it("keeps the class of each cell by itself", async () => {
    const { rows } = await readText("src,dst,time,p\na,b,1,1\na,b,2,x\na,b,3,\na,b,4,2.5\na,b,5,true\na,b,6,7\n", {
      columns: { props: [{ column: "p", name: "q" }] },
      rowsPerPiece: 4,
    });
    expect(rows.map((row) => row.props.q)).toEqual([1n, "x", undefined, 2.5, true, 7n]);
  });
});

describe("uids and keys of a file", () => {
  it("keeps every uid as it is written", async () => {
    const uids = ["3", "03", "+3", "3.0", " 3", "é", "e\u0301"];
    const { rows } = await readText(`src,dst,time\n${uids.map((uid) => `${uid},x,1\n`).join("")}`);
    expect(rows.map((row) => row.src)).toEqual(uids);
  });

  it("refuses an empty uid and one that is too long", async () => {
    expect((await refusalOf('src,dst,time\na,"",1\n')).message).toContain('column "dst" (2): "" must not be empty');
    expect((await refusalOf(`src,dst,time\n${"x".repeat(1025)},b,1\n`)).message).toContain("1025 bytes long");
    expect((await readText(`src,dst,time\n${"x".repeat(1024)},b,1\n`)).rows).toHaveLength(1);
  });

  it("tells the empty key from no key", async () => {
    const { rows } = await readText('src,dst,time,k\na,b,1,k1\na,b,2,\na,b,3,""\n', { columns: { key: "k" } });
    expect(rows.map((row) => row.key)).toEqual(["k1", null, ""]);
  });
});

describe("pieces of a file", () => {
  it("end where batches do, and change no row", async () => {
    const line = (i: number) => `u${i % 7},v${i % 5},${i},${["", i, i + 0.5, `t${i}`, i % 2 === 0][i % 5]},k${i}\n`;
    const text = `src,dst,time,p,k\n${Array.from({ length: 100 }, (_, i) => line(i)).join("")}`;
    const columns = { key: "k", props: [{ column: "p", name: null }] };
    const { rows } = await readText(text, { columns });
    for (const [rowsPerPiece, rowsPerBatch, sizes] of [
      [40, 1000, [40, 40, 20]],
      [7, 21, [7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 2]],
      [20, 30, [20, 10, 20, 10, 20, 10, 10]],
      [64, 50, [50, 50]],
    ] as const) {
      const pieces: Row[][] = [];
      await withEvents(text, { columns, rowsPerPiece, rowsPerBatch }, async (found) => {
        for await (const piece of found) pieces.push(rowsOf(piece));
      });
      expect(pieces.map((piece) => piece.length)).toEqual(sizes);
      expect(pieces.flat()).toEqual(rows);
    }
  });
});
