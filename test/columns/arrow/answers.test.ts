// Answers as Arrow: every type of column, read back by the library and by code of the test's own.
import {
  type Field,
  type RecordBatch,
  RecordBatchStreamWriter,
  Table,
  Type,
  tableFromIPC,
  tableToIPC,
  type Vector,
} from "apache-arrow";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { arrowBatches, arrowBatchesOfPieces, arrowTable } from "../../../src/columns/arrow/batches.js";
import { formatDuration } from "../../../src/contract/duration.js";
import { parseExact } from "../../../src/contract/exact-json.js";
import { formatInstant } from "../../../src/contract/instant.js";
import { type Database, open } from "../../../src/index.js";

const ROWS = 37;
let db: Database;

/** Rows with nulls at many places, texts beyond ASCII, and integers at the ends of int64. */
const propsOf = (i: number) => ({
  ...(i % 3 === 0 ? {} : { int: i % 5 === 0 ? 2n ** 63n - 1n - BigInt(i) : -i }),
  ...(i % 4 === 0 ? {} : { double: i + 0.5 }),
  ...(i % 7 === 0 ? {} : { mixed: i % 2 === 0 ? i : i / 3 + 0.1 }),
  ...(i % 2 === 0 ? { flag: i % 4 === 0 } : {}),
  ...(i % 5 === 0 ? {} : { text: ["", "naïve", "\u{1f600}", `t${i}`][i % 4] }),
  ...(i % 6 === 0 ? {} : { json: [i, { a: "ü", b: null }] }),
});

beforeAll(async () => {
  db = await open(":memory:");
  await db.write(
    Array.from({ length: ROWS }, (_, i) => ({
      op: "assert_edge" as const,
      src: `n${i % 4}`,
      type: "T",
      dst: "x",
      key: String(i).padStart(3, "0"),
      props: propsOf(i),
      valid_from: { us: BigInt(i) * 1_000_001n - 7n },
      valid_to: i % 3 === 1 ? null : { us: 9_000_000_000_000_000n + BigInt(i) },
    })) as never,
  );
});
afterAll(() => db.close());

const ALL = `SELECT e.key, e.src, e.int, e.double, e.mixed, e.flag, e.text, e.json, e.valid_from, e.valid_to,
  e.valid_to - e.valid_from AS held, NULL AS nothing FROM EDGES(T) AS e ORDER BY e.key`;

/** The value of a cell as answers show it, from the buffers of the column. */
function cell(field: Field, vector: Vector, row: number): unknown {
  const type = field.metadata.get("palimpsest:type");
  if (!vector.isValid(row)) return null;
  if (field.metadata.get("palimpsest:encoding") === "json") return parseExact(vector.get(row) as string);
  if (type === "string") return vector.get(row);
  if (type === "double" || type === "bool") return vector.get(row);
  const word = wordAt(vector, row);
  if (type === "int") return Number.isSafeInteger(Number(word)) ? Number(word) : word;
  return type === "duration" ? formatDuration(word) : formatInstant(word);
}

/** The getters of timestamps are milliseconds in doubles: the words are read where they lie. */
function wordAt(vector: Vector, row: number): bigint {
  let at = row;
  for (const data of vector.data) {
    if (at < data.length) return (data.values as BigInt64Array)[at]!;
    at -= data.length;
  }
  throw new Error(`no row ${row}`);
}

function rowsOf(table: Table): Record<string, unknown>[] {
  return Array.from({ length: table.numRows }, (_, row) =>
    Object.fromEntries(table.schema.fields.map((field, i) => [field.name, cell(field, table.getChildAt(i)!, row)])),
  );
}

describe("an answer as Arrow", () => {
  it("has every value of the rows, with its type", async () => {
    const answer = await db.query(ALL);
    const table = await db.query(ALL).toArrow();
    expect(rowsOf(table)).toEqual(answer.rows);
    const shown = table.schema.fields.map(({ name, type, metadata }) => [
      name,
      String(type),
      metadata.get("palimpsest:type"),
    ]);
    expect(shown).toEqual([
      ["key", "Dictionary<Int32, Utf8>", "string"],
      ["src", "Dictionary<Int32, Utf8>", "string"],
      ["int", "Int64", "int"],
      ["double", "Float64", "double"],
      ["mixed", "Float64", "double"],
      ["flag", "Bool", "bool"],
      ["text", "Dictionary<Int32, Utf8>", "string"],
      ["json", "Utf8", "json"],
      ["valid_from", "Timestamp<MICROSECOND, UTC>", "instant"],
      ["valid_to", "Timestamp<MICROSECOND, UTC>", "instant_open"],
      ["held", "Duration<MICROSECOND>", "duration"],
      ["nothing", "Utf8", "null"],
    ]);
    // FOREVER is null.
    expect(table.getChild("valid_to")!.nullCount).toBe(12);
    expect(answer.rows.filter(({ valid_to }) => valid_to === null).length).toBe(12);
  });

  it("is the same through IPC, by an answer that was awaited, and of other kinds of statements", async () => {
    const answer = await db.query(ALL);
    const table = await answer.toArrow();
    expect(Object.keys(answer)).not.toContain("toArrow");
    expect(rowsOf(table)).toEqual(answer.rows);
    expect(rowsOf(tableFromIPC(tableToIPC(table, "stream")))).toEqual(answer.rows);
    expect(rowsOf(tableFromIPC(tableToIPC(table, "file")))).toEqual(answer.rows);
    const shown = await db.query("SHOW PROPERTIES OF T");
    expect(rowsOf(await db.query("SHOW PROPERTIES OF T").toArrow())).toEqual(shown.rows);
    expect(
      (await db.query("SELECT e.int FROM EDGES(T) AS e WHERE e.int > 1000000 AND e.int < 1000001").toArrow()).numRows,
    ).toBe(0);
  });

  it.each([1, 3, 8, 16, 36, 37, 1000])(
    "comes in batches of %i rows, which share the arrays of the answer",
    async (rowsPerBatch) => {
      const { rows } = await db.query(ALL);
      const batches: RecordBatch[] = [];
      for await (const batch of db.query(ALL).recordBatches({ rowsPerBatch })) batches.push(batch);
      expect(batches.length).toBe(Math.ceil(ROWS / rowsPerBatch));
      expect(batches.every(({ numRows }) => numRows <= rowsPerBatch)).toBe(true);
      expect(rowsOf(new Table(batches))).toEqual(rows);
      for (const name of ["int", "double", "valid_from", "valid_to", "held"]) {
        const buffers = new Set(batches.map((batch) => batch.getChild(name)!.data[0]!.values.buffer));
        expect(buffers.size, name).toBe(1);
      }
      const writer = RecordBatchStreamWriter.writeAll(batches);
      expect(rowsOf(tableFromIPC(await writer.toUint8Array()))).toEqual(rows);
    },
  );

  it("writes integers that no double holds among doubles as JSON", async () => {
    const wide = { rows: Uint32Array.of(1, 3), values: BigInt64Array.of(9_007_199_254_740_993n, -(2n ** 63n)) };
    const column = {
      type: "double" as const,
      values: Float64Array.of(0.5, 2 ** 53, 0, -(2 ** 63), 1e300),
      valid: Uint8Array.of(27),
      wide,
    };
    const table = await arrowTable({ rowCount: 5, columns: [{ name: "x", column }] }, [{ name: "x", type: "double" }]);
    expect(rowsOf(table).map(({ x }) => x)).toEqual([0.5, 9_007_199_254_740_993n, null, -(2n ** 63n), 1e300]);
    expect(table.schema.fields[0]!.metadata.get("palimpsest:type")).toBe("double");
  });

  it("holds lists of texts as lists, and cuts batches where texts grow long", async () => {
    const lists = {
      type: "json" as const,
      codes: Int32Array.of(0, -1, 1, 0, 2),
      dictionary: ['["a","ü"]', "[]", '["a",null,"b"]'],
    };
    const long = {
      type: "json" as const,
      codes: Int32Array.of(0, 1, 0, 1, 0),
      dictionary: [JSON.stringify("x".repeat(98)), "1"],
    };
    const table = {
      rowCount: 5,
      columns: [
        { name: "labels", column: lists },
        { name: "long", column: long },
      ],
    };
    const types = [
      { name: "labels", type: "list(string)" },
      { name: "long", type: "json" },
    ];
    const batches: RecordBatch[] = [];
    for await (const batch of arrowBatches(table, types, { rows: 100, textBytes: 120 })) batches.push(batch);
    expect(batches.map(({ numRows }) => numRows)).toEqual([2, 2, 1]);
    const labels = tableFromIPC(tableToIPC(new Table(batches))).getChild("labels")!;
    const shown = Array.from({ length: 5 }, (_, row) => (labels.get(row) === null ? null : [...labels.get(row)]));
    expect(shown).toEqual([["a", "ü"], null, [], ["a", "ü"], ["a", null, "b"]]);
  });

  it("has the texts of pieces row by row, in whichever order their dictionary has them", async () => {
    const dictionary = Array.from({ length: 21 }, (_, i) => (i === 7 ? "" : `ü${i}`.repeat(i)));
    const ascending = dictionary.map((_, i) => i);
    const orders = {
      ascending,
      descending: ascending.toReversed(),
      gaps: ascending.map((i) => (i % 3 === 0 ? -1 : i)),
      shorter: ascending.slice(0, 9),
      longer: [...ascending, 0],
    };
    const types = [{ name: "text", type: "string" }];
    for (const [order, codes] of Object.entries(orders)) {
      const column = { type: "string" as const, codes: Int32Array.from(codes), dictionary };
      const table = { rowCount: codes.length, columns: [{ name: "text", column }] };
      for (const [rows, textBytes] of [
        [10, 1],
        [10, 200],
        [10, 1 << 20],
        [1000, 1 << 20],
      ] as const) {
        const pieces = (async function* () {
          yield table;
        })();
        const batches: RecordBatch[] = [];
        for await (const batch of arrowBatchesOfPieces(pieces, types, { rows, textBytes })) batches.push(batch);
        expect(Math.max(...batches.map(({ numRows }) => numRows))).toBeLessThanOrEqual(rows);
        const texts = tableFromIPC(tableToIPC(new Table(batches))).getChild("text")!;
        expect([...texts], order).toEqual(codes.map((code) => dictionary[code] ?? null));
        expect(texts.nullCount).toBe(codes.filter((code) => code < 0).length);
      }
    }
  });

  it("begins with a schema where there are no rows, and ends when it is left", async () => {
    const none = "SELECT e.key, e.valid_to FROM EDGES(T) AS e WHERE e.key = 'none'";
    const batches: RecordBatch[] = [];
    for await (const batch of db.query(none).recordBatches()) batches.push(batch);
    expect(batches.map(({ numRows }) => numRows)).toEqual([0]);
    expect(batches[0]!.schema.fields.map(({ type }) => type.typeId)).toEqual([Type.Dictionary, Type.Timestamp]);
    for await (const batch of db.query(ALL).recordBatches({ rowsPerBatch: 1 })) {
      expect(batch.numRows).toBe(1);
      break;
    }
    await expect(db.query(ALL).recordBatches({ rowsPerBatch: 0 }).next()).rejects.toMatchObject({
      code: "E_INVALID_ARG",
    });
    await expect(db.query("SELECT").toArrow()).rejects.toMatchObject({ code: "E_SYNTAX" });
  });
});
