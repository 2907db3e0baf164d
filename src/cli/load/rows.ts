// What events and nodes share: files of rows, of text or of typed columns, and how they begin.
import { PalimpsestError } from "../../contract/errors.js";
import type { TableFormat } from "../../interchange/formats.js";
import type { TableReader } from "../../interchange/tables/table-reader.js";
import type { Loading } from "./loading.js";
import type { FileOptions } from "./options.js";

/** Of a table by columns: a few milliseconds of work. */
const ROWS_PER_PIECE = 1 << 15;

export interface RowsLoading extends Loading {
  readonly options: FileOptions;
  /** Where the file has typed columns. */
  readonly table?: TableFormat;
}

/** Pulls the first item now, so that its refusal comes before anything else happens. */
export async function begun<T>(items: AsyncGenerator<T>, { file, refusals }: Loading): Promise<AsyncGenerator<T>> {
  const first = await items.next();
  if (first.done === true) {
    const reason = refusals.count > 0 ? "every record was refused" : "there is no row to take";
    throw new PalimpsestError("E_INVALID_ARG", `${file}: ${reason}`, { details: { file } });
  }
  return (async function* () {
    yield first.value;
    yield* items;
  })();
}

export function sourceOptions({ options, refusals, progress }: RowsLoading) {
  return { ...options, onRefusal: refusals.add, onRead: (bytes: number) => progress.read(bytes) };
}

/** Pieces end where batches do, unless a batch is longer than a piece: then it ends with one. */
export async function readerOf({ file, flags, options }: RowsLoading, table: TableFormat): Promise<TableReader> {
  const rowsPerPiece = Math.min(flags.batch ?? ROWS_PER_PIECE, ROWS_PER_PIECE);
  const { zone } = options.instants;
  if (table === "parquet") {
    const { parquetReader } = await import("../../interchange/tables/parquet-reader.js");
    return parquetReader(file, { zone, rowsPerPiece });
  }
  const { fileReader } = await import("../../interchange/tables/arrow-reader.js");
  return fileReader(file, { name: file, zone, rowsPerPiece });
}
