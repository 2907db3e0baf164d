// A Parquet file as a table to read, chunk by chunk through a DuckDB of our own: it is never whole in memory.
import { resolve } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import type { PalimpsestError } from "../../contract/errors.js";
import { fileBytes } from "../byte-source.js";
import { patternOf } from "../duckdb/file-pattern.js";
import { privateConnection } from "../duckdb/private-connection.js";
import { type QueryReaderOptions, queryReader } from "../duckdb/query-reader.js";
import { quotedText } from "../duckdb/select-given.js";
import { refusal } from "../refusal.js";
import type { LocalZone } from "../zones.js";
import type { TableReader } from "./table-reader.js";

export interface ParquetReaderOptions {
  readonly zone: LocalZone | null;
  readonly rowsPerPiece: number;
}

function notParquet(file: string, error: unknown): PalimpsestError {
  const reason = (error instanceof Error ? error.message : String(error)).split("\n")[0]!;
  return refusal({ file, line: 0 }, `no Parquet file, or not all of it: ${reason}`, {
    hint: "write it again, or look whether it was cut short",
    cause: error,
  });
}

/** Begins the transaction in which the file is read; the rows that its footer counts. */
async function footerRows(
  connection: DuckDBConnection,
  pattern: string,
  { failed, close }: Pick<QueryReaderOptions, "failed" | "close">,
): Promise<number> {
  try {
    await connection.run("BEGIN TRANSACTION");
    const result = await connection.run(
      `SELECT sum(num_rows)::BIGINT FROM parquet_file_metadata(${quotedText(pattern)})`,
    );
    return Number((await result.getRows())[0]![0]);
  } catch (error) {
    await close();
    throw failed(error);
  }
}

export async function parquetReader(file: string, options: ParquetReaderOptions): Promise<TableReader> {
  await fileBytes(file);
  const { path, pattern, release } = await patternOf(resolve(file));
  const opened = await privateConnection({ files: [path, pattern] }, ["SET preserve_insertion_order = true"]).catch(
    async (error: unknown) => {
      await release();
      throw error;
    },
  );
  const { connection } = opened;
  const close = async (): Promise<void> => {
    opened.close();
    await release();
  };
  const reading = { name: file, failed: (error: unknown) => notParquet(file, error), close };
  const rowCount = await footerRows(connection, pattern, reading);
  return queryReader(connection, `read_parquet(${quotedText(pattern)}, hive_partitioning = false)`, {
    ...options,
    ...reading,
    rowCount,
  });
}
