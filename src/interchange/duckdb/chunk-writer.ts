// Tables by columns into chunks of DuckDB, of 2048 rows, for an appender: arrays are copied whole, texts by their codes.
// Writing into a vector's own memory is lost; everything goes through copies that DuckDB is told of.
import type { DataChunk, LogicalType, Vector } from "@duckdb/node-bindings";
import { bitsOfEnds } from "../../columns/arrow/bits.js";
import { textsOf, utf8Of } from "../../columns/arrow/texts.js";
import type { Column, ColumnTable, TextColumn, Utf8Texts, Validity } from "../../columns/column.js";
import { wideAt } from "../../columns/rows-of-columns.js";
import { canonicalNumber } from "../../contract/canonical.js";
import { internalError } from "../../contract/errors.js";
import { type Bindings, bindings, TYPE, VECTOR_ROWS } from "../../relational/duckdb/bindings.js";

/** How a column of ours stands in DuckDB. */
export type DuckForm = "int" | "double" | "bool" | "text" | "json" | "instant" | "texts";

export const SQL_TYPES: Readonly<Record<DuckForm, string>> = {
  int: "BIGINT",
  double: "DOUBLE",
  bool: "BOOLEAN",
  text: "VARCHAR",
  json: "JSON",
  instant: "TIMESTAMP WITH TIME ZONE",
  texts: "VARCHAR[]",
};

/** Durations are microseconds: an INTERVAL keeps milliseconds alone in Parquet. */
export function duckFormOf(type: string): DuckForm {
  switch (type) {
    case "int":
    case "duration":
      return "int";
    case "double":
    case "bool":
      return type;
    case "string":
      return "text";
    case "instant":
    case "instant_open":
      return "instant";
    case "list(string)":
      return "texts";
    default:
      return "json";
  }
}

/** Of DuckDB's enum. */
const TIMESTAMP_TZ = 31;
const WORDS_PER_TEXT = 4;
const INLINE_BYTES = 12;

function logicalType(duck: Bindings, form: DuckForm): LogicalType {
  const plain = (id: number): LogicalType => duck.create_logical_type(id);
  switch (form) {
    case "int":
      return plain(TYPE.bigint);
    case "double":
      return plain(TYPE.double);
    case "bool":
      return plain(TYPE.boolean);
    case "instant":
      return plain(TIMESTAMP_TZ);
    case "texts":
      return duck.create_list_type(plain(TYPE.varchar));
    default:
      return plain(TYPE.varchar);
  }
}

/** Texts as DuckDB holds them: 16 bytes each, short ones inside, long ones behind a pointer into what `owner` holds. */
interface DuckTexts {
  readonly owner: Vector;
  readonly words: Uint32Array;
}

function duckTexts(duck: Bindings, { bytes, offsets }: Utf8Texts): DuckTexts {
  const count = offsets.length - 1;
  const words = new Uint32Array(count * WORDS_PER_TEXT);
  const inline = new Uint8Array(words.buffer);
  const long: number[] = [];
  for (let i = 0; i < count; i += 1) {
    const from = offsets[i]!;
    const length = offsets[i + 1]! - from;
    if (length > INLINE_BYTES) {
      long.push(i);
      continue;
    }
    words[i * WORDS_PER_TEXT] = length;
    const at = i * 16 + 4;
    for (let k = 0; k < length; k += 1) inline[at + k] = bytes[from + k]!;
  }
  const owner = duck.create_vector(duck.create_logical_type(TYPE.varchar), Math.max(1, long.length));
  for (const [k, i] of long.entries()) {
    duck.vector_assign_string_element_len(owner, k, bytes.subarray(offsets[i]!, offsets[i + 1]!));
  }
  if (long.length > 0) {
    const held = duck.vector_get_data(owner, long.length * 16);
    const far = new Uint32Array(held.buffer, held.byteOffset, long.length * WORDS_PER_TEXT);
    for (const [k, i] of long.entries()) {
      words.set(far.subarray(k * WORDS_PER_TEXT, (k + 1) * WORDS_PER_TEXT), i * WORDS_PER_TEXT);
    }
  }
  return { owner, words };
}

type Writer = (vector: Vector, from: number, count: number) => void;

/** Chunks begin at multiples of 2048 rows, so at whole bytes. */
function writeValidity(duck: Bindings, vector: Vector, valid: Validity, from: number, count: number): void {
  if (valid === null) return;
  duck.vector_ensure_validity_writable(vector);
  const at = valid.byteOffset + from / 8;
  duck.copy_data_to_vector_validity(vector, 0, valid.buffer as ArrayBuffer, at, Math.ceil(count / 8));
}

function fixedWriter(duck: Bindings, values: BigInt64Array | Float64Array | Uint8Array, valid: Validity): Writer {
  const size = values.BYTES_PER_ELEMENT;
  return (vector, from, count) => {
    duck.copy_data_to_vector(vector, 0, values.buffer as ArrayBuffer, values.byteOffset + from * size, count * size);
    writeValidity(duck, vector, valid, from, count);
  };
}

/** The words of the texts of some rows, and which rows have one. */
function wordsByCode(codes: Int32Array, from: number, count: number, { words }: DuckTexts) {
  const out = new Uint32Array(count * WORDS_PER_TEXT);
  let valid: Uint8Array | null = null;
  for (let i = 0; i < count; i += 1) {
    const code = codes[from + i]!;
    if (code < 0) {
      valid ??= new Uint8Array(VECTOR_ROWS / 8).fill(255);
      valid[i >> 3]! &= ~(1 << (i & 7));
      continue;
    }
    const at = code * WORDS_PER_TEXT;
    const to = i * WORDS_PER_TEXT;
    out[to] = words[at]!;
    out[to + 1] = words[at + 1]!;
    out[to + 2] = words[at + 2]!;
    out[to + 3] = words[at + 3]!;
  }
  return { words: out, valid };
}

function textWriter(duck: Bindings, codes: Int32Array, texts: DuckTexts): Writer {
  return (vector, from, count) => {
    const { words, valid } = wordsByCode(codes, from, count, texts);
    duck.copy_data_to_vector(vector, 0, words.buffer, 0, count * 16);
    writeValidity(duck, vector, valid, 0, count);
  };
}

/** Lists of texts, of which a column has few different ones. */
async function listWriter(duck: Bindings, { codes, dictionary }: TextColumn): Promise<Writer> {
  const items = new Map<string, number>();
  const lists = dictionary.map((text) =>
    (JSON.parse(text) as (string | null)[]).map((item) => {
      if (item === null) return -1;
      if (!items.has(item)) items.set(item, items.size);
      return items.get(item)!;
    }),
  );
  const texts = duckTexts(duck, await utf8Of([...items.keys()]));
  return (vector, from, count) => {
    const entries = new BigUint64Array(count * 2);
    const members: number[] = [];
    const valid = new Uint8Array(VECTOR_ROWS / 8).fill(255);
    for (let i = 0; i < count; i += 1) {
      const code = codes[from + i]!;
      entries[2 * i] = BigInt(members.length);
      if (code < 0) valid[i >> 3]! &= ~(1 << (i & 7));
      else members.push(...lists[code]!);
      entries[2 * i + 1] = BigInt(members.length) - entries[2 * i]!;
    }
    duck.list_vector_reserve(vector, members.length);
    duck.list_vector_set_size(vector, members.length);
    const child = duck.list_vector_get_child(vector);
    const { words } = wordsByCode(Int32Array.from(members), 0, members.length, texts);
    const missing = members.flatMap((code, i) => (code < 0 ? [i] : []));
    if (members.length > 0) duck.copy_data_to_vector(child, 0, words.buffer, 0, members.length * 16);
    if (missing.length > 0) {
      const bits = new Uint8Array(Math.ceil(members.length / 64) * 8).fill(255);
      for (const i of missing) bits[i >> 3]! &= ~(1 << (i & 7));
      writeValidity(duck, child, bits, 0, members.length);
    }
    duck.copy_data_to_vector(vector, 0, entries.buffer, 0, count * 16);
    writeValidity(duck, vector, valid, 0, count);
  };
}

/** Doubles as JSON, where integers are among them that no double holds. */
async function wideTexts(column: Extract<Column, { type: "double" }>): Promise<TextColumn> {
  const { values, valid, wide } = column;
  const dictionary: string[] = [];
  const codes = new Int32Array(values.length).fill(-1);
  for (let row = 0; row < values.length; row += 1) {
    const place = wide === undefined ? -1 : wideAt(wide, row);
    if (place < 0 && valid !== null && ((valid[row >> 3]! >> (row & 7)) & 1) === 0) continue;
    codes[row] = dictionary.push(canonicalNumber(place < 0 ? values[row]! : wide!.values[place]!)) - 1;
  }
  return { type: "json", codes, dictionary };
}

async function writerOf(duck: Bindings, column: Column, form: DuckForm): Promise<Writer> {
  switch (column.type) {
    case "string":
    case "json":
      if (form === "texts") return listWriter(duck, column);
      return textWriter(duck, column.codes, duckTexts(duck, await textsOf(column)));
    case "double":
      if (form === "double") return fixedWriter(duck, column.values, column.valid);
      return writerOf(duck, await wideTexts(column), "json");
    case "instant_open":
      return fixedWriter(duck, column.values, bitsOfEnds(column.values, column.valid));
    case "bool":
    case "int":
    case "instant":
    case "duration":
      return fixedWriter(duck, column.values, column.valid);
    default:
      throw internalError(new Error("a column of an unknown type"));
  }
}

/** Gives the rows of tables that have these columns in chunks; a chunk is only good until the next. */
export class ChunkWriter {
  private readonly duck = bindings();
  private readonly chunk: DataChunk;

  constructor(private readonly forms: readonly DuckForm[]) {
    this.chunk = this.duck.create_data_chunk(forms.map((form) => logicalType(this.duck, form)));
  }

  /** `append` is called for every 2048 rows. */
  async write(table: ColumnTable, append: (chunk: DataChunk) => void, rest: () => Promise<void>): Promise<void> {
    const writers: Writer[] = [];
    for (const [i, { column }] of table.columns.entries())
      writers.push(await writerOf(this.duck, column, this.forms[i]!));
    for (let from = 0; from < table.rowCount; from += VECTOR_ROWS) {
      const count = Math.min(VECTOR_ROWS, table.rowCount - from);
      this.duck.data_chunk_reset(this.chunk);
      for (const [i, write] of writers.entries()) write(this.duck.data_chunk_get_vector(this.chunk, i), from, count);
      this.duck.data_chunk_set_size(this.chunk, count);
      append(this.chunk);
      await rest();
    }
  }
}
