// A table as DuckDB scans it: chunk by chunk out of typed arrays, the columns a statement reads and the place of each row.
// Called back by DuckDB while a statement runs; one chunk takes far less than a turn of the event loop may.
import type { ColumnTable, DoubleColumn, WordColumn } from "../../columns/column.js";
import { WordWriter } from "../../columns/words.js";
import { internalError, PalimpsestError } from "../../contract/errors.js";
import { Pace } from "../../event-loop/pace.js";
import type { SchemaColumn } from "../schema.js";
import { scalarOf } from "../types.js";
import { type Bindings, type DataChunk, TYPE, VECTOR_ROWS, type Vector } from "./bindings.js";
import { type DuckDictionary, duckDictionary, WORDS_PER_TEXT } from "./dictionary.js";

type Writer = (vector: Vector, from: number, count: number) => void;

export interface Feed {
  readonly rowCount: number;
  /** The types of DuckDB, the place of the row last. */
  readonly typeIds: readonly number[];
  readonly writers: readonly Writer[];
}

const DUCK_TYPE: Readonly<Record<string, number>> = {
  bool: TYPE.boolean,
  double: TYPE.double,
  string: TYPE.varchar,
  json: TYPE.varchar,
};
const typeIdOf = ({ type }: SchemaColumn): number => DUCK_TYPE[scalarOf(type)] ?? TYPE.bigint;

const typeIdsOf = (columns: readonly SchemaColumn[]): number[] => [...columns.map(typeIdOf), TYPE.bigint];

/** Copies one bit per row; chunks begin at multiples of 2048 rows, so at whole bytes. */
function writeValidity(duck: Bindings, vector: Vector, valid: Uint8Array | null, from: number, count: number): void {
  if (valid === null) return;
  duck.vector_ensure_validity_writable(vector);
  duck.copy_data_to_vector_validity(
    vector,
    0,
    valid.buffer as ArrayBuffer,
    valid.byteOffset + from / 8,
    Math.ceil(count / 8),
  );
}

function fixedWriter(
  duck: Bindings,
  values: BigInt64Array | Float64Array | Uint8Array,
  valid: Uint8Array | null,
): Writer {
  const size = values.BYTES_PER_ELEMENT;
  return (vector, from, count) => {
    duck.copy_data_to_vector(vector, 0, values.buffer as ArrayBuffer, values.byteOffset + from * size, count * size);
    writeValidity(duck, vector, valid, from, count);
  };
}

function textWriter(duck: Bindings, codes: Int32Array, { words }: DuckDictionary): Writer {
  const texts = new Uint32Array(VECTOR_ROWS * WORDS_PER_TEXT);
  const valid = new Uint8Array(VECTOR_ROWS / 8);
  return (vector, from, count) => {
    let hasNull = false;
    for (let i = 0; i < count; i += 1) {
      const code = codes[from + i]!;
      const to = i * WORDS_PER_TEXT;
      if (code < 0) {
        if (!hasNull) valid.fill(255);
        hasNull = true;
        valid[i >> 3]! &= ~(1 << (i & 7));
        texts.fill(0, to, to + WORDS_PER_TEXT);
      } else {
        const at = code * WORDS_PER_TEXT;
        texts[to] = words[at]!;
        texts[to + 1] = words[at + 1]!;
        texts[to + 2] = words[at + 2]!;
        texts[to + 3] = words[at + 3]!;
      }
    }
    duck.copy_data_to_vector(vector, 0, texts.buffer, 0, count * WORDS_PER_TEXT * 4);
    if (hasNull) writeValidity(duck, vector, valid, 0, count);
  };
}

function noDouble(name: string, integer: bigint): PalimpsestError {
  return new PalimpsestError("E_INVALID_ARG", `${name}: no double is equal to ${integer}`, {
    details: { kind: "value" },
    hint: "leave the row out in WHERE, or show the column as it is: what is computed, grouped or joined is a double",
  });
}

const INTEGERS_AT_ONCE = 1024;

/** Integers among doubles must be some that a double is equal to. */
async function refuseWide({ wide, values }: DoubleColumn, name: string): Promise<void> {
  if (wide === undefined) return;
  const pace = new Pace();
  for (let i = 0; i < wide.values.length; i += 1) {
    const integer = wide.values[i]!;
    if (BigInt(values[wide.rows[i]!]!) !== integer) throw noDouble(name, integer);
    if (i % INTEGERS_AT_ONCE === 0 && pace.isDue) await pace.rest();
  }
}

/** A table whose schema says double may hold integers there: each must be one that a double is equal to. */
function widened(duck: Bindings, column: WordColumn, name: string): Writer {
  const numbers = new Float64Array(VECTOR_ROWS);
  return (vector, from, count) => {
    for (let i = 0; i < count; i += 1) {
      const word = column.values[from + i]!;
      numbers[i] = Number(word);
      if (BigInt(numbers[i]!) !== word) {
        throw noDouble(name, word);
      }
    }
    duck.copy_data_to_vector(vector, 0, numbers.buffer, 0, count * 8);
    writeValidity(duck, vector, column.valid, from, count);
  };
}

async function writerOf(duck: Bindings, table: ColumnTable, { name, type }: SchemaColumn): Promise<Writer> {
  const column = table.columns.find((each) => each.name === name)?.column;
  const wanted = scalarOf(type);
  if (column === undefined) {
    if (type.kind === "null") return nothing(duck, table.rowCount);
    throw internalError(new Error(`the table has no column ${name}`));
  }
  switch (column.type) {
    case "string":
    case "json":
      if (wanted !== "string" && wanted !== "json") break;
      return textWriter(duck, column.codes, await duckDictionary(duck, column.dictionary));
    case "bool":
      if (wanted !== "bool") break;
      return fixedWriter(duck, column.values, column.valid);
    case "double":
      if (wanted !== "double") break;
      await refuseWide(column, name);
      return fixedWriter(duck, column.values, column.valid);
    default:
      if (wanted === "double") return widened(duck, column, name);
      if (typeIdOf({ name, type }) === TYPE.bigint) return fixedWriter(duck, column.values, column.valid);
  }
  throw internalError(new Error(`the column ${name} holds ${column.type}, and its schema says ${wanted}`));
}

async function nothing(duck: Bindings, rowCount: number): Promise<Writer> {
  return textWriter(duck, new Int32Array(rowCount).fill(-1), await duckDictionary(duck, []));
}

function placeWriter(duck: Bindings): Writer {
  const places = new BigInt64Array(VECTOR_ROWS);
  const words = new WordWriter(places);
  return (vector, from, count) => {
    for (let i = 0; i < count; i += 1) words.set(i, from + i);
    duck.copy_data_to_vector(vector, 0, places.buffer, 0, count * 8);
  };
}

export async function feedOf(duck: Bindings, table: ColumnTable, columns: readonly SchemaColumn[]): Promise<Feed> {
  const writers: Writer[] = [];
  for (const column of columns) writers.push(await writerOf(duck, table, column));
  return { rowCount: table.rowCount, typeIds: typeIdsOf(columns), writers: [...writers, placeWriter(duck)] };
}

/** One scan of a feed: the columns that DuckDB asks for, from the first row to the last. */
export class Scan {
  private at = 0;

  constructor(
    private readonly duck: Bindings,
    private readonly feed: Feed,
    private readonly asked: readonly number[],
  ) {}

  fill(chunk: DataChunk): void {
    const count = Math.min(VECTOR_ROWS, this.feed.rowCount - this.at);
    for (let i = 0; i < this.asked.length && count > 0; i += 1) {
      // Where rows are only counted, DuckDB asks for a column that is none.
      this.feed.writers[this.asked[i]!]?.(this.duck.data_chunk_get_vector(chunk, i), this.at, count);
    }
    this.duck.data_chunk_set_size(chunk, count);
    this.at += count;
  }
}
