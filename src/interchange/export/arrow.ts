// A table of a store as an Arrow IPC file. Texts stand in each batch and in no dictionary, which a file has only once.
import { AsyncByteQueue, type RecordBatch, RecordBatchFileWriter, RecordBatchStreamWriter } from "apache-arrow";
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

/** Takes what the writer gives at once: its own queue holds all that nobody has read, however much that is. */
class Gathered extends AsyncByteQueue {
  private pieces: Uint8Array[] = [];

  override write(bytes: Uint8Array): void {
    this.pieces.push(bytes);
  }
  take(): readonly Uint8Array[] {
    const taken = this.pieces;
    this.pieces = [];
    return taken;
  }
}

/** Batches as IPC data, a file or a stream. A batch is asked for when what came of the one before has been taken. */
export async function* ipcBytes(
  batches: AsyncIterable<RecordBatch>,
  { isFile }: { readonly isFile: boolean },
): AsyncGenerator<Uint8Array, void, undefined> {
  const gathered = new Gathered();
  const writer = (isFile ? new RecordBatchFileWriter() : new RecordBatchStreamWriter()).reset(gathered);
  for await (const batch of batches) {
    writer.write(batch);
    yield* gathered.take();
  }
  writer.finish();
  yield* gathered.take();
}

/** A table as a file. */
export const arrowFileBytes = (table: StoreTable, onRows: (rows: number) => void): AsyncGenerator<Uint8Array> =>
  ipcBytes(tableBatches(table, onRows), { isFile: true });
