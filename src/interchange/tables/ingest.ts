// A table into a store: the commits that its rows become. What `db.ingest` of Arrow and `db.importFrom` do once they have a
// reader.
import { PalimpsestError } from "../../contract/errors.js";
import { LIMITS } from "../../contract/values.js";
import type { EventInput } from "../../store/event-input.js";
import type { CommitHead, IngestOptions, IngestResult, WriteOptions } from "../../store/types.js";
import { commitsOf, eventCommits } from "../commits-by-time.js";
import type { EventPiece } from "../events.js";
import type { AssertNode } from "../nodes.js";
import { TableColumns } from "./columns.js";
import { readTableEvents } from "./events.js";
import { readTableNodes } from "./nodes.js";
import { commitOptions, instantsOf, type TableIngestOptions } from "./options.js";
import type { TableReader } from "./table-reader.js";

/** What is written to. */
export interface TableTarget {
  ingest(pieces: AsyncIterable<EventInput> | EventInput, options: IngestOptions): Promise<IngestResult>;
  write(operations: readonly unknown[], options: WriteOptions): Promise<CommitHead>;
}

async function* eventInputs(pieces: AsyncIterable<EventPiece>): AsyncGenerator<EventInput> {
  for await (const { rows: _, tx_time: _time, ...columns } of pieces) yield columns;
}

const nothing = (reader: TableReader): PalimpsestError =>
  new PalimpsestError("E_INVALID_ARG", `${reader.name}: there is no row to take`, { details: { file: reader.name } });

async function ingestEvents(
  target: TableTarget,
  reader: TableReader,
  options: TableIngestOptions,
): Promise<IngestResult> {
  const pieces = readTableEvents(reader, {
    columns: new TableColumns(reader, options).events(),
    instants: instantsOf(options),
    onError: options.onError ?? "stop",
    ...(options.onRefusal === undefined ? {} : { onRefusal: options.onRefusal }),
  });
  const how = commitOptions(options);
  if (options.txTimeColumn === undefined) {
    // One commit unless a number of rows is said, as of one object of columns.
    return target.ingest(eventInputs(pieces), {
      ...how,
      rowsPerCommit: options.rowsPerCommit ?? Number.POSITIVE_INFINITY,
    });
  }
  const all: EventPiece[] = [];
  for await (const piece of pieces) all.push(piece);
  let rows = 0;
  let last: IngestResult | undefined;
  for (const { txTimeUs, content } of eventCommits(all)) {
    const { rows: count, ...columns } = content;
    last = await target.ingest(columns, { ...how, txTime: txTimeUs });
    rows += count;
  }
  if (last === undefined) throw nothing(reader);
  return { ...last, rows };
}

async function ingestNodes(
  target: TableTarget,
  reader: TableReader,
  options: TableIngestOptions,
): Promise<IngestResult> {
  const { txTime, ifTx, idempotencyKey, nodeLabels, source } = options;
  const perCommit = Math.min(options.rowsPerCommit ?? Number.POSITIVE_INFINITY, LIMITS.batchOperations);
  const batches = readTableNodes(reader, {
    columns: new TableColumns(reader, options).nodes(),
    instants: instantsOf(options),
    labels: nodeLabels ?? [],
    ...(typeof source === "string" ? { source } : {}),
    operationsPerBatch: perCommit,
    onError: options.onError ?? "stop",
    ...(options.onRefusal === undefined ? {} : { onRefusal: options.onRefusal }),
  });
  let rows = 0;
  let last: CommitHead | undefined;
  const write = async (operations: readonly AssertNode[], how: WriteOptions): Promise<void> => {
    last = await target.write(operations, how);
    rows += operations.length;
  };
  if (options.txTimeColumn !== undefined) {
    const operations: AssertNode[] = [];
    const times: bigint[] = [];
    for await (const batch of batches) {
      for (const operation of batch.operations) operations.push(operation);
      for (const us of batch.txTimesUs!) times.push(us);
    }
    for (const { txTimeUs, content } of commitsOf(operations, times)) await write(content, { txTime: txTimeUs });
  } else if (options.rowsPerCommit !== undefined && options.rowsPerCommit !== Number.POSITIVE_INFINITY) {
    for await (const { operations } of batches) await write(operations, {});
  } else {
    const operations: AssertNode[] = [];
    for await (const batch of batches) for (const operation of batch.operations) operations.push(operation);
    if (operations.length > LIMITS.batchOperations) {
      throw new PalimpsestError("E_LIMIT", `${reader.name}: more than ${LIMITS.batchOperations} nodes in one commit`, {
        hint: `give rowsPerCommit: ${LIMITS.batchOperations}`,
      });
    }
    const how = Object.fromEntries(
      Object.entries({ txTime, ifTx, idempotencyKey }).filter(([, value]) => value !== undefined),
    );
    if (operations.length > 0) await write(operations, how as WriteOptions);
  }
  if (last === undefined) throw nothing(reader);
  return { ...last, rows };
}

/** Reads a table into a store, and closes it. */
export function ingestTable(
  target: TableTarget,
  reader: TableReader,
  options: TableIngestOptions,
): Promise<IngestResult> {
  return options.nodes === true ? ingestNodes(target, reader, options) : ingestEvents(target, reader, options);
}
