// Statements of TQL over an open database: what database.ts and the command line use of this folder.
// Everything else here is inside.

export { propertyReader } from "./compile/catalogue.js";
export { type CompiledParts, compileParts } from "./compile/compile-parts.js";
export { estimateOf } from "./explain/estimate.js";
export {
  QuerySession,
  type ScriptOptions,
  type SessionOptions,
  type SessionView,
  type StatementOutcome,
} from "./sessions/session.js";
export type {
  Answer,
  AnswerColumn,
  AnswerHead,
  AnswerNotice,
  AnswerRow,
  ExplainAnswer,
  ResolvedTime,
  StatementKind,
  WriteAnswer,
} from "./statements/answer.js";
export type { RecordBatchOptions } from "./statements/arrow-answer.js";
export type { Batch, QueryHost, ReadableState } from "./statements/host.js";
export type { QueryOptions, QueryParameters } from "./statements/options.js";
export type { PreparedStatement } from "./statements/prepared.js";
export { QueryRun } from "./statements/query-run.js";
export type { RowOf } from "./statements/row-types.js";
export { prepareStatement, runStatement } from "./statements/run-statement.js";
export { StoreHost } from "./statements/store-host.js";
