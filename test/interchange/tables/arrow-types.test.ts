// Every type of Arrow as a property and as a time: stored as it is, or refused by its column or its row.
import * as A from "apache-arrow";
import { describe, expect, it } from "vitest";
import { type Database, open } from "../../../src/index.js";

const US = new A.TimestampMicrosecond("UTC");

function vectorOf(type: A.DataType, buffers: object, length: number): A.Vector {
  return new A.Vector([A.makeData({ type, length, nullCount: 0, ...buffers } as never) as A.Data]);
}

/** Rows a→b at the seconds 0, 1, 2 … with one column `x`. */
function tableOf(x: A.Vector, more: Record<string, A.Vector> = {}): A.Table {
  const rows = Array.from({ length: x.length }, (_, i) => i);
  return new A.Table({
    src: A.vectorFromArray(
      rows.map((i) => `a${i}`),
      new A.Utf8(),
    ),
    dst: A.vectorFromArray(
      rows.map(() => "b"),
      new A.Utf8(),
    ),
    time: vectorOf(US, { data: BigInt64Array.from(rows, (i) => BigInt(i) * 1_000_000n) }, x.length),
    x,
    ...more,
  });
}

async function stored(x: A.Vector, options: object = {}): Promise<unknown[]> {
  const db = await open(":memory:");
  try {
    await db.ingest(tableOf(x), { type: "T", props: ["x"], ...options });
    return await storedIn(db);
  } finally {
    await db.close();
  }
}

async function storedIn(db: Database): Promise<unknown[]> {
  const tables = await db.tables();
  tables.close();
  const { rows } = await db.call("scan", { of: "edges", columns: ["src", "props"], limit: 1000 } as never);
  return (rows as { props: { x?: unknown } }[]).map(({ props }) => props.x ?? null);
}

const refusal = async (x: A.Vector, options: object = {}) => {
  const error = await stored(x, options).then(
    (rows) =>
      expect.fail(`stored ${JSON.stringify(rows, (_, value) => (typeof value === "bigint" ? `${value}` : value))}`),
    (thrown: { code: string; message: string; hint: string }) => thrown,
  );
  return { code: error.code, message: error.message };
};

const ints = (type: A.DataType, data: unknown, length: number) => vectorOf(type, { data }, length);

describe("numbers of Arrow", () => {
  it.each([
    ["Int8", new A.Int8(), Int8Array.of(-128, 0, 127), [-128, 0, 127]],
    ["Int16", new A.Int16(), Int16Array.of(-32768, 1, 32767), [-32768, 1, 32767]],
    ["Int32", new A.Int32(), Int32Array.of(-(2 ** 31), 1, 2 ** 31 - 1), [-(2 ** 31), 1, 2 ** 31 - 1]],
    ["Int64", new A.Int64(), BigInt64Array.of(-(2n ** 63n), 5n, 2n ** 63n - 1n), [-(2n ** 63n), 5, 2n ** 63n - 1n]],
    ["Uint8", new A.Uint8(), Uint8Array.of(0, 1, 255), [0, 1, 255]],
    ["Uint16", new A.Uint16(), Uint16Array.of(0, 1, 65535), [0, 1, 65535]],
    ["Uint32", new A.Uint32(), Uint32Array.of(0, 1, 2 ** 32 - 1), [0, 1, 2 ** 32 - 1]],
    [
      "Uint64",
      new A.Uint64(),
      BigUint64Array.of(0n, 2n ** 53n + 1n, 2n ** 63n - 1n),
      [0, 2n ** 53n + 1n, 2n ** 63n - 1n],
    ],
    ["Float32", new A.Float32(), Float32Array.of(0.5, -1.25, 3), [0.5, -1.25, 3]],
    ["Float64", new A.Float64(), Float64Array.of(1e300, 0.1, -5e-324), [1e300, 0.1, -5e-324]],
    // 0x3e00 is 1.5, 0xc400 is -4, 0x0001 the least half above nothing.
    ["Float16", new A.Float16(), Uint16Array.of(0x3e00, 0xc400, 0x0001), [1.5, -4, 2 ** -24]],
  ] as const)("%s are stored with every digit", async (_, type, data, expected) => {
    expect(await stored(ints(type, data, 3))).toEqual(expected);
  });

  it("decimals without digits behind the point are whole numbers", async () => {
    const words = (value: bigint, count: number) =>
      Array.from({ length: count }, (_, i) => Number(BigInt.asUintN(32, value >> BigInt(32 * i))));
    const values = [-(2n ** 63n), 12n, 2n ** 63n - 1n];
    const wide = (bits: 128 | 256, of: bigint[]) =>
      ints(new A.Decimal(0, 38, bits), Uint32Array.from(of.flatMap((value) => words(value, bits / 32))), of.length);
    expect(await stored(wide(128, values))).toEqual([-(2n ** 63n), 12, 2n ** 63n - 1n]);
    expect(await stored(wide(256, values))).toEqual([-(2n ** 63n), 12, 2n ** 63n - 1n]);
    expect(await refusal(wide(128, [1n, 2n ** 63n]))).toEqual({
      code: "E_INVALID_ARG",
      message: 'the Arrow table row 2, column "x": "9223372036854775808" is out of the range of int64',
    });
    const scaled = ints(new A.Decimal(2, 10, 128), new Uint32Array(4), 1);
    expect(await refusal(scaled)).toMatchObject({ code: "E_SCHEMA", message: expect.stringContaining('column "x"') });
  });

  it("refuses by the row what no int64 and no double holds", async () => {
    expect(await refusal(ints(new A.Uint64(), BigUint64Array.of(1n, 2n ** 63n), 2))).toEqual({
      code: "E_INVALID_ARG",
      message: 'the Arrow table row 2, column "x": "9223372036854775808" is out of the range of int64',
    });
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
      expect(await refusal(ints(new A.Float64(), Float64Array.of(0, 1, value), 3))).toEqual({
        code: "E_INVALID_ARG",
        message: `the Arrow table row 3, column "x": "${value}" is no number that can be stored`,
      });
    }
  });
});

describe("texts and lists of Arrow", () => {
  const TEXTS = ["", "naïve \u{1f600}", null, "a longer text than twelve bytes"];

  it("texts of every form are texts, null is no value", async () => {
    for (const type of [
      new A.Utf8(),
      new A.LargeUtf8(),
      new A.Utf8View(),
      new A.Dictionary(new A.Utf8(), new A.Int8()),
    ]) {
      expect(await stored(A.vectorFromArray(TEXTS, type as A.Utf8)), String(type)).toEqual(TEXTS);
    }
    expect(await stored(A.vectorFromArray([7n, 7n, null], new A.Dictionary(new A.Int64(), new A.Int32())))).toEqual([
      7,
      7,
      null,
    ]);
    expect(await stored(A.vectorFromArray([true, null, false], new A.Bool()))).toEqual([true, null, false]);
    expect(await stored(A.vectorFromArray([null, null], new A.Null()))).toEqual([null, null]);
  });

  it("slices begin where they say", async () => {
    const of = (vector: A.Vector) => stored(vector.slice(1, 4));
    expect(await of(A.vectorFromArray([true, false, null, true, true], new A.Bool()))).toEqual([false, null, true]);
    expect(await of(A.vectorFromArray(["x", ...TEXTS], new A.Utf8()))).toEqual(TEXTS.slice(0, 3));
    expect(await of(A.vectorFromArray([1, 2, null, 4, 5], new A.Int32()))).toEqual([2, null, 4]);
    const list = new A.List(new A.Field("item", new A.Int32(), true));
    expect(await of(A.vectorFromArray([[0], [1, 2], [], null, [9]], list))).toEqual([[1, 2], [], null]);
  });

  it("lists, structs and maps are JSON, with their times as texts", async () => {
    const struct = new A.Struct([new A.Field("n", new A.Int64(), true), new A.Field("s", new A.Utf8(), true)]);
    expect(await stored(A.vectorFromArray([{ n: 2n ** 60n, s: "ü" }, null, { n: 1n, s: null }], struct))).toEqual([
      { n: 2n ** 60n, s: "ü" },
      null,
      { n: 1, s: null },
    ]);
    const fixed = new A.FixedSizeList(2, new A.Field("item", new A.Float64(), true));
    expect(
      await stored(
        A.vectorFromArray(
          [
            [1, 2.5],
            [0.5, 4],
          ],
          fixed,
        ),
      ),
    ).toEqual([
      [1, 2.5],
      [0.5, 4],
    ]);
    const map = new A.Map_(
      new A.Field(
        "entries",
        new A.Struct<{ key: A.Utf8; value: A.Int32 }>([
          new A.Field("key", new A.Utf8()),
          new A.Field("value", new A.Int32(), true),
        ]),
        false,
      ),
    );
    expect(
      await stored(
        A.vectorFromArray(
          [
            new Map([
              ["a", 1],
              ["b", 2],
            ]),
            new Map(),
          ],
          map as never,
        ),
      ),
    ).toEqual([{ a: 1, b: 2 }, {}]);
    const times = new A.List(new A.Field("item", US, true));
    const child = A.makeData({ type: US, data: BigInt64Array.of(1n, -1n), nullCount: 0 });
    const data = A.makeData({ type: times, valueOffsets: Int32Array.of(0, 2), child, nullCount: 0 });
    expect(await stored(new A.Vector([data]))).toEqual([
      ["1970-01-01T00:00:00.000001Z", "1969-12-31T23:59:59.999999Z"],
    ]);
  });

  it("bytes and unions are refused by their column", async () => {
    const column = { code: "E_SCHEMA", message: expect.stringContaining('column "x"') };
    expect(await refusal(A.vectorFromArray([Uint8Array.of(1)], new A.Binary()))).toMatchObject(column);
    expect(await refusal(A.vectorFromArray([Uint8Array.of(1)], new A.LargeBinary()))).toMatchObject(column);
    expect(await refusal(ints(new A.FixedSizeBinary(2), new Uint8Array(2), 1))).toMatchObject(column);
    const union = new A.SparseUnion([0], [new A.Field("i", new A.Int32())]);
    const data = A.makeData({
      type: union,
      length: 1,
      typeIds: Int8Array.of(0),
      children: [A.makeData({ type: new A.Int32(), data: Int32Array.of(1) })],
    } as never) as A.Data;
    expect(await refusal(new A.Vector([data]))).toMatchObject(column);
    const nested = new A.List(new A.Field("item", new A.Binary(), true));
    expect(await refusal(A.vectorFromArray([[Uint8Array.of(1)]], nested))).toMatchObject(column);
  });

  it("text that is no UTF-8 is refused by its row", async () => {
    const data = A.makeData({
      type: new A.Utf8(),
      valueOffsets: Int32Array.of(0, 1, 3),
      data: Uint8Array.of(97, 0xc3, 0x28),
      nullCount: 0,
    });
    expect(await refusal(new A.Vector([data]))).toMatchObject({
      message: expect.stringContaining('row 2, column "x"'),
    });
  });
});

describe("times of Arrow", () => {
  const unitOf = [
    new A.TimestampSecond("UTC"),
    new A.TimestampMillisecond("UTC"),
    US,
    new A.TimestampNanosecond("UTC"),
  ];
  const perSecond = [1n, 1000n, 1_000_000n, 1_000_000_000n];

  async function held(time: A.Vector, options: object = {}): Promise<unknown[]> {
    const db = await open(":memory:");
    try {
      const texts = A.vectorFromArray(
        Array.from({ length: time.length }, (_, i) => `${i}`),
        new A.Utf8(),
      );
      await db.ingest(new A.Table({ src: texts, dst: texts, time }), { type: "T", ...options });
      const { rows } = await db.query("SELECT e.src, e.valid_from, e.valid_to FROM EDGES(T) AS e ORDER BY e.src");
      return rows.map(({ valid_from }) => valid_from);
    } finally {
      await db.close();
    }
  }

  it.each([0, 1, 2, 3])("timestamps of unit %i, with their zone", async (unit) => {
    const seconds = [-1n, 0n, 1_700_000_000n];
    const data = BigInt64Array.from(seconds, (s) => s * perSecond[unit]!);
    const expected = ["1969-12-31T23:59:59Z", "1970-01-01T00:00:00Z", "2023-11-14T22:13:20Z"];
    expect(await held(vectorOf(unitOf[unit]!, { data }, 3))).toEqual(expected);
    // As a property a time is the text that it is written as.
    expect(await stored(vectorOf(unitOf[unit]!, { data }, 3))).toEqual(expected);
  });

  it("what is finer than a microsecond, or outside the calendar, is refused by its row", async () => {
    const failed = (time: A.Vector) =>
      held(time).then(
        () => "stored",
        (error: Error) => error.message,
      );
    expect(await failed(vectorOf(unitOf[3]!, { data: BigInt64Array.of(1000n, 1001n) }, 2))).toBe(
      'the Arrow table row 2, column "time": "1001 ns" is finer than a microsecond',
    );
    for (const word of [2n ** 63n - 1n, -(2n ** 63n)]) {
      for (const unit of [0, 1, 2]) {
        expect(await failed(vectorOf(unitOf[unit]!, { data: BigInt64Array.of(0n, word) }, 2))).toContain(
          'row 2, column "time"',
        );
      }
    }
    // The extremes that int64 nanoseconds can say lie inside.
    expect(
      await held(
        vectorOf(unitOf[3]!, { data: BigInt64Array.of(9_223_372_036_854_775_000n, -9_223_372_036_854_775_000n) }, 2),
      ),
    ).toEqual(["2262-04-11T23:47:16.854775Z", "1677-09-21T00:12:43.145225Z"]);
  });

  it("without a zone they need one", async () => {
    const local = vectorOf(new A.TimestampMicrosecond(), { data: BigInt64Array.of(1_616_889_600_000_000n) }, 1); // 2021-03-28T00:00
    await expect(held(local)).rejects.toMatchObject({
      code: "E_ZONE_MISSING",
      message: expect.stringContaining('"time"'),
    });
    expect(await held(local, { zone: "+02:00" })).toEqual(["2021-03-27T22:00:00Z"]);
    expect(await held(local, { zone: "Europe/Rome" })).toEqual(["2021-03-27T23:00:00Z"]);
    const gap = vectorOf(new A.TimestampSecond(), { data: BigInt64Array.of(1_616_895_000n) }, 1); // 01:30, skipped in London
    await expect(held(gap, { zone: "Europe/London" })).rejects.toMatchObject({
      message: expect.stringContaining("row 1"),
    });
    expect(await refusal(local)).toMatchObject({ code: "E_ZONE_MISSING" });
  });

  it("dates are midnights, times and durations are texts", async () => {
    const days = vectorOf(new A.DateDay(), { data: Int32Array.of(-1, 19_782) }, 2);
    expect(await held(days)).toEqual(["1969-12-31T00:00:00Z", "2024-02-29T00:00:00Z"]);
    expect(await held(days, { zone: "+01:00" })).toEqual(["1969-12-30T23:00:00Z", "2024-02-28T23:00:00Z"]);
    expect(await stored(days)).toEqual(["1969-12-31", "2024-02-29"]);
    const ms = vectorOf(new A.DateMillisecond(), { data: BigInt64Array.of(86_400_000n) }, 1);
    expect(await stored(ms)).toEqual(["1970-01-02"]);
    expect(await refusal(vectorOf(new A.DateMillisecond(), { data: BigInt64Array.of(86_400_001n) }, 1))).toMatchObject({
      code: "E_INVALID_ARG",
    });
    expect(await stored(vectorOf(new A.TimeMicrosecond(), { data: BigInt64Array.of(34_200_000_001n) }, 1))).toEqual([
      "09:30:00.000001",
    ]);
    expect(await stored(vectorOf(new A.TimeSecond(), { data: Int32Array.of(86_399) }, 1))).toEqual(["23:59:59"]);
    expect(await stored(vectorOf(new A.DurationMillisecond(), { data: BigInt64Array.of(90_061_000n) }, 1))).toEqual([
      "PT25H1M1S",
    ]);
    const months = vectorOf(new A.IntervalYearMonth(), { data: Int32Array.of(14) }, 1);
    expect(await stored(months)).toEqual(["P14M"]);
    const dayTime = vectorOf(new A.IntervalDayTime(), { data: Int32Array.of(2, 1500) }, 1);
    expect(await stored(dayTime)).toEqual(["P2DT1.500000S"]);
  });

  it("numbers need a unit and are never rounded", async () => {
    const seconds = vectorOf(new A.Float64(), { data: Float64Array.of(1577836800, 1577836800.000001) }, 2);
    await expect(held(seconds)).rejects.toMatchObject({ code: "E_EPOCH_UNIT" });
    expect(await held(seconds, { unit: "s" })).toEqual(["2020-01-01T00:00:00Z", "2020-01-01T00:00:00.000001Z"]);
    const whole = vectorOf(new A.Int64(), { data: BigInt64Array.of(1_577_836_800_000n) }, 1);
    await expect(held(whole)).rejects.toMatchObject({ code: "E_EPOCH_UNIT" });
    expect(await held(whole, { unit: "ms" })).toEqual(["2020-01-01T00:00:00Z"]);
    await expect(held(whole, { unit: "h" })).rejects.toMatchObject({ code: "E_INVALID_ARG" });
    expect(await held(A.vectorFromArray(["2020-01-01T01:00:00+01:00", "2020-01-01"], new A.Utf8()))).toEqual([
      "2020-01-01T00:00:00Z",
      "2020-01-01T00:00:00Z",
    ]);
    await expect(held(A.vectorFromArray(["2020-01-01T00:00:00Z", null], new A.Utf8()))).rejects.toMatchObject({
      message: 'the Arrow table row 2, column "time": the time is missing',
    });
  });
});
