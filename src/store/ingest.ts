// Bulk events into commits: each piece is checked as it comes, pieces are gathered until there are rows enough, and what
// was gathered is one batch.
import { PalimpsestError } from "../contract/errors.js";
import { attribution, labelSet } from "../log/operations/fields.js";
import { fromNative } from "../native/errors.js";
import type { NativeCore, NativeEventColumns } from "../native/store.js";
import { eventsBatch, type PreparedBatch } from "./batch.js";
import { type EventInput, nativeColumns } from "./event-input.js";
import { joinColumns } from "./event-pieces.js";
import { checkOneCommit } from "./option-checks.js";
import type { CommitHead, EventOptions, IngestOptions, IngestResult } from "./types.js";

const ROWS_PER_COMMIT = 1_000_000;

export type EventPieces = Iterable<EventInput> | AsyncIterable<EventInput>;

/** What is ingested into: the core judges columns, `write` takes a batch whose place in the queue is that of the call. */
export interface IngestTarget {
  readonly core: NativeCore;
  write(batch: Promise<PreparedBatch>): Promise<CommitHead>;
}

/**
 * One object of columns is one commit; pieces are committed every `rowsPerCommit` events. E_INVALID_ARG without any event,
 * and for a refused row, by its number over all pieces; what was committed before it stays.
 */
export async function ingestInto(
  target: IngestTarget,
  input: EventInput | EventPieces,
  options: IngestOptions,
): Promise<IngestResult> {
  if (!isPieces(input)) return ingestColumns(target, checkedColumns(target.core, input, options, 0), options);
  checkOneCommit(options);
  return ingestPieces(target, input, options);
}

async function ingestPieces(target: IngestTarget, pieces: EventPieces, options: IngestOptions): Promise<IngestResult> {
  const rowsPerCommit = options.rowsPerCommit ?? ROWS_PER_COMMIT;
  let gathered: NativeEventColumns[] = [];
  let waiting = 0;
  let rows = 0;
  let last: IngestResult | undefined;
  const commit = async (): Promise<void> => {
    last = await ingestColumns(target, joinColumns(gathered), options);
    gathered = [];
    waiting = 0;
  };
  for await (const piece of pieces) {
    const columns = await checkedColumns(target.core, piece, options, rows);
    gathered.push(columns);
    waiting += columns.rowCount;
    rows += columns.rowCount;
    if (waiting >= rowsPerCommit) await commit();
  }
  if (waiting > 0) await commit();
  if (last === undefined) throw noEvents();
  return { ...last, rows };
}

/** Native columns that passed every check that needs no store. Rows are counted from `firstRow` in errors. */
async function checkedColumns(
  core: NativeCore,
  input: EventInput,
  options: EventOptions,
  firstRow: number,
): Promise<NativeEventColumns> {
  const columns = await nativeColumns(input, options.type);
  try {
    await core.checkEvents(columns);
    return columns;
  } catch (error) {
    const found = fromNative(error, "row");
    if (typeof found.details.row !== "number") throw found;
    const row = found.details.row + firstRow;
    throw new PalimpsestError(found.code, `${found.message} (row ${row})`, { details: { ...found.details, row } });
  }
}

async function ingestColumns(
  target: IngestTarget,
  given: Promise<NativeEventColumns>,
  options: EventOptions,
): Promise<IngestResult> {
  let rows = 0;
  const prepare = async (): Promise<PreparedBatch> => {
    const columns = await given;
    rows = columns.rowCount;
    if (rows === 0) throw noEvents();
    const nodeLabels = labelSet(options.nodeLabels, "nodeLabels");
    const { source, provenanceRef, reason } = options;
    const by = attribution({ source, provenance_ref: provenanceRef, reason }, "options");
    return eventsBatch({ nodeLabels, by }, columns);
  };
  const head = await target.write(prepare());
  return { ...head, rows };
}

function noEvents(): PalimpsestError {
  return new PalimpsestError("E_INVALID_ARG", "there are no events to ingest");
}

function isPieces(input: unknown): input is EventPieces {
  if (typeof input !== "object" || input === null) {
    throw new PalimpsestError("E_SCHEMA", "events are columns, or an iterable of columns", {
      details: { path: "" },
      hint: "give {src, dst, time, …}",
    });
  }
  return Symbol.iterator in input || Symbol.asyncIterator in input;
}
