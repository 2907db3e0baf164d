// The public surface, by name.
export type { Envelope } from "./contract/envelope.js";
export { type ErrorCode, PalimpsestError } from "./contract/errors.js";
export { type Database, open, type StepEstimate } from "./database.js";
export type { CallOptions, OpenOptions, RunOptions, VerifyOptions } from "./database-options.js";
export type { DuckExportOptions, DuckExportResult, DuckImportOptions } from "./interchange/duckdb/exchange.js";
export type { ExportOptions, ExportResult } from "./interchange/export/export-store.js";
export type { ExportFormat } from "./interchange/export/formats.js";
export type { StoreTable, StoreTables, TablesOptions } from "./interchange/export/tables.js";
export type { ArrowInput } from "./interchange/tables/arrow-input.js";
export type { TableIngestOptions } from "./interchange/tables/options.js";
export type { ImportOptions, ImportResult } from "./interchange/versions/import-store.js";
export type { OperationInput } from "./log/operations/schemas.js";
export {
  type Plan,
  PlanSchema,
  type StepRecord,
  type Trace,
  type TraceDifference,
  type Verification,
  type Violation,
} from "./plan/index.js";
export type {
  Answer,
  AnswerColumn,
  AnswerNotice,
  AnswerRow,
  ExplainAnswer,
  PreparedStatement,
  QueryOptions,
  QueryParameters,
  QueryRun,
  QuerySession,
  RecordBatchOptions,
  ResolvedTime,
  ScriptOptions,
  SessionOptions,
  SessionView,
  StatementOutcome,
  WriteAnswer,
} from "./query/index.js";
export type { EventInput, PropertyInput, TextInput } from "./store/event-input.js";
export type { StoreInfo } from "./store/info.js";
export type {
  CommitHead,
  IngestOptions,
  IngestResult,
  OpenReport,
  StoreHead,
  WriteOptions,
} from "./store/types.js";
