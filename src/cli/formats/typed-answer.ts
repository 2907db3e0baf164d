// An answer as Arrow or Parquet: types and columns, for other programs. Loaded when one of these is asked for.
import { RecordBatchFileWriter, RecordBatchStreamWriter } from "apache-arrow";
import { PalimpsestError } from "../../contract/errors.js";
import type { QueryRun } from "../../index.js";
import { answerColumns } from "../../interchange/duckdb/exported-columns.js";
import { ParquetFile } from "../../interchange/export/parquet.js";
import type { Sink } from "../sink.js";

/** A stream of record batches, or with `isFile` a file of them. */
export async function writeArrow(run: QueryRun, sink: Sink, { isFile }: { readonly isFile: boolean }): Promise<void> {
  const writer = isFile ? new RecordBatchFileWriter() : new RecordBatchStreamWriter();
  const written = (async () => {
    for await (const batch of run.recordBatches()) writer.write(batch);
    writer.finish();
  })();
  written.catch((error: unknown) => writer.abort(error));
  let failure: unknown = null;
  try {
    for await (const bytes of writer) await sink.write(bytes);
  } catch (error) {
    failure = error;
  }
  // A statement that failed says so here; the writer only knows that it was aborted.
  await written;
  if (failure !== null) throw failure;
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
