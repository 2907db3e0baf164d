// A table of a store as a Parquet file, written by a DuckDB of our own that reaches that file and nothing else.
// Rows go in by columns and wait in its memory, or beside the file where there are too many, until the file is made.
import { open, rm } from "node:fs/promises";
import { resolve } from "node:path";
import type { ColumnTable } from "../../columns/column.js";
import { PalimpsestError } from "../../contract/errors.js";
import { type AppendedColumn, appendPieces, createTable } from "../duckdb/append-table.js";
import { exportedColumns } from "../duckdb/exported-columns.js";
import { privateConnection } from "../duckdb/private-connection.js";
import { quotedText } from "../duckdb/select-given.js";
import { temporaryName } from "../temporary-name.js";
import { putInPlace } from "./put-in-place.js";
import type { StoreTable } from "./tables.js";

function cannotWrite(path: string, error: unknown): PalimpsestError {
  if (error instanceof PalimpsestError) return error;
  const message = (error instanceof Error ? error.message : String(error)).split("\n")[0]!;
  return new PalimpsestError("E_IO", `${path} cannot be written: ${message}`, {
    details: { path },
    hint: "name a place that is there and may be written to",
    cause: error,
  });
}

/** Writes a whole Parquet file; what stands there is replaced. The name is never read as anything but that of a file. */
async function writeParquet(
  file: string,
  columns: readonly AppendedColumn[],
  pieces: AsyncIterable<ColumnTable> | Iterable<ColumnTable>,
  onRows: (rows: number) => void = () => {},
): Promise<void> {
  const path = resolve(file);
  const spill = `${path}.spill`;
  try {
    // Made here, so that a place that cannot be written to is told before anything is read.
    await (await open(path, "w")).close();
    const { connection, close } = await privateConnection({ files: [path], folders: [spill] }, [
      `SET temp_directory = ${quotedText(spill)}`,
    ]);
    try {
      const name = { schema: null, table: "exported" };
      await createTable(connection, name, columns, "CREATE TABLE");
      await appendPieces(connection, name, columns, pieces, onRows);
      await connection.run(
        `COPY exported TO ${quotedText(path)} (FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false)`,
      );
    } finally {
      close();
    }
    const handle = await open(path, "r");
    await handle.sync().finally(() => handle.close());
  } catch (error) {
    throw cannotWrite(file, error);
  } finally {
    await rm(spill, { recursive: true, force: true });
  }
}

/** A Parquet file that appears under its name when it is kept. */
export class ParquetFile {
  private readonly temporary: string;

  constructor(readonly path: string) {
    this.temporary = temporaryName(path);
  }

  write(table: StoreTable, onRows: (rows: number) => void): Promise<void> {
    return this.writePieces(exportedColumns(table), table.pieces(), onRows);
  }

  writePieces(
    columns: readonly AppendedColumn[],
    pieces: AsyncIterable<ColumnTable> | Iterable<ColumnTable>,
    onRows?: (rows: number) => void,
  ): Promise<void> {
    return writeParquet(this.temporary, columns, pieces, onRows);
  }

  /** E_STATE where a file of that name may not be replaced. */
  async keep({ isReplacing = true } = {}): Promise<void> {
    await putInPlace(this.temporary, this.path, isReplacing).catch((error: unknown) => {
      throw error instanceof PalimpsestError ? error : cannotWrite(this.path, error);
    });
  }

  async drop(): Promise<void> {
    await rm(this.temporary, { force: true });
  }
}
