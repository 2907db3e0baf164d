// Arrow into a store: which column is what, commits, rows that are refused, and what comes out is what went in.
import * as A from "apache-arrow";
import { describe, expect, it } from "vitest";
import { type Database, open, type PalimpsestError } from "../../../src/index.js";

const utf8 = (values: readonly (string | null)[]) => A.vectorFromArray(values, new A.Utf8());
const micros = (values: readonly (bigint | null)[]) => {
  const data = BigInt64Array.from(values, (value) => value ?? 0n);
  const bits = new Uint8Array((values.length + 7) >> 3);
  for (const [row, value] of values.entries()) if (value !== null) bits[row >> 3]! |= 1 << (row & 7);
  const nullCount = values.filter((value) => value === null).length;
  return new A.Vector([
    A.makeData({ type: new A.TimestampMicrosecond("UTC"), data, length: values.length, nullCount, nullBitmap: bits }),
  ]);
};

const PAYMENTS = new A.Table({
  payer: utf8(["ana", "ben", "ana"]),
  payee: A.vectorFromArray([7, 8, 9], new A.Int32()),
  when: micros([1n, 2n, 3n]),
  until: micros([10n, null, 30n]),
  kind: A.vectorFromArray(["PAID", null, "OWED"], new A.Dictionary(new A.Utf8(), new A.Int8())),
  ref: utf8(["r1", "r2", null]),
  amount: A.vectorFromArray([1.5, 2, null], new A.Float64()),
  note: utf8(["x", null, "z"]),
});
const NAMES = {
  src: "payer",
  dst: "payee",
  time: "when",
  validTo: "until",
  typeColumn: "kind",
  type: "OTHER",
  key: "ref",
};

async function on<T>(work: (db: Database) => Promise<T>): Promise<T> {
  const db = await open(":memory:");
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

const edges = async (db: Database) => {
  const { rows } = await db.call("scan", {
    of: "edges",
    columns: ["src", "dst", "type", "key", "valid_from", "valid_to", "tx", "props"],
  } as never);
  return rows as Record<string, unknown>[];
};

/** The same as operations, whose store digest must be the one of the table's. */
const OPERATIONS = [
  { src: "ana", dst: "7", type: "PAID", key: "r1", props: { amount: 1.5, note: "x" }, valid_from: 1n, valid_to: 10n },
  { src: "ben", dst: "8", type: "OTHER", key: "r2", props: { amount: 2 }, valid_from: 2n, valid_to: null },
  { src: "ana", dst: "9", type: "OWED", props: { note: "z" }, valid_from: 3n, valid_to: 30n },
];

describe("Arrow into a store", () => {
  it("takes each column as what it is named", async () => {
    const shown = await on(async (db) => {
      const result = await db.ingest(PAYMENTS, { ...NAMES, nodeLabels: ["Person"], source: "payments" });
      expect(result).toMatchObject({ tx: 1, rows: 3 });
      return edges(db);
    });
    expect(shown.map(({ valid_from: _, valid_to: _end, tx, ...row }) => row)).toEqual([
      { src: "ana", dst: "9", type: "OWED", key: expect.stringMatching(/^#/), props: { note: "z" } },
      { src: "ana", dst: "7", type: "PAID", key: "r1", props: { amount: 1.5, note: "x" } },
      { src: "ben", dst: "8", type: "OTHER", key: "r2", props: { amount: 2 } },
    ]);
    expect(shown.map(({ valid_to }) => valid_to)).toEqual([
      "1970-01-01T00:00:00.000030Z",
      "1970-01-01T00:00:00.000010Z",
      null,
    ]);
  });

  it("stores what typed columns would, from tables, batches and IPC data alike", async () => {
    const text = (values: (string | null)[]) => ({
      values: values.map((value) => value ?? ""),
      codes: Uint32Array.from(values, (_, i) => i),
      present: Uint8Array.from(values, (value) => (value === null ? 0 : 1)),
    });
    const txTime = "2020-01-01";
    const wanted = await on(async (db) => {
      await db.ingest(
        {
          src: OPERATIONS.map(({ src }) => src),
          dst: OPERATIONS.map(({ dst }) => dst),
          type: OPERATIONS.map(({ type }) => type),
          key: text(OPERATIONS.map(({ key }) => key ?? null)),
          time: BigInt64Array.from(OPERATIONS, ({ valid_from }) => valid_from),
          valid_to: BigInt64Array.from(OPERATIONS, ({ valid_to }) => valid_to ?? 2n ** 62n),
          props: [
            { name: "amount", kind: "double", values: Float64Array.of(1.5, 2, 0), present: Uint8Array.of(1, 1, 0) },
            { name: "note", kind: "string", values: text(["x", null, "z"]), present: Uint8Array.of(1, 0, 1) },
          ],
        },
        { txTime },
      );
      return db.digest();
    });
    const halves = [PAYMENTS.slice(0, 1), PAYMENTS.slice(1)].map((part) => new A.Table(part.batches).batches[0]!);
    async function* later() {
      yield* halves;
    }
    const inputs = [
      PAYMENTS,
      PAYMENTS.batches[0]!,
      halves,
      later(),
      A.tableToIPC(PAYMENTS, "stream"),
      A.tableToIPC(PAYMENTS, "file"),
    ];
    for (const [i, input] of inputs.entries()) {
      const digest = await on(async (db) => {
        await db.ingest(input as A.Table, { ...NAMES, txTime, rowsPerCommit: Number.POSITIVE_INFINITY });
        return db.digest();
      });
      expect(digest, `input ${i}`).toBe(wanted);
    }
  });

  it("refuses a row by name, and leaves nothing; with onError skip it leaves the row out", async () => {
    const bad = new A.Table({
      src: utf8(["a", "", "c", "d", null, "f"]),
      dst: utf8(["b", "b", "b", "b", "b", "b"]),
      valid_from: micros([1n, 2n, null, 5n, 6n, 7n]),
      valid_to: micros([null, null, null, 5n, null, 8n]),
    });
    await on(async (db) => {
      await expect(db.ingest(bad, { type: "T" })).rejects.toMatchObject({
        code: "E_INVALID_ARG",
        message: 'the Arrow table row 2, column "src": must not be empty',
      });
      expect((await db.head()).tx).toBe(0);
      const refused: string[] = [];
      const onRefusal = ({ message }: PalimpsestError) => refused.push(message);
      const { rows } = await db.ingest(bad, { type: "T", onError: "skip", onRefusal });
      expect(rows).toBe(2);
      expect(refused).toEqual([
        'the Arrow table row 2, column "src": must not be empty',
        'the Arrow table row 3, column "valid_from": the time is missing',
        'the Arrow table row 4, column "valid_to": "5 us" is not after the time of the event',
        'the Arrow table row 5, column "src": is missing',
      ]);
      expect((await edges(db)).map(({ src }) => src)).toEqual(["a", "f"]);
    });
  });

  it("makes a commit of each time of belief", async () => {
    const table = new A.Table({
      src: utf8(["a", "b", "c"]),
      dst: utf8(["x", "x", "x"]),
      time: micros([1n, 2n, 3n]),
      seen: micros([2_000_000n, 1_000_000n, 2_000_000n]),
    });
    await on(async (db) => {
      const result = await db.ingest(table, { type: "T", txTimeColumn: "seen" });
      expect(result).toMatchObject({ tx: 2, rows: 3 });
      const { rows } = await db.call("scan", { of: "commits" } as never);
      expect(
        (rows as { tx_time: string; ingested: number }[]).map(({ tx_time, ingested }) => [tx_time, ingested]),
      ).toEqual([
        ["1970-01-01T00:00:01Z", 1],
        ["1970-01-01T00:00:02Z", 2],
      ]);
    });
  });

  it("takes nodes with labels and properties", async () => {
    const labels = new A.List(new A.Field("item", new A.Utf8(), true));
    const table = new A.Table({
      uid: utf8(["ada", "bob"]),
      labels: A.vectorFromArray([["Person", "Poet"], []], labels),
      valid_from: micros([0n, 5n]),
      valid_to: micros([null, 9n]),
      born: A.vectorFromArray([1815n, null], new A.Int64()),
    });
    await on(async (db) => {
      expect(await db.ingest(table, { nodes: true, nodeLabels: ["All"] })).toMatchObject({ tx: 1, rows: 2 });
      const { rows } = await db.call("scan", {
        of: "nodes",
        columns: ["uid", "labels", "valid_from", "valid_to", "props"],
      } as never);
      expect(rows).toEqual([
        {
          uid: "ada",
          labels: ["All", "Person", "Poet"],
          valid_from: "1970-01-01T00:00:00Z",
          valid_to: null,
          props: { born: 1815 },
        },
        {
          uid: "bob",
          labels: ["All"],
          valid_from: "1970-01-01T00:00:00.000005Z",
          valid_to: "1970-01-01T00:00:00.000009Z",
          props: {},
        },
      ]);
    });
  });

  it("gives an answer back as it was", async () => {
    const values = [
      { i: 2n ** 63n - 1n, d: 0.1, b: true, s: "ü", j: [1, { a: null }], m: 1 },
      { i: -1, d: 1e300, b: false, s: "", j: {}, m: "1" },
      {},
    ];
    const asked = `SELECT e.src, e.dst, e.key, e.valid_from, e.valid_to, e.i, e.d, e.b, e.s, e.j, e.m FROM EDGES(T) AS e ORDER BY e.key`;
    await on(async (db) => {
      await db.write(
        values.map((props, i) => ({
          op: "assert_edge",
          src: "a",
          type: "T",
          dst: "b",
          key: `${i}`,
          props,
          valid_from: { us: BigInt(i) },
          valid_to: i === 1 ? null : { us: 99n },
        })) as never,
      );
      const arrow = await db.query(asked).toArrow();
      await on(async (other) => {
        await other.ingest(arrow, { type: "T" });
        expect((await other.query(asked)).rows).toEqual((await db.query(asked)).rows);
        await other.ingest(A.tableFromIPC(A.tableToIPC(arrow)), { type: "U" });
        expect((await other.query(asked.replace("(T)", "(U)"))).rows).toEqual((await db.query(asked)).rows);
      });
    });
  });

  it("refuses what is no table, no column and no option", async () => {
    await on(async (db) => {
      const code = (input: unknown, options: object = {}) =>
        db.ingest(input as A.Table, { type: "T", ...options } as never).then(
          () => "stored",
          (error: PalimpsestError) => error.code,
        );
      expect(await code(PAYMENTS)).toBe("E_SCHEMA");
      expect(await code(PAYMENTS, { ...NAMES, src: "nobody" })).toBe("E_SCHEMA");
      expect(await code(PAYMENTS, { ...NAMES, sorce: "x" })).toBe("E_SCHEMA");
      expect(await code(PAYMENTS, { ...NAMES, unit: "weeks" })).toBe("E_INVALID_ARG");
      expect(await code(PAYMENTS, { ...NAMES, time: "note" })).toBe("E_INVALID_ARG");
      expect(await code(PAYMENTS, { ...NAMES, zone: "Mars/Crater" })).toBe("E_INVALID_ARG");
      expect(await code(new Uint8Array(0), NAMES)).toBe("E_INVALID_ARG");
      expect(await code(Buffer.from("no arrow at all"), NAMES)).toBe("E_INVALID_ARG");
      expect(await code(A.tableToIPC(PAYMENTS, "stream").subarray(0, 700), NAMES)).toBe("E_INVALID_ARG");
      expect(await code([], NAMES)).toBe("E_SCHEMA");
      expect(await code(PAYMENTS.slice(0, 0), NAMES)).toBe("E_INVALID_ARG");
      expect(await code([PAYMENTS.batches[0]!, new A.Table({ x: utf8(["a"]) }).batches[0]!], NAMES)).toBe("E_SCHEMA");
      expect((await db.head()).tx).toBe(0);
    });
  });
});
