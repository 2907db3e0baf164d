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

  /** Values of any type in the form of answers; for members of lists, and periods. */
  values(vector: Vector, type: TqlType, count: number): JsonValue[] {
    const validity = this.validity(vector, count);
    const each = (value: (row: number) => JsonValue): JsonValue[] =>
      Array.from({ length: count }, (_, row) => (isValid(validity, row) ? value(row) : null));
    switch (type.kind) {
      case "bool": {
        const bytes = this.bytes(vector, count);
        return each((row) => bytes[row] === 1);
      }
      case "double": {
        const doubles = this.doubles(vector, count);
        return each((row) => doubles[row]!);
      }
      case "string": {
        const text = this.texts(vector, count);
        return each(text);
      }
      case "list": {
        const places = this.words(vector, count * 2);
        const members = this.values(
          this.duck.list_vector_get_child(vector),
          type.of,
          this.duck.list_vector_get_size(vector),
        );
        return each((row) => {
          const from = Number(places[2 * row]);
          return members.slice(from, from + Number(places[2 * row + 1]));
        });
      }
      case "period": {
        const [from, to] = [0, 1].map((i) => this.words(this.duck.struct_vector_get_child(vector, i), count));
        return each((row) => ({ from: formatEnd(from![row]!), to: formatEnd(to![row]!) }));
      }
      case "int":
      case "instant":
      case "instant_open":
      case "duration": {
        const words = this.words(vector, count);
        return each((row) => wordValue(words[row]!, type));
      }
      default: {
        const text = this.texts(vector, count);
        return each((row) => parseExact(text(row)));
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

type Filler = (vector: Vector, at: number, count: number) => void;
interface Filling {
  readonly fill: Filler;
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
  const known = new Map<string, number>();
  const codeOf = (text: string): number => {
    let code = known.get(text);
    if (code === undefined) {
      code = dictionary.length;
      known.set(text, code);
      dictionary.push(type.kind === "json" ? canonicalJson(parseExact(text)) : text);
    }
    return code;
  };
  const fill: Filler = (vector, at, count) => {
    if (type.kind === "string" || type.kind === "json" || type.kind === "null") {
      const validity = reader.validity(vector, count);
      const text = reader.texts(vector, count);
      for (let row = 0; row < count; row += 1) codes[at + row] = isValid(validity, row) ? codeOf(text(row)) : -1;
    } else {
      for (const [row, value] of reader.values(vector, type, count).entries()) {
        codes[at + row] = value === null ? -1 : codeOf(canonicalJson(value));
      }
    }
  };
  return { fill, column: () => ({ type: type.kind === "string" ? "string" : "json", codes, dictionary }) };
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
      const fill: Filler = (vector, at, count) => {
        values.set(reader.bytes(vector, count), at);
        valid.take(reader.validity(vector, count), at, count);
      };
      return { fill, column: () => ({ type: scalar, values, valid: valid.all }) };
    }
    case "double": {
      const values = new Float64Array(rowCount);
      const fill: Filler = (vector, at, count) => {
        values.set(reader.doubles(vector, count), at);
        valid.take(reader.validity(vector, count), at, count);
      };
      return { fill, column: () => ({ type: scalar, values, valid: valid.all }) };
    }
    default: {
      const values = new BigInt64Array(rowCount);
      const fill: Filler = (vector, at, count) => {
        values.set(reader.words(vector, count), at);
        valid.take(reader.validity(vector, count), at, count);
      };
      return { fill, column: () => ({ type: scalar, values, valid: valid.all }) };
    }
  }
}

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
    for (const [k, { fill }] of fillings.entries()) {
      fill(duck.data_chunk_get_vector(chunk, k), at, count);
      if (pace.isDue) await pace.rest();
    }
    at += count;
  }
  return { rowCount, columns: fillings.map(({ column }, i) => ({ name: columns[i]!.name, column: column() })) };
}
