// An answer as Arrow or Parquet: types and columns, for other programs. Loaded when one of these is asked for.
import { PalimpsestError } from "../../contract/errors.js";
import type { QueryRun } from "../../index.js";
import { answerColumns } from "../../interchange/duckdb/exported-columns.js";
import { ipcBytes } from "../../interchange/export/arrow.js";
import { ParquetFile } from "../../interchange/export/parquet.js";
import type { Sink } from "../sink.js";

/** A stream of record batches, or with `isFile` a file of them. */
export async function writeArrow(run: QueryRun, sink: Sink, { isFile }: { readonly isFile: boolean }): Promise<void> {
  for await (const bytes of ipcBytes(run.recordBatches(), { isFile })) await sink.write(bytes);
}

/** A Parquet file, which appears when it is whole. */
export async function writeParquetAnswer(run: QueryRun, path: string): Promise<void> {
  const answer = await run.byColumns();
  if (answer.head.columns.length === 0) {
    throw new PalimpsestError("E_INVALID_ARG", "the statement has no columns", { hint: "ask for a table" });
  }
  const file = new ParquetFile(path);
  try {
    await file.writePieces(answerColumns(answer), [answer.table]);
    await file.keep();
  } catch (error) {
    await file.drop();
    throw error;
  }
}
