// Columns of every class of property, by hand: what each becomes, how it reads back and how it prints.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type {
  BoolColumn,
  Column,
  ColumnTable,
  DoubleColumn,
  TextColumn,
  WordColumn,
} from "../../src/columns/column.js";
import { columnsOfRows } from "../../src/columns/columns-of-rows.js";
import { rowBytes } from "../../src/columns/row-bytes.js";
import { rowsOfColumns } from "../../src/columns/rows-of-columns.js";
import { canonicalJson } from "../../src/contract/canonical.js";
import { OPEN_END_US } from "../../src/contract/instant.js";
import type { JsonObject } from "../../src/contract/values.js";
import { callOperator } from "../../src/operators/pipeline.js";
import type { CaseStore } from "../conformance/cases.js";
import { nativeCaseStore } from "../support/native-case-store.js";

const PROPS: readonly JsonObject[] = [
  { int: 1, double: 0.5, mixed: 1, any: 1, bool: true, text: "", json: [1, { a: "ü" }], wide: 9007199254740993n },
  {
    int: -(2n ** 63n),
    double: 1e300,
    mixed: 2.5,
    any: "1",
    bool: false,
    text: "naïve \u{1f600}\n",
    json: {},
    wide: 0.25,
  },
  { int: 2n ** 63n - 1n, double: -0.125, mixed: 2n ** 60n, any: [1], text: 'a"b\\c', wide: 2 },
  { int: 0, mixed: 1e21, any: 0.1, bool: true, text: "", wide: -(2n ** 63n) },
];

let store: CaseStore;
let table: ColumnTable;
let rows: readonly JsonObject[];

const text = (of: ColumnTable): string =>
  [...rowBytes(of)].map((piece) => Buffer.from(piece).toString("utf8")).join("");

function column(name: string): Column {
  return table.columns.find((each) => each.name === `props.${name}`)!.column;
}

beforeAll(async () => {
  store = await nativeCaseStore();
  const ops = PROPS.map((props, i) => ({
    op: "assert_edge",
    src: "a",
    type: "T",
    dst: `b${i}`,
    valid_from: `2020-01-0${i + 1}`,
    props,
  }));
  await store.write(ops as unknown as Record<string, unknown>[], "2021-01-01T00:00:00Z");
  const columns = ["int", "double", "mixed", "any", "bool", "text", "json", "wide", "never"].map((n) => `props.${n}`);
  const envelope = await callOperator(store.engine, "scan", { of: "edges", columns: ["dst", "valid_to", ...columns] });
  rows = envelope.rows!;
  const pinned = store.engine.pin(1);
  const limits = { signal: undefined, deadlineMs: Number.POSITIVE_INFINITY, stepCeiling: Number.MAX_SAFE_INTEGER };
  const context = { tx: 1, otherTx: 1, list: null, ordinal: 0, limit: 100, ...limits };
  table = await pinned.scanColumns!(envelope.args, context);
  pinned.release();
});
afterAll(() => store.close());

describe("columns of properties", () => {
  it("have the type of their class", () => {
    const types = table.columns.map(({ column: { type } }) => type);
    expect(types).toEqual([
      "string",
      "instant_open",
      "int",
      "double",
      "double",
      "json",
      "bool",
      "string",
      "json",
      "double",
      "json",
    ]);
  });

  it("keep every digit of int64", () => {
    const { values, valid } = column("int") as WordColumn;
    expect([...values]).toEqual([1n, -(2n ** 63n), 2n ** 63n - 1n, 0n]);
    expect(valid).toBeNull();
  });

  it("say which doubles are integers beyond 2^53", () => {
    const { values, wide } = column("wide") as DoubleColumn;
    expect([...values]).toEqual([9007199254740992, 0.25, 2, -(2 ** 63)]);
    expect([...wide!.rows]).toEqual([0, 3]);
    expect([...wide!.values]).toEqual([9007199254740993n, -(2n ** 63n)]);
  });

  it("mark rows without a value", () => {
    const { values, valid } = column("bool") as BoolColumn;
    expect([...values]).toEqual([1, 0, 0, 1]);
    expect([...valid!]).toEqual([0b1011]);
    const { codes, dictionary } = column("text") as TextColumn;
    expect([...codes]).toEqual([0, 1, 2, 0]);
    expect(dictionary).toEqual(["", "naïve \u{1f600}\n", 'a"b\\c']);
    expect([...(column("never") as TextColumn).codes]).toEqual([-1, -1, -1, -1]);
  });

  it("give values of several classes as JSON", () => {
    const { codes, dictionary } = column("any") as TextColumn;
    expect([...codes].map((code) => dictionary[code])).toEqual(["1", '"1"', "[1]", "0.1"]);
  });

  it("hold an open end as a value", () => {
    const { values, valid } = table.columns[1]!.column as WordColumn;
    expect([...values]).toEqual([OPEN_END_US, OPEN_END_US, OPEN_END_US, OPEN_END_US]);
    expect(valid).toBeNull();
  });

  it("read back and print as the rows", async () => {
    expect(canonicalJson(rowsOfColumns(table, 0, 4))).toBe(canonicalJson(rows));
    expect(text(table)).toBe(canonicalJson(rows));
    const types = table.columns.map(({ name, column: { type } }) => ({ name, type }));
    expect(text(await columnsOfRows(rows, types))).toBe(canonicalJson(rows));
  });
});

describe("columns of rows", () => {
  it("read every form of instant that answers have", async () => {
    const instants = [
      "+10000-01-01T00:00:00Z",
      "-10000-01-01T00:00:00Z",
      "-0001-05-06T07:08:09.000001Z",
      "0000-01-01T00:00:00Z",
    ];
    const made = await columnsOfRows(
      instants.map((at) => ({ at, length: "PT1M0.5S" })),
      [
        { name: "at", type: "instant" },
        { name: "length", type: "duration" },
      ],
    );
    expect(rowsOfColumns(made, 0, 9).map(({ at }) => at)).toEqual(instants);
    expect(text(made)).toContain('"length":"PT1M0.5');
  });

  it("take a missing member for null", async () => {
    const made = await columnsOfRows([{ a: 1 }, {}], [{ name: "a", type: "int" }]);
    expect(rowsOfColumns(made, 0, 2)).toEqual([{ a: 1 }, { a: null }]);
    expect(text(await columnsOfRows([], [{ name: "a", type: "int" }]))).toBe("[]");
    expect(text(await columnsOfRows([{}, {}], []))).toBe("[{},{}]");
  });

  it.each([
    ["int", 0.5],
    ["string", 1],
    ["bool", "true"],
    ["double", "1"],
    ["instant", 5],
  ] as const)("refuse a value that is no %s", async (type, value) => {
    await expect(columnsOfRows([{ a: null }, { a: value }], [{ name: "a", type }])).rejects.toMatchObject({
      code: "E_SCHEMA",
      details: { path: "/rows/1/a" },
    });
  });
});
