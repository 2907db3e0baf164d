// `palimpsest load` and `.import`: a file into a store, in one commit unless a batch size is given.
// The first rows are read before the store is opened, so that a wrong call creates nothing.
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { basename } from "node:path";
import { type ErrorCode, PalimpsestError } from "../../contract/errors.js";
import { formatInstant } from "../../contract/instant.js";
import { parseInstant } from "../../contract/parse-instant.js";
import { LIMITS } from "../../contract/values.js";
import type { Database, EventInput, IngestOptions } from "../../index.js";
import { fileBytes } from "../../interchange/byte-source.js";
import { commitsOf, eventCommits } from "../../interchange/commits-by-time.js";
import { type EventColumnNames, type EventPiece, readEvents } from "../../interchange/events.js";
import {
  documentFormatOf,
  type FileFormat,
  formatOfName,
  TABLE_FORMATS,
  type TableFormat,
  tableFormatOfName,
} from "../../interchange/formats.js";
import type { TimeUnit } from "../../interchange/instants.js";
import { type AssertNode, type NodeBatch, type NodeOptions, readNodes } from "../../interchange/nodes.js";
import { asRefusal } from "../../interchange/refusal.js";
import { RejectsFile } from "../../interchange/rejects.js";
import { readTableEvents } from "../../interchange/tables/events.js";
import { readTableNodes } from "../../interchange/tables/nodes.js";
import type { TableReader } from "../../interchange/tables/table-reader.js";
import { isFolder, isVersionFile, versionBytes } from "../../interchange/versions/files.js";
import { withInterrupt } from "../interrupt.js";
import { grouped, note, plural, printJson } from "../output.js";
import { writeStore } from "../with-store.js";
import {
  checkGraphFlags,
  checkNoGraphFlags,
  type GraphFormat,
  type GraphLoading,
  graphBytes,
  readGraph,
  writeGraph,
} from "./graph.js";
import { checkLogFlags, loadLog } from "./log.js";
import {
  checkEventFlags,
  checkNodeFlags,
  DEFAULT_TYPE,
  eventColumns,
  type FileOptions,
  fileOptions,
  type LoadFlags,
  meaningFlag,
  nodeColumns,
  tableOptions,
} from "./options.js";
import { LoadProgress } from "./progress.js";

/** Refusals that are shown one by one; the rest is only counted. */
const SHOWN_REFUSALS = 20;
/** Of a table by columns: a few milliseconds of work. */
const ROWS_PER_PIECE = 1 << 15;

class Refusals {
  count = 0;
  private readonly file: RejectsFile | null;

  constructor(path: string | undefined, loaded: string) {
    this.file = path === undefined ? null : new RejectsFile(path, loaded);
  }

  readonly add = (error: PalimpsestError, record?: Uint8Array): void => {
    this.count += 1;
    this.file?.add(error, record);
    if (this.count <= SHOWN_REFUSALS) note(`skipped: ${error.message}`);
    if (this.count === SHOWN_REFUSALS + 1) note("skipped: more records, which are counted but not shown");
  };

  keep(): void {
    this.file?.keep();
  }

  drop(): void {
    this.file?.drop();
  }
}

/** Pulls the first item now, so that its refusal comes before anything else happens. */
async function begun<T>(items: AsyncGenerator<T>, { file, refusals }: Loading): Promise<AsyncGenerator<T>> {
  const first = await items.next();
  if (first.done === true) {
    const reason = refusals.count > 0 ? "every record was refused" : "there is no row to take";
    throw new PalimpsestError("E_INVALID_ARG", `${file}: ${reason}`, { details: { file } });
  }
  return (async function* () {
    yield first.value;
    yield* items;
  })();
}

/** What the store refuses of a file is refused by the name of the file. */
async function ofFile(work: Promise<void>, file: string): Promise<void> {
  try {
    await work;
  } catch (error) {
    const isContent = error instanceof PalimpsestError && CONTENT_CODES.has(error.code);
    throw isContent ? asRefusal(error, { file, line: 0 }) : error;
  }
}

const CONTENT_CODES: ReadonlySet<ErrorCode> = new Set(["E_INVALID_ARG", "E_SCHEMA", "E_LIMIT", "E_PERIOD_ORDER"]);

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

interface Loading {
  readonly file: string;
  readonly flags: LoadFlags;
  readonly refusals: Refusals;
  readonly progress: LoadProgress;
  readonly signal: AbortSignal;
}

interface RowsLoading extends Loading {
  readonly options: FileOptions;
  /** Where the file has typed columns. */
  readonly table?: TableFormat;
}

function checkInterrupted({ signal, file }: Loading): void {
  if (signal.aborted)
    throw new PalimpsestError("E_CANCELLED", `loading ${file} was interrupted`, { details: { file } });
}

function sourceOptions({ options, refusals, progress }: RowsLoading) {
  return { ...options, onRefusal: refusals.add, onRead: (bytes: number) => progress.read(bytes) };
}

async function prepareEvents(loading: RowsLoading): Promise<(db: Database) => Promise<void>> {
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

/** The events of a file, whatever its format. */
async function* eventsOf(loading: RowsLoading, columns: EventColumnNames): AsyncGenerator<EventPiece> {
  const { file, flags, table } = loading;
  const batch = flags.batch === undefined ? {} : { rowsPerBatch: flags.batch };
  if (table === undefined) yield* readEvents(file, { ...sourceOptions(loading), columns, ...batch });
  else yield* readTableEvents(await readerOf(loading, table), { ...sourceOptions(loading), columns });
}

/** Pieces end where batches do, unless a batch is longer than a piece: then it ends with one. */
async function readerOf({ file, flags, options }: RowsLoading, table: TableFormat): Promise<TableReader> {
  const rowsPerPiece = Math.min(flags.batch ?? ROWS_PER_PIECE, ROWS_PER_PIECE);
  const { zone } = options.instants;
  if (table === "parquet") {
    const { parquetReader } = await import("../../interchange/tables/parquet-reader.js");
    return parquetReader(file, { zone, rowsPerPiece });
  }
  const { fileReader } = await import("../../interchange/tables/arrow-reader.js");
  return fileReader(file, { name: file, zone, rowsPerPiece });
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

/** A batch of operations has a limit; a file beyond it needs several commits, and only the caller can allow that. */
function checkCount(count: number, file: string, hint: string): void {
  if (count <= LIMITS.batchOperations) return;
  throw new PalimpsestError("E_LIMIT", `${file}: more than ${LIMITS.batchOperations} nodes in one commit`, {
    details: { file, limit: LIMITS.batchOperations },
    hint,
  });
}

async function* limited(batches: AsyncIterable<NodeBatch>, file: string): AsyncGenerator<NodeBatch> {
  for await (const batch of batches) {
    if (batch.txTimesUs === null) checkCount(batch.operations.length, file, `give --batch ${LIMITS.batchOperations}`);
    yield batch;
  }
}

/** As `ingestByTime`, for nodes. */
async function writeByTime(db: Database, batches: AsyncIterable<NodeBatch>, loading: RowsLoading): Promise<void> {
  const operations: AssertNode[] = [];
  const txTimesUs: bigint[] = [];
  for await (const batch of batches) {
    checkInterrupted(loading);
    loading.progress.took(batch.operations.length);
    for (const operation of batch.operations) operations.push(operation);
    for (const us of batch.txTimesUs!) txTimesUs.push(us);
  }
  const commits = commitsOf(operations, txTimesUs);
  for (const { content } of commits) checkCount(content.length, loading.file, "give fewer rows one time");
  loading.progress.enter("writing");
  for (const { txTimeUs, content } of commits) {
    checkInterrupted(loading);
    await db.write(content, { txTime: txTimeUs });
  }
}

/** The nodes of a file, whatever its format. */
async function* nodesOf(loading: RowsLoading, options: NodeOptions): AsyncGenerator<NodeBatch> {
  const { file, table } = loading;
  if (table === undefined) yield* readNodes(file, options);
  else yield* readTableNodes(await readerOf(loading, table), { ...options, onRefusal: loading.refusals.add });
}

async function prepareNodes(loading: RowsLoading): Promise<(db: Database) => Promise<void>> {
  const { file, flags, options, progress } = loading;
  checkNodeFlags(flags);
  if (flags.time === undefined) note("no --time: the nodes hold from -9999-01-01T00:00:00Z on");
  const reading = nodesOf(loading, {
    ...sourceOptions(loading),
    columns: nodeColumns(flags, options),
    labels: flags.nodeLabel ?? [],
    source: basename(file),
    operationsPerBatch: flags.batch ?? LIMITS.batchOperations + 1,
  });
  const batches = await begun(limited(reading, file), loading);
  if (flags.txTime !== undefined) return (db) => writeByTime(db, batches, loading);
  return async (db) => {
    for await (const { operations } of batches) {
      checkInterrupted(loading);
      progress.enter("writing");
      await db.write(operations);
      progress.enter("reading");
      progress.took(operations.length);
    }
  };
}

/** Commits of a load; none while `to` is below `from`. */
interface Committed {
  readonly from: number;
  readonly to: number;
}

/**
 * Says what stays of a load that failed, and takes away a store that it made and wrote nothing to: a refused file leaves
 * nothing.
 */
async function tidy(store: string, wasThere: boolean, committed: Committed): Promise<void> {
  if (committed.to >= committed.from) {
    note(`commits ${committed.from} to ${committed.to} are in ${store} and stay`);
  } else if (!wasThere && committed.to === 0) {
    await rm(store, { recursive: true, force: true });
  }
}

type WithDatabase = (work: (db: Database) => Promise<void>) => Promise<void>;

export function load(store: string, file: string, flags: LoadFlags): Promise<void> {
  return withInterrupt(async (signal) => {
    const wasThere = existsSync(store);
    await loadFile(
      file,
      flags,
      signal,
      // A file may be thousands of commits, which share flushes; all of them are durable before the load says what it did.
      (work) => writeStore(store, work, flags.batch === undefined ? { durability: "interval" } : {}),
      (committed) => tidy(store, wasThere, committed),
    );
  });
}

/** The same into a store that is open. */
export function loadInto(db: Database, file: string, flags: LoadFlags, signal: AbortSignal): Promise<void> {
  const failed = (committed: Committed) => tidy(db.path, true, committed);
  return loadFile(file, flags, signal, (work) => work(db), failed);
}

type Prepare = (loading: Loading) => Promise<(db: Database) => Promise<void>>;

/** How this file is loaded; what is wrong with the flags alone is found here. */
async function chosen(file: string, flags: LoadFlags): Promise<Prepare> {
  const { format: given, ...others } = flags;
  const format = given ?? documentFormatOf(file);
  if (format === "tgms-log") {
    checkLogFlags(flags);
    return prepareLog;
  }
  if (format === "graphml" || format === "ldbc") {
    checkGraphFlags(flags, format);
    return (loading) => prepareGraph(loading, format);
  }
  checkNoGraphFlags(flags);
  if (await isExport(file, flags)) return prepareVersions;
  const prepareRows = flags.nodes === true ? prepareNodes : prepareEvents;
  const table = tableFormat(file, format);
  if (table !== undefined) {
    const options = tableOptions(file, flags);
    return (loading) => prepareRows({ ...loading, options, table });
  }
  const text = format === undefined ? {} : { format: format as FileFormat };
  const options = fileOptions(file, { ...others, ...text });
  return (loading) => prepareRows({ ...loading, options });
}

/** The format of a file of typed columns; undefined for files of text. */
function tableFormat(file: string, format: LoadFlags["format"]): TableFormat | undefined {
  return format === undefined ? tableFormatOfName(file) : TABLE_FORMATS.find((table) => table === format);
}

async function prepareGraph(loading: Loading, format: GraphFormat): Promise<(db: Database) => Promise<void>> {
  const { file, flags, progress } = loading;
  if (flags.time === undefined) note("no --time: nodes and edges hold from -9999-01-01T00:00:00Z on");
  const how: GraphLoading = {
    file,
    flags,
    format,
    onRead: (bytes) => progress.read(bytes),
    onWritten: (elements) => progress.took(elements),
    checkInterrupted: () => checkInterrupted(loading),
  };
  const graph = await readGraph(how);
  progress.enter("writing");
  return (db) => writeGraph(db, graph, how);
}

/** What `export` wrote is known by itself, where no flag says otherwise. */
async function isExport(file: string, flags: LoadFlags): Promise<boolean> {
  const meaning = meaningFlag(flags);
  if (await isFolder(file)) {
    const unfit = meaning ?? (flags.format === undefined ? null : "--format");
    if (unfit === null) return true;
    throw new PalimpsestError("E_INVALID_ARG", `${file} is a folder, and ${unfit} is for a file`, {
      hint: "a folder is what export wrote: its files say themselves what they hold",
    });
  }
  if (meaning !== null || flags.format !== undefined || !existsSync(file)) return false;
  return isVersionFile(file, tableFormatOfName(file) ?? formatOfName(file));
}

async function prepareVersions(loading: Loading): Promise<(db: Database) => Promise<void>> {
  const { file, flags, refusals, progress, signal } = loading;
  if (flags.batch !== undefined) {
    throw new PalimpsestError("E_INVALID_ARG", "--batch does not go with what export wrote", {
      hint: "its transaction times say where commits end",
    });
  }
  return async (db) => {
    await db.import(file, {
      signal,
      onRead: (bytes, versions) => progress.read(bytes, versions),
      onCommits: (_, versions) => progress.enter("writing", versions),
      onRows: (versions) => progress.took(versions),
      ...(flags.onError === "skip" ? { onRefusal: refusals.add } : {}),
    });
  };
}

async function prepareLog(loading: Loading): Promise<(db: Database) => Promise<void>> {
  const { file, flags, refusals, progress } = loading;
  return (db) =>
    loadLog(db, {
      file,
      flags,
      onRefusal: refusals.add,
      onFailure: (line, reason) => note(`line ${line}: the batch fails, as it did there: ${reason}`),
      onRead: (bytes) => progress.read(bytes),
      onWritten: (batches) => progress.took(batches),
      checkInterrupted: () => checkInterrupted(loading),
    });
}

const folderBytes = (folder: string, { format }: LoadFlags): Promise<number> =>
  format === "ldbc" ? graphBytes(folder) : versionBytes(folder);

async function loadFile(
  file: string,
  flags: LoadFlags,
  signal: AbortSignal,
  withDatabase: WithDatabase,
  failed: (committed: Committed) => Promise<void>,
): Promise<void> {
  const prepare = await chosen(file, flags);
  const totalBytes = (await isFolder(file)) ? await folderBytes(file, flags) : await fileBytes(file);
  const refusals = new Refusals(flags.rejects, file);
  const progress = new LoadProgress(file, totalBytes);
  try {
    const run = await prepare({ file, flags, refusals, progress, signal });
    const committed = { from: 1, to: -1 };
    const loadAll = async (db: Database): Promise<void> => {
      const before = await db.info();
      committed.from = before.tx + 1;
      try {
        await ofFile(run(db), file);
        await db.checkpoint();
      } finally {
        committed.to = (await db.info()).tx;
      }
      const after = await db.info();
      refusals.keep();
      progress.stop();
      await summarise(flags, progress, refusals, {
        tx_from: before.tx + 1,
        tx_to: after.tx,
        nodes: after.nodes - before.nodes,
        edges: after.edges - before.edges,
      });
    };
    await withDatabase(loadAll).catch(async (error: unknown) => {
      await failed(committed);
      throw error;
    });
  } finally {
    refusals.drop();
    progress.stop();
  }
}

async function summarise(
  flags: LoadFlags,
  progress: LoadProgress,
  refusals: Refusals,
  found: { tx_from: number; tx_to: number; nodes: number; edges: number },
): Promise<void> {
  const { rows, seconds } = progress;
  if (flags.json === true) {
    await printJson({ rows, refused: refusals.count, ...found, seconds: Math.round(seconds * 1000) / 1000 });
    return;
  }
  const range = found.tx_to < found.tx_from ? "no commit" : `commits ${found.tx_from} to ${found.tx_to}`;
  const commits = found.tx_from === found.tx_to ? `commit ${found.tx_to}` : range;
  const refused = refusals.count === 0 ? "" : `, ${plural(refusals.count, "record")} skipped`;
  note(
    `${plural(rows, "row")} in ${seconds.toFixed(2)} s (${grouped(Math.round(rows / seconds))} rows/s): ${commits}, ` +
      `${plural(found.nodes, "new node")} and ${plural(found.edges, "new edge")}${refused}`,
  );
}
