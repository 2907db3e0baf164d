// Arrow as a table to read: tables and record batches in memory, and IPC data, as a stream or a file, from memory or disk.
import { open } from "node:fs/promises";
import { type RecordBatch, RecordBatchReader, type Schema, type Table } from "apache-arrow";
import { piecesOfBatch, wantedFields } from "../../columns/arrow/given-batches.js";
import type { GivenPiece } from "../../columns/given.js";
import { PalimpsestError } from "../../contract/errors.js";
import { Pace } from "../../event-loop/pace.js";
import { fileBytes } from "../byte-source.js";
import type { LocalZone } from "../zones.js";
import { checkBytesEnd, checkFileEnd } from "./arrow-end.js";
import type { TableReader } from "./table-reader.js";

export interface ArrowReaderOptions {
  /** How messages name the table. */
  readonly name: string;
  /** What a timestamp without zone means; null: it is refused. */
  readonly zone: LocalZone | null;
  readonly rowsPerPiece: number;
}

type Batches = AsyncIterator<RecordBatch> | Iterator<RecordBatch>;

function notArrow(name: string, error: unknown): PalimpsestError {
  if (error instanceof PalimpsestError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new PalimpsestError("E_INVALID_ARG", `${name}: no Arrow data, or not all of it: ${reason}`, {
    details: { file: name, reason },
    hint: "give an Arrow IPC stream or file, uncompressed",
    cause: error,
  });
}

class ArrowReader implements TableReader {
  readonly rowCount = null;
  private batchesGiven = 0;

  constructor(
    private readonly options: ArrowReaderOptions,
    private readonly schema: Schema,
    private readonly batches: Batches,
    private readonly end: () => Promise<void>,
    /** Of all the data; null where only reading on tells. */
    private readonly batchCount: number | null = null,
  ) {}

  get shareGiven(): number | null {
    return this.batchCount === null ? null : this.batchesGiven / Math.max(1, this.batchCount);
  }

  get name(): string {
    return this.options.name;
  }
  get columns(): readonly string[] {
    return this.schema.fields.map(({ name }) => name);
  }

  async *pieces(wanted: readonly string[]): AsyncGenerator<GivenPiece, void, undefined> {
    const { zone, rowsPerPiece } = this.options;
    const local = zone === null ? null : (us: bigint) => zone.instantOf(us);
    const options = { wanted, local, rowsPerPiece };
    const fields = wantedFields(this.schema, options);
    const pace = new Pace();
    for (let next = await this.next(); next.done !== true; next = await this.next()) {
      for (const piece of piecesOfBatch(next.value, this.schema, fields, options)) {
        yield piece;
        if (pace.isDue) await pace.rest();
      }
      this.batchesGiven += 1;
    }
  }

  private async next(): Promise<IteratorResult<RecordBatch>> {
    try {
      return await this.batches.next();
    } catch (error) {
      throw notArrow(this.name, error);
    }
  }

  close(): Promise<void> {
    return this.end();
  }
}

const nothing = async (): Promise<void> => {};

/** A table in memory: a Table, a RecordBatch, or either of their likes of another copy of the library. */
function ofBatches(schema: Schema, batches: Batches, options: ArrowReaderOptions): TableReader {
  return new ArrowReader(options, schema, batches, nothing);
}

export function tableReader(
  { schema, batches }: Pick<Table, "schema" | "batches">,
  options: ArrowReaderOptions,
): TableReader {
  return ofBatches(schema, batches[Symbol.iterator](), options);
}

/** Batches one after the other; `first` says what the columns are. */
export function batchReader(
  first: RecordBatch,
  batches: AsyncIterable<RecordBatch>,
  options: ArrowReaderOptions,
): TableReader {
  const items = batches[Symbol.asyncIterator]();
  return new ArrowReader(options, first.schema, items, async () => {
    await items.return?.();
  });
}

/** IPC data in memory, as a stream or a file. */
export function bytesReader(bytes: Uint8Array, options: ArrowReaderOptions): TableReader {
  try {
    checkBytesEnd(options.name, bytes);
    const reader = RecordBatchReader.from(bytes).open();
    if (reader.schema === undefined || reader.schema.fields.length === 0) throw new Error("it has no columns");
    return ofBatches(reader.schema, reader[Symbol.iterator](), options);
  } catch (error) {
    throw notArrow(options.name, error);
  }
}

/** A file of IPC data, read batch by batch. */
export async function fileReader(file: string, options: ArrowReaderOptions): Promise<TableReader> {
  const byteCount = await fileBytes(file);
  const handle = await open(file, "r").catch((error: Error) => {
    throw new PalimpsestError("E_IO", `${file}: ${error.message}`, { details: { file }, cause: error });
  });
  try {
    await checkFileEnd(options.name, byteCount, async (from, to) => {
      const { bytesRead, buffer } = await handle.read(new Uint8Array(to - from), 0, to - from, from);
      return buffer.subarray(0, bytesRead);
    });
    const reader = await (await RecordBatchReader.from(handle)).open();
    if (reader.schema === undefined || reader.schema.fields.length === 0) throw new Error("it has no columns");
    const batches = (reader as AsyncIterable<RecordBatch>)[Symbol.asyncIterator]();
    const batchCount = reader.isFile() ? reader.numRecordBatches : null;
    return new ArrowReader(options, reader.schema, batches, () => handle.close(), batchCount);
  } catch (error) {
    await handle.close();
    throw notArrow(file, error);
  }
}
