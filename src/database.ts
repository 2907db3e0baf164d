// The database a user opens: a store, and the operators over it. The one place that puts the two together.

import type { DuckDBConnection } from "@duckdb/node-api";
import type { RecordBatch } from "apache-arrow";
import type { Envelope, EnvelopePin } from "./contract/envelope.js";
import type { PalimpsestError } from "./contract/errors.js";
import { readGiven } from "./contract/given.js";
import {
  type CallOptions,
  checkCallOptions,
  checkOpenOptions,
  checkRunOptions,
  identifiersOf,
  type OpenOptions,
  type RunOptions,
  type VerifyOptions,
} from "./database-options.js";
import type { DerivedFiles } from "./derived/derived-files.js";
import type { StoreFacts } from "./derived/erasures.js";
import type { DuckExportOptions, DuckExportResult, DuckImportOptions } from "./interchange/duckdb/exchange.js";
import { type ExportOptions, type ExportResult, exportStore } from "./interchange/export/export-store.js";
import { type StoreTables, storeTables, type TablesOptions } from "./interchange/export/tables.js";
import { type ArrowInput, isArrow, isItems, isRecordBatch, peeked } from "./interchange/tables/arrow-input.js";
import type { TableIngestOptions } from "./interchange/tables/options.js";
import {
  checkImportOptions,
  type ImportOptions,
  type ImportResult,
  importStore,
} from "./interchange/versions/import-store.js";
import type { OperationInput } from "./log/operations/schemas.js";
import { addon } from "./native/addon.js";
import type { CallRest, OperatorAnswer, OperatorName, OtherOperator } from "./operators/call-types.js";
import type { OperatorEngine } from "./operators/engine.js";
import { storeDigest } from "./operators/native/digest.js";
import { NativeEngine } from "./operators/native/native-engine.js";
import { callOperator, type CallOptions as PipelineOptions } from "./operators/pipeline.js";
import { prepareShapes } from "./operators/shape.js";
import {
  checkTrace,
  invalidPlan,
  type Plan,
  ResultStore,
  runPlan,
  type Trace,
  type TraceDifference,
  type Verification,
  verifyPlan,
  withStore,
} from "./plan/index.js";
import {
  type Answer,
  estimateOf,
  type PreparedStatement,
  prepareStatement,
  propertyReader,
  type QueryHost,
  type QueryOptions,
  type QueryRun,
  QuerySession,
  type ReadableState,
  type RowOf,
  runStatement,
  type SessionOptions,
  StoreHost,
} from "./query/index.js";
import { derivedFacts } from "./store/derived-facts.js";
import type { EventInput } from "./store/event-input.js";
import type { StoreInfo } from "./store/info.js";
import type { EventPieces } from "./store/ingest.js";
import { defaultMemoryLimitBytes } from "./store/memory-limit.js";
import { Store } from "./store/store.js";
import type { CommitHead, IngestOptions, IngestResult, OpenReport, StoreHead, WriteOptions } from "./store/types.js";
import { withViewAsync } from "./store/views.js";

/** What a step of a plan is estimated to take; null where its arguments are not known before it runs. */
export interface StepEstimate {
  readonly step: string;
  readonly op: string;
  readonly rows: number | null;
  readonly steps: number | null;
}

/** One call may hold this part of the store's limit beside its answer. */
const CALL_MEMORY_SHARE = 4;

export class Database {
  private readonly engine: NativeEngine;
  private readonly results = new ResultStore();
  private readonly host: QueryHost;

  constructor(
    private readonly store: Store,
    private readonly deadlineMs: number | undefined,
    memoryLimitBytes: number,
  ) {
    const callMemoryBytes = memoryLimitBytes / CALL_MEMORY_SHARE;
    this.engine = new NativeEngine(store, callMemoryBytes);
    const reference = (tx: number) => replayed(store, tx);
    this.host = new StoreHost({ store, engine: this.engine, callMemoryBytes, deadlineMs, reference });
  }

  /** For the agent, not of the public surface: reads of the engine and its names, which closing the database waits for. */
  static reading<T>(db: Database, read: (state: ReadableState) => Promise<T>): Promise<T> {
    return db.host.during(() => read(db.host.published));
  }

  /** For the agent, too: what was derived from the store and lies beside its log; null for one in memory. */
  static derived(db: Database): DerivedFiles | null {
    return db.store.derived;
  }
  /** For the agent, not of the public surface: the commit of an idempotency key; null where there is none. */
  static committed(db: Database, key: string): Promise<CommitHead | null> {
    return db.store.committed(key);
  }

  /** For the agent, too: the idempotency keys with this beginning, of commits that count. */
  static keysUnder(db: Database, prefix: string): Promise<readonly string[]> {
    return db.store.keysUnder(prefix);
  }
  /** The same of erasures, and of which history this is. */
  static facts(db: Database): StoreFacts {
    return derivedFacts(db.store.core);
  }

  get path(): string {
    return this.store.path;
  }
  get isReadOnly(): boolean {
    return this.store.isReadOnly;
  }
  /** What opening met at the end of the log: a torn tail, which a writer moved aside and a reader passes over. */
  get openReport(): OpenReport {
    return this.store.report;
  }

  /** Writes one atomic batch of operations; resolves when it is durable. */
  write(ops: readonly OperationInput[], options: WriteOptions = {}): Promise<CommitHead> {
    return this.store.write(ops, options);
  }

  /**
   * Bulk events from typed columns: one object is one commit, an iterable commits every `rowsPerCommit` events. Arrow
   * tables, record batches and IPC data are one commit unless `rowsPerCommit` is given, of nodes with `nodes: true`.
   */
  ingest(input: ArrowInput, options?: TableIngestOptions): Promise<IngestResult>;
  ingest(input: EventInput | EventPieces, options?: IngestOptions): Promise<IngestResult>;
  async ingest(input: ArrowInput | EventInput | EventPieces, options: TableIngestOptions = {}): Promise<IngestResult> {
    if (isArrow(input)) return this.ingestArrow(input, options);
    if (!isItems(input)) return this.store.ingest(input, options);
    const { first, all } = await peeked(input);
    if (isRecordBatch(first)) return this.ingestArrow(all as AsyncIterable<RecordBatch>, options);
    return this.store.ingest(all as AsyncIterable<EventInput>, options);
  }
  private ingestArrow(input: ArrowInput, options: TableIngestOptions): Promise<IngestResult> {
    return this.store.during(async () => {
      const { ingestArrow } = await import("./interchange/tables/ingest-arrow.js");
      return ingestArrow(this.store, input, options);
    });
  }

  /** Calls one operator: its envelope, with a page of each list. */
  call<Name extends OperatorName>(op: Name, ...given: CallRest<Name, CallOptions>): Promise<OperatorAnswer<Name>>;
  /** The same for a name that only the running program knows. */
  call<Name extends string>(op: OtherOperator<Name>, args?: unknown, options?: CallOptions): Promise<Envelope>;
  call(op: string, args: unknown = {}, options: CallOptions = {}): Promise<Envelope<unknown, EnvelopePin | null>> {
    return this.store.during(async () => {
      readGiven("options", "the options", () => checkCallOptions(options));
      return callOperator(this.engine, op, args, this.passed(options));
    });
  }
  private passed(options: CallOptions): PipelineOptions {
    const timeoutMs = options.deadlineMs ?? this.deadlineMs;
    return {
      ...(options.signal === undefined ? {} : { signal: options.signal }),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      ...(options.ceilings === undefined ? {} : { ceilings: options.ceilings }),
    };
  }

  /**
   * Everything that is wrong with a plan (docs/plan.schema.json), without running it. With `identifiers`, every literal
   * that names an entity must be one of them.
   */
  verify(plan: unknown, options: VerifyOptions = {}): Verification {
    this.store.assertOpen();
    const identifiers = readGiven("options", "the options", () => identifiersOf(options));
    const headTx = this.engine.headTx();
    return withStore(this.engine, headTx, {}, (store) =>
      verifyPlan(plan, { identifiers, store, properties: propertyReader(this.host.published.catalogue) }),
    );
  }
  /** Runs a plan: its answer, and every call with what it gave. E_PLAN_INVALID for one that does not verify. */
  run(plan: unknown, options: RunOptions = {}): Promise<Trace> {
    return this.store.during(async () => {
      readGiven("options", "the options", () => checkRunOptions(options));
      const { identifiers: _, onStep, ...call } = options;
      const properties = propertyReader(this.host.published.catalogue);
      const passed = { ...this.passed(call), identifiers: identifiersOf(options), looksIntoStore: true, properties };
      const told = onStep === undefined ? {} : { onStep };
      return runPlan(this.engine, plan, { ...passed, ...told, results: this.results });
    });
  }
  /** What each step of a plan is estimated to take. E_PLAN_INVALID for one that does not verify. */
  estimate(plan: unknown): readonly StepEstimate[] {
    const { violations } = this.verify(plan);
    if (violations.length > 0) throw invalidPlan(violations);
    const { steps } = plan as Plan;
    const figuresOf = estimateOf(plan as Plan, this.engine);
    return steps.map((step) => ({ step: step.id, op: step.op, ...figuresOf(step) }));
  }

  /** Runs the plan of a trace again, at its pin: null where everything is the same, or the first difference. */
  check(trace: unknown, options: CallOptions = {}): Promise<TraceDifference | null> {
    return this.store.during(async () => {
      readGiven("options", "the options", () => checkCallOptions(options));
      return checkTrace(this.engine, trace, this.passed(options));
    });
  }

  /**
   * One statement of TQL, without a session. Awaited it gives the whole answer; iterated (`for await`) it gives row after
   * row without holding them all, and leaving the loop cancels it.
   */
  query<const Text extends string>(text: Text, options: QueryOptions = {}): QueryRun<Answer<RowOf<Text>>> {
    return runStatement<RowOf<Text>>(this.host, text, options);
  }
  /** A statement whose columns and parameters are known before it runs; throws what is wrong with it. */
  prepare<const Text extends string>(text: Text): PreparedStatement<RowOf<Text>> {
    this.store.assertOpen();
    return prepareStatement<RowOf<Text>>(this.host, text);
  }
  /** Statements that share a zone, defaults of time, and blocks of BEGIN … COMMIT. */
  session(options: SessionOptions = {}): QuerySession {
    this.store.assertOpen();
    return new QuerySession(this.host, options, (op, args, given) => this.call(op, args, given));
  }

  /**
   * The store as two tables by columns, nodes and edges, in pieces and in the order of the store digest: what exports are
   * made of. Close them when they are read.
   */
  tables(options: TablesOptions = {}): Promise<StoreTables> {
    return storeTables(this.store, options);
  }

  /**
   * Writes `nodes.EXT` and `edges.EXT` into the folder `dest`: the versions believed at the pin, or with `history` all that
   * were ever written, in the order of the store digest. Nothing is overwritten unless `overwrite` says so.
   */
  export(dest: string, options: ExportOptions = {}): Promise<ExportResult> {
    return exportStore(this.store, dest, options);
  }

  /**
   * Takes in what `export` wrote, a folder or a file: one commit for each transaction time in it, all later than the head.
   * Everything is read and judged before the first commit.
   */
  import(path: string, options: ImportOptions = {}): Promise<ImportResult> {
    return this.store.during(async () => {
      this.store.assertWritable();
      readGiven("options", "the options", () => checkImportOptions(path, options));
      return importStore(this.store, path, options);
    });
  }

  /**
   * Makes the tables `nodes` and `edges` in a connection of `@duckdb/node-api`, those of `tables`, or tables of the answers
   * of statements, handed over by columns. In one transaction: all are there, or none.
   */
  exportTo(connection: DuckDBConnection, options: DuckExportOptions = {}): Promise<DuckExportResult> {
    return this.store.during(async () => {
      const { exportToDuck } = await import("./interchange/duckdb/exchange.js");
      return exportToDuck(this.store, (text) => this.query(text).byColumns(), connection, options);
    });
  }
  /** Takes a table of such a connection, or the rows of a SELECT, as `ingest` takes an Arrow table. */
  importFrom(connection: DuckDBConnection, options: DuckImportOptions): Promise<IngestResult> {
    return this.store.during(async () => {
      this.store.assertWritable();
      const { importFromDuck } = await import("./interchange/duckdb/exchange.js");
      return importFromDuck(this.store, connection, options);
    });
  }

  /** The newest commit. */
  head(): Promise<StoreHead> {
    return this.store.during(async () => this.store.head());
  }
  info(): Promise<StoreInfo> {
    return this.store.during(async () => this.store.info());
  }
  /** The store digest (docs/contract.md "Store digest"): equal for equal histories, on any engine. */
  digest(): Promise<string> {
    return this.store.during(() => withViewAsync(this.store.core, null, (view) => storeDigest(view)));
  }
  /** Everything written so far is on disk when this resolves. */
  checkpoint(): Promise<void> {
    return this.store.checkpoint();
  }
  /**
   * Copies the store, as of its newest commit, into a new one at `dest`, while writing goes on; gives that commit. The copy
   * is there, checked and on disk, when this resolves; `dest` must not be there before (E_STATE).
   */
  backup(dest: string): Promise<StoreHead> {
    return this.store.backup(dest);
  }
  /** A read-only handle takes in what the log has gained. */
  refresh(): Promise<void> {
    return this.store.refresh();
  }
  /**
   * Calls `listener` with every new commit; gives the function that ends it. `onError` hears why a read-only handle cannot
   * follow the log any longer (E_LOG_CORRUPT, E_FORMAT); without it that is an uncaught exception.
   */
  subscribe(listener: (commit: CommitHead) => void, onError?: (error: PalimpsestError) => void): () => void {
    return this.store.subscribe(listener, onError);
  }
  /** Waits for running calls and lets the store go. */
  close(): Promise<void> {
    return this.store.close();
  }
}

/** The log up to a commit in the reference engine, which is loaded here. */
async function replayed(store: Store, tx: number): Promise<OperatorEngine> {
  const [{ ReferenceReplay }, { referenceEngine }] = await Promise.all([
    import("./reference/index.js"),
    import("./operators/reference-engine.js"),
  ]);
  const replay = new ReferenceReplay();
  for await (const commit of store.commits(tx)) replay.apply(commit);
  return referenceEngine(replay.store);
}

/** Opens the store at `path`, making it when it is absent; ":memory:" keeps nothing on disk. */
export async function open(path: string, options: OpenOptions = {}): Promise<Database> {
  readGiven("options", "the options", () => checkOpenOptions(path, options));
  if (options.threads !== undefined) addon.preferThreads(options.threads);
  const [store] = await Promise.all([Store.open(path, options), prepareShapes()]);
  return new Database(store, options.deadlineMs, options.memoryLimitBytes ?? defaultMemoryLimitBytes());
}
