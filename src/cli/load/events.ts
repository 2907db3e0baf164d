// Files of events: read in pieces, which are ingested as they come, or grouped by their times of transaction.
import { basename } from "node:path";
import { formatInstant } from "../../contract/instant.js";
import { parseInstant } from "../../contract/parse-instant.js";
import type { Database, EventInput, IngestOptions } from "../../index.js";
import { eventCommits } from "../../interchange/commits-by-time.js";
import { type EventColumnNames, type EventPiece, readEvents } from "../../interchange/events.js";
import type { TimeUnit } from "../../interchange/instants.js";
import { readTableEvents } from "../../interchange/tables/events.js";
import { note } from "../output.js";
import { checkEventFlags } from "./flags.js";
import { checkInterrupted, type Write } from "./loading.js";
import { DEFAULT_TYPE, eventColumns } from "./options.js";
import { begun, type RowsLoading, readerOf, sourceOptions } from "./rows.js";

/** Numbers whose unit is wrong mostly end up near 1970 or in a far century: worth a word, no more. */
const PLAUSIBLE_US = { from: parseInstant("1971-01-01", "from"), to: parseInstant("2200-01-01", "to") };

function doubtUnit(unit: TimeUnit, us: bigint): void {
  const isNearEpoch = us !== 0n && us >= 0n && us < PLAUSIBLE_US.from && (unit === "ms" || unit === "us");
  if (unit === "iso" || !(isNearEpoch || us >= PLAUSIBLE_US.to)) return;
  note(`the first event is of ${formatInstant(us)}: is --unit ${unit} right?`);
}

async function* counted(pieces: AsyncIterable<EventPiece>, loading: RowsLoading): AsyncGenerator<EventPiece> {
  let isFirst = true;
  for await (const piece of pieces) {
    checkInterrupted(loading);
    if (isFirst) doubtUnit(loading.options.instants.unit, piece.time[0]!);
    isFirst = false;
    loading.progress.took(piece.rows);
    yield piece;
  }
  checkInterrupted(loading);
  loading.progress.enter("writing");
}

/** The events of a file, whatever its format. */
async function* eventsOf(loading: RowsLoading, columns: EventColumnNames): AsyncGenerator<EventPiece> {
  const { file, flags, table } = loading;
  const batch = flags.batch === undefined ? {} : { rowsPerBatch: flags.batch };
  if (table === undefined) yield* readEvents(file, { ...sourceOptions(loading), columns, ...batch });
  else yield* readTableEvents(await readerOf(loading, table), { ...sourceOptions(loading), columns });
}

async function* events(pieces: AsyncIterable<EventPiece>): AsyncGenerator<EventInput> {
  for await (const { rows: _, ...columns } of pieces) yield columns;
}

/** One commit for each time of the column, in its order, once the whole file is known to be good. */
async function ingestByTime(
  db: Database,
  pieces: AsyncIterable<EventPiece>,
  loading: RowsLoading,
  how: IngestOptions,
): Promise<void> {
  const all: EventPiece[] = [];
  for await (const piece of counted(pieces, loading)) all.push(piece);
  for (const { txTimeUs, content } of eventCommits(all)) {
    checkInterrupted(loading);
    const { rows: _, ...columns } = content;
    await db.ingest(columns, { ...how, txTime: txTimeUs });
  }
}

export async function prepareEvents(loading: RowsLoading): Promise<Write> {
  const { file, flags, options } = loading;
  checkEventFlags(flags);
  const columns = eventColumns(flags, options);
  const pieces = await begun(eventsOf(loading, columns), loading);
  const how = { type: flags.type ?? DEFAULT_TYPE, nodeLabels: flags.nodeLabel ?? [], source: basename(file) };
  if (columns.txTime !== null) return (db) => ingestByTime(db, pieces, loading, how);
  return async (db) => {
    await db.ingest(events(counted(pieces, loading)), {
      ...how,
      rowsPerCommit: flags.batch ?? Number.POSITIVE_INFINITY,
    });
  };
}
