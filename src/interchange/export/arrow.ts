// A table of a store as an Arrow IPC file. Texts stand in each batch and in no dictionary, which a file has only once.
import { type RecordBatch, RecordBatchFileWriter } from "apache-arrow";
import { arrowBatchesOfPieces } from "../../columns/arrow/batches.js";
import type { StoreTable } from "./tables.js";

const BATCH = { rows: Number.POSITIVE_INFINITY, textBytes: 64 << 20 };

/** The record batches of a table, at least one. */
export function tableBatches(table: StoreTable, onRows: (rows: number) => void): AsyncGenerator<RecordBatch> {
  const types = table.columns.map(({ name, type }) => ({ name, type: name === "labels" ? "list(string)" : type }));
  async function* counted() {
    for await (const piece of table.pieces()) {
      yield piece;
      onRows(piece.rowCount);
    }
  }
  return arrowBatchesOfPieces(counted(), types, BATCH);
}

/** The bytes of the file, batch by batch. */
export async function* arrowFileBytes(table: StoreTable, onRows: (rows: number) => void): AsyncGenerator<Uint8Array> {
  const writer = new RecordBatchFileWriter();
  const written = (async () => {
    for await (const batch of tableBatches(table, onRows)) writer.write(batch);
    writer.finish();
  })();
  let isRead = false;
  // Who stops reading has closed the writer, and what it is given after that is nobody's failure.
  written.catch((error: unknown) => {
    if (!isRead) writer.abort(error);
  });
  let failure: unknown = null;
  try {
    for await (const bytes of writer) yield bytes;
  } catch (error) {
    failure = error;
  } finally {
    isRead = true;
  }
  // What the pieces failed with is here; the writer only knows that it was aborted.
  await written;
  if (failure !== null) throw failure;
}
