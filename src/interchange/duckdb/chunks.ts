// Chunks of a DuckDB result, of 2048 rows at most, gathered into pieces of columns. No row and no string is made.
import type { DataChunk, Vector } from "@duckdb/node-bindings";
import type { CellRefusal, GivenColumn, GivenPiece } from "../../columns/given.js";
import { type Bindings, bindings } from "../../relational/duckdb/bindings.js";
import { RefusedValue } from "../refusal.js";
import { TextColumn } from "../text-column.js";
import type { LocalZone } from "../zones.js";
import type { GivenSelect } from "./select-given.js";

const BITS_PER_WORD = 64;
const BYTES_PER_TEXT = 16;
const INLINE_BYTES = 12;

type Validity = Uint8Array | null;
const isSet = (bits: Validity, row: number): boolean => bits === null || ((bits[row >> 3]! >> (row & 7)) & 1) === 1;

function validityOf(duck: Bindings, vector: Vector, count: number): Validity {
  return duck.vector_get_validity(vector, Math.ceil(count / BITS_PER_WORD) * 8) as Validity;
}

/** One column over the chunks of a piece. */
interface Gatherer {
  take(vector: Vector, at: number, count: number): void;
  column(rowCount: number): GivenColumn;
}

/** Bits of rows with a value; none are kept while all have one. */
class Bits {
  private bits: Uint8Array | null = null;

  constructor(private readonly capacity: number) {}

  take(given: Validity, at: number, count: number): void {
    if (given === null) return;
    this.bits ??= new Uint8Array((this.capacity + 7) >> 3).fill(255);
    for (let row = 0; row < count; row += 1) {
      if (!isSet(given, row)) this.clear(at + row);
    }
  }

  clear(row: number): void {
    this.bits ??= new Uint8Array((this.capacity + 7) >> 3).fill(255);
    this.bits[row >> 3]! &= ~(1 << (row & 7));
  }

  get all(): Uint8Array | null {
    return this.bits;
  }
}

class Words implements Gatherer {
  private readonly values: BigInt64Array;
  private readonly valid: Bits;

  constructor(
    private readonly duck: Bindings,
    capacity: number,
    private readonly form: "int" | "instant" | "date" | "duration",
  ) {
    this.values = new BigInt64Array(capacity);
    this.valid = new Bits(capacity);
  }

  take(vector: Vector, at: number, count: number): void {
    const bytes = this.duck.vector_get_data(vector, count * 8);
    this.values.set(new BigInt64Array(bytes.buffer, bytes.byteOffset, count), at);
    this.valid.take(validityOf(this.duck, vector, count), at, count);
  }
  column(rowCount: number): GivenColumn {
    return { form: this.form, values: this.values.subarray(0, rowCount), valid: this.valid.all };
  }
}

/** Local times, which become instants row by row. */
class LocalTimes implements Gatherer {
  private readonly values: BigInt64Array;
  private readonly valid: Bits;

  constructor(
    private readonly duck: Bindings,
    capacity: number,
    private readonly zone: LocalZone,
    private readonly refuse: (row: number, reason: RefusedValue, us: bigint) => void,
  ) {
    this.values = new BigInt64Array(capacity);
    this.valid = new Bits(capacity);
  }

  take(vector: Vector, at: number, count: number): void {
    const bytes = this.duck.vector_get_data(vector, count * 8);
    const given = new BigInt64Array(bytes.buffer, bytes.byteOffset, count);
    const validity = validityOf(this.duck, vector, count);
    this.valid.take(validity, at, count);
    for (let row = 0; row < count; row += 1) {
      if (!isSet(validity, row)) continue;
      try {
        this.values[at + row] = this.zone.instantOf(given[row]!);
      } catch (error) {
        if (!(error instanceof RefusedValue)) throw error;
        this.refuse(at + row, error, given[row]!);
      }
    }
  }
  column(rowCount: number): GivenColumn {
    return { form: "instant", values: this.values.subarray(0, rowCount), valid: this.valid.all };
  }
}

class Doubles implements Gatherer {
  private readonly values: Float64Array;
  private readonly valid: Bits;

  constructor(
    private readonly duck: Bindings,
    capacity: number,
  ) {
    this.values = new Float64Array(capacity);
    this.valid = new Bits(capacity);
  }

  take(vector: Vector, at: number, count: number): void {
    const bytes = this.duck.vector_get_data(vector, count * 8);
    this.values.set(new Float64Array(bytes.buffer, bytes.byteOffset, count), at);
    this.valid.take(validityOf(this.duck, vector, count), at, count);
  }
  column(rowCount: number): GivenColumn {
    return { form: "double", values: this.values.subarray(0, rowCount), valid: this.valid.all };
  }
}

class Bools implements Gatherer {
  private readonly values: Uint8Array;
  private readonly valid: Bits;

  constructor(
    private readonly duck: Bindings,
    capacity: number,
  ) {
    this.values = new Uint8Array(capacity);
    this.valid = new Bits(capacity);
  }

  take(vector: Vector, at: number, count: number): void {
    const given = this.duck.vector_get_data(vector, count);
    for (let row = 0; row < count; row += 1) this.values[at + row] = given[row]! & 1;
    this.valid.take(validityOf(this.duck, vector, count), at, count);
  }
  column(rowCount: number): GivenColumn {
    return { form: "bool", values: this.values.subarray(0, rowCount), valid: this.valid.all };
  }
}

class Texts implements Gatherer {
  private readonly codes: Int32Array;
  private readonly texts = new TextColumn();

  constructor(
    private readonly duck: Bindings,
    capacity: number,
    private readonly form: "text" | "json",
  ) {
    this.codes = new Int32Array(capacity);
  }

  take(vector: Vector, at: number, count: number): void {
    const validity = validityOf(this.duck, vector, count);
    const data = this.duck.vector_get_data(vector, count * BYTES_PER_TEXT);
    const view = new DataView(data.buffer, data.byteOffset, count * BYTES_PER_TEXT);
    for (let row = 0; row < count; row += 1) {
      if (!isSet(validity, row)) {
        this.codes[at + row] = -1;
        this.texts.append(at + row, data, 0, 0);
        continue;
      }
      this.codes[at + row] = at + row;
      const from = row * BYTES_PER_TEXT;
      const length = view.getUint32(from, true);
      if (length <= INLINE_BYTES) this.texts.append(at + row, data, from + 4, from + 4 + length);
      else {
        const far = this.duck.get_data_from_pointer(data.buffer as ArrayBuffer, data.byteOffset + from + 8, length);
        this.texts.append(at + row, far, 0, length);
      }
    }
  }

  column(rowCount: number): GivenColumn {
    const { bytes, ends } = this.texts.take(rowCount);
    const offsets = new Int32Array(rowCount + 1);
    offsets.set(ends, 1);
    return { form: this.form, codes: this.codes.subarray(0, rowCount), texts: { bytes, offsets } };
  }
}

/** Texts that say what does not fit: mostly none. */
class Unfits {
  constructor(
    private readonly duck: Bindings,
    private readonly select: GivenSelect,
    private readonly refuse: (refusal: CellRefusal) => void,
  ) {}

  take(vector: Vector, at: number, count: number): void {
    const validity = validityOf(this.duck, vector, count);
    if (validity?.every((byte) => byte === 0)) return;
    const texts = new Texts(this.duck, count, "text");
    texts.take(vector, 0, count);
    const { codes, texts: found } = texts.column(count) as Extract<GivenColumn, { codes: Int32Array }>;
    const { name, reason, hint } = this.select;
    for (let row = 0; row < count; row += 1) {
      if (codes[row]! < 0) continue;
      const value = Buffer.from(found.bytes.subarray(found.offsets[row]!, found.offsets[row + 1]!)).toString("utf8");
      this.refuse({ row: at + row, column: name, value, reason, hint });
    }
  }
}

/** Gathers the chunks of a result whose columns are those of `selects`, each followed by its unfit values. */
export class PieceGatherer {
  private readonly duck = bindings();
  private readonly gatherers: Gatherer[];
  private readonly unfits: (Unfits | null)[];
  private readonly refusals: CellRefusal[] = [];
  rowCount = 0;

  constructor(
    private readonly selects: readonly GivenSelect[],
    capacity: number,
    zone: LocalZone | null,
  ) {
    this.gatherers = selects.map((select) => this.gatherer(select, capacity, zone));
    this.unfits = selects.map((select) =>
      select.unfit === null ? null : new Unfits(this.duck, select, (refusal) => this.refusals.push(refusal)),
    );
  }

  private gatherer({ form, name }: GivenSelect, capacity: number, zone: LocalZone | null): Gatherer {
    const { duck } = this;
    switch (form) {
      case "double":
        return new Doubles(duck, capacity);
      case "bool":
        return new Bools(duck, capacity);
      case "text":
      case "json":
      case "none":
        return new Texts(duck, capacity, form === "json" ? "json" : "text");
      case "local":
        return new LocalTimes(duck, capacity, zone!, (row, { reason, hint }, us) =>
          this.refusals.push({ row, column: name, value: `${us} us`, reason, hint }),
        );
      default:
        return new Words(duck, capacity, form);
    }
  }

  take(chunk: DataChunk): void {
    const count = this.duck.data_chunk_get_size(chunk);
    let place = 0;
    for (const [i, gatherer] of this.gatherers.entries()) {
      gatherer.take(this.duck.data_chunk_get_vector(chunk, place), this.rowCount, count);
      place += 1;
      const unfit = this.unfits[i];
      if (unfit === null || unfit === undefined) continue;
      unfit.take(this.duck.data_chunk_get_vector(chunk, place), this.rowCount, count);
      place += 1;
    }
    this.rowCount += count;
  }

  piece(): GivenPiece {
    const columns = new Map<string, GivenColumn>();
    for (const [i, { name, form }] of this.selects.entries()) {
      columns.set(name, form === "none" ? { form } : this.gatherers[i]!.column(this.rowCount));
    }
    return { rowCount: this.rowCount, columns, refusals: this.refusals };
  }
}
