// Results of DuckDB as tables by columns: chunk by chunk, with a turn of the event loop in between.
// Lists and periods become JSON there, as tables hold them; their members have the form of answers.
import type { ColumnTable, NamedColumn } from "../../columns/column.js";
import { canonicalJson } from "../../contract/canonical.js";
import { formatDuration } from "../../contract/duration.js";
import { parseExact } from "../../contract/exact-json.js";
import { formatEnd } from "../../contract/instant.js";
import type { JsonValue } from "../../contract/values.js";
import { Pace } from "../../event-loop/pace.js";
import type { OutputColumn } from "../bound.js";
import { scalarOf, type TqlType } from "../types.js";
import type { Bindings, DuckResult, Vector } from "./bindings.js";
import { TextCodes } from "./text-codes.js";

const BITS_PER_WORD = 64;

const isValid = (validity: Uint8Array | null, row: number): boolean =>
  validity === null || ((validity[row >> 3]! >> (row & 7)) & 1) === 1;

class Reader {
  constructor(private readonly duck: Bindings) {}

  validity(vector: Vector, count: number): Uint8Array | null {
    return this.duck.vector_get_validity(vector, Math.ceil(count / BITS_PER_WORD) * 8) as Uint8Array | null;
  }

  words(vector: Vector, count: number): BigInt64Array {
    const bytes = this.duck.vector_get_data(vector, count * 8);
    return new BigInt64Array(bytes.buffer, bytes.byteOffset, count);
  }

  doubles(vector: Vector, count: number): Float64Array {
    const bytes = this.duck.vector_get_data(vector, count * 8);
    return new Float64Array(bytes.buffer, bytes.byteOffset, count);
  }

  bytes(vector: Vector, count: number): Uint8Array {
    return this.duck.vector_get_data(vector, count);
  }

  /** Reads text i of a vector; texts of up to 12 bytes lie in it, longer ones behind a pointer. */
  texts(vector: Vector, count: number): (row: number) => string {
    const data = this.duck.vector_get_data(vector, count * 16);
    const view = new DataView(data.buffer, data.byteOffset, count * 16);
    const own = Buffer.from(data.buffer, data.byteOffset, count * 16);
    return (row) => {
      const length = view.getUint32(row * 16, true);
      if (length <= 12) return own.toString("utf8", row * 16 + 4, row * 16 + 4 + length);
      const far = this.duck.get_data_from_pointer(data.buffer as ArrayBuffer, data.byteOffset + row * 16 + 8, length);
      return Buffer.from(far.buffer, far.byteOffset, length).toString("utf8");
    };
  }

  /** Reads value i of a vector of any type in the form of answers; for members of lists, and periods. */
  values(vector: Vector, type: TqlType, count: number): (row: number) => JsonValue {
    const validity = this.validity(vector, count);
    const value = this.validValues(vector, type, count);
    return (row) => (isValid(validity, row) ? value(row) : null);
  }

  private validValues(vector: Vector, type: TqlType, count: number): (row: number) => JsonValue {
    switch (type.kind) {
      case "bool": {
        const bytes = this.bytes(vector, count);
        return (row) => bytes[row] === 1;
      }
      case "double": {
        const doubles = this.doubles(vector, count);
        return (row) => doubles[row]!;
      }
      case "string":
        return this.texts(vector, count);
      case "list": {
        const places = this.words(vector, count * 2);
        const child = this.duck.list_vector_get_child(vector);
        const member = this.values(child, type.of, this.duck.list_vector_get_size(vector));
        return (row) => {
          const from = Number(places[2 * row]);
          return Array.from({ length: Number(places[2 * row + 1]) }, (_, i) => member(from + i));
        };
      }
      case "period": {
        const [from, to] = [0, 1].map((i) => this.words(this.duck.struct_vector_get_child(vector, i), count));
        return (row) => ({ from: formatEnd(from![row]!), to: formatEnd(to![row]!) });
      }
      case "int":
      case "instant":
      case "instant_open":
      case "duration": {
        const words = this.words(vector, count);
        return (row) => wordValue(words[row]!, type);
      }
      default: {
        const text = this.texts(vector, count);
        return (row) => parseExact(text(row));
      }
    }
  }
}

/** An int64 of a column in the form of answers. */
function wordValue(word: bigint, type: { readonly kind: string }): JsonValue {
  if (type.kind === "duration") return formatDuration(word);
  if (type.kind !== "int") return formatEnd(word);
  const small = Number(word);
  return Number.isSafeInteger(small) ? small : word;
}

/** Takes rows `from` to `to` of a vector. */
type Filler = (from: number, to: number) => void;
interface Filling {
  /** Takes the rows of a vector of `count` rows, which begins at row `at` of the result: at once, or by the filler. */
  readonly read: (vector: Vector, at: number, count: number) => Filler | null;
  readonly column: () => NamedColumn["column"];
}

/** Bits of rows that have a value; none are kept while all have one. */
class Bits {
  private bits: Uint8Array | null = null;

  constructor(private readonly rowCount: number) {}

  take(validity: Uint8Array | null, at: number, count: number): void {
    if (validity === null) return;
    this.bits ??= new Uint8Array(Math.ceil(this.rowCount / 8)).fill(255);
    for (let row = 0; row < count; row += 1) {
      if (!isValid(validity, row)) this.bits[(at + row) >> 3]! &= ~(1 << ((at + row) & 7));
    }
  }

  get all(): Uint8Array | null {
    return this.bits;
  }
}

function textFilling(reader: Reader, type: TqlType, rowCount: number): Filling {
  const codes = new Int32Array(rowCount);
  const dictionary: string[] = [];
  const known = new TextCodes();
  const add = (text: string): void => {
    dictionary.push(type.kind === "json" ? canonicalJson(parseExact(text)) : text);
  };
  const isText = type.kind === "string" || type.kind === "json" || type.kind === "null";
  const textOf = (vector: Vector, count: number): ((row: number) => string | null) => {
    const validity = reader.validity(vector, count);
    const text = isText ? reader.texts(vector, count) : null;
    if (text !== null) return (row) => (isValid(validity, row) ? text(row) : null);
    const value = reader.values(vector, type, count);
    return (row) => (isValid(validity, row) ? canonicalJson(value(row)) : null);
  };
  const read = (vector: Vector, at: number, count: number): Filler => {
    const text = textOf(vector, count);
    return (from, to) => {
      for (let row = from; row < to; row += 1) {
        const found = text(row);
        codes[at + row] = found === null ? -1 : known.codeOf(found, add);
      }
    };
  };
  return { read, column: () => ({ type: type.kind === "string" ? "string" : "json", codes, dictionary }) };
}

/** A column whose values are copied as they are. */
function copying(copy: (vector: Vector, at: number, count: number) => void, column: Filling["column"]): Filling {
  return {
    read: (vector, at, count) => {
      copy(vector, at, count);
      return null;
    },
    column,
  };
}

function filling(reader: Reader, type: TqlType, rowCount: number): Filling {
  const scalar = scalarOf(type);
  const valid = new Bits(rowCount);
  switch (scalar) {
    case "string":
    case "json":
      return textFilling(reader, type, rowCount);
    case "bool": {
      const values = new Uint8Array(rowCount);
      const copy = (vector: Vector, at: number, count: number): void => {
        values.set(reader.bytes(vector, count), at);
        valid.take(reader.validity(vector, count), at, count);
      };
      return copying(copy, () => ({ type: scalar, values, valid: valid.all }));
    }
    case "double": {
      const values = new Float64Array(rowCount);
      const copy = (vector: Vector, at: number, count: number): void => {
        values.set(reader.doubles(vector, count), at);
        valid.take(reader.validity(vector, count), at, count);
      };
      return copying(copy, () => ({ type: scalar, values, valid: valid.all }));
    }
    default: {
      const values = new BigInt64Array(rowCount);
      const copy = (vector: Vector, at: number, count: number): void => {
        values.set(reader.words(vector, count), at);
        valid.take(reader.validity(vector, count), at, count);
      };
      return copying(copy, () => ({ type: scalar, values, valid: valid.all }));
    }
  }
}

/** Rows between two looks at the clock: the values of lists and JSON are made one by one. */
const ROWS_AT_ONCE = 256;

/** A whole result by columns. */
export async function readResult(
  duck: Bindings,
  result: DuckResult,
  columns: readonly OutputColumn[],
): Promise<ColumnTable> {
  const rowCount = duck.row_count(result);
  const reader = new Reader(duck);
  const fillings = columns.map(({ type }) => filling(reader, type, rowCount));
  const chunks = duck.result_chunk_count(result);
  const pace = new Pace();
  let at = 0;
  for (let i = 0; i < chunks; i += 1) {
    const chunk = duck.result_get_chunk(result, i);
    const count = duck.data_chunk_get_size(chunk);
    for (const [k, { read }] of fillings.entries()) {
      const fill = read(duck.data_chunk_get_vector(chunk, k), at, count);
      for (let from = 0; fill !== null && from < count; from += ROWS_AT_ONCE) {
        fill(from, Math.min(from + ROWS_AT_ONCE, count));
        if (pace.isDue) await pace.rest();
      }
      if (pace.isDue) await pace.rest();
    }
    // Asked of the chunk again: what fillers read lies in it, so it must be reachable in every turn above.
    at += duck.data_chunk_get_size(chunk);
  }
  return { rowCount, columns: fillings.map(({ column }, i) => ({ name: columns[i]!.name, column: column() })) };
}
