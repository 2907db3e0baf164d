// Arrow in memory into a store. Loads the library.
import type { RecordBatch } from "apache-arrow";
import { PalimpsestError } from "../../contract/errors.js";
import { readGiven } from "../../contract/given.js";
import type { IngestResult } from "../../store/types.js";
import { type ArrowInput, isArrowTable, isItems, isRecordBatch, peeked } from "./arrow-input.js";
import { type ArrowReaderOptions, batchReader, bytesReader, tableReader } from "./arrow-reader.js";
import { ingestTable, type TableTarget } from "./ingest.js";
import { checkTableOptions, instantsOf, type TableIngestOptions } from "./options.js";
import type { TableReader } from "./table-reader.js";

const ROWS_PER_PIECE = 1 << 15;
const NAME = "the Arrow table";

async function readerOf(input: ArrowInput, options: ArrowReaderOptions): Promise<TableReader> {
  if (input instanceof Uint8Array) return bytesReader(input, options);
  if (isArrowTable(input)) return tableReader(input, options);
  if (isRecordBatch(input)) return tableReader({ schema: input.schema, batches: [input] }, options);
  if (isItems(input)) {
    const { first, all } = await peeked(input);
    if (isRecordBatch(first)) return batchReader(first, all as AsyncIterable<RecordBatch>, options);
  }
  throw new PalimpsestError("E_SCHEMA", "the input is no Arrow table and no record batch", {
    details: { path: "" },
    hint: "give a Table, record batches, or IPC data",
  });
}

export async function ingestArrow(
  target: TableTarget,
  input: ArrowInput,
  options: TableIngestOptions,
): Promise<IngestResult> {
  readGiven("options", "the options", () => checkTableOptions(options));
  const { zone } = instantsOf(options);
  return ingestTable(target, await readerOf(input, { name: NAME, zone, rowsPerPiece: ROWS_PER_PIECE }), options);
}
