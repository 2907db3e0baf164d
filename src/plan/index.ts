// What others use of plans, by name.
export { type CanonicalPlan, canonicalPlan, invalidPlan, planDigest } from "./canonical.js";
export { type CheckedRun, checkTrace, rerunTrace, type TraceDifference } from "./check-trace.js";
export type { AnswerColumn, AnswerKind, Plan, PlanAnswer, PlanStep, Reference, Violation } from "./plan.js";
export type { AnswerPart, RunAnswerParts, TablePart, TypedColumn, ValuePart } from "./run/answer.js";
export { ResultStore } from "./run/result-store.js";
export {
  DEFAULT_MOST_ROWS,
  type RunOptions,
  runPlan,
  runStatementPlan,
  type StatementAnswer,
  type TracedRun,
  tracePlan,
} from "./run/run.js";
export { type StatementPieces, streamStatementPlan, tableStatementPlan } from "./run/stream.js";
export { PlanSchema } from "./schema.js";
export { type StepError, type StepRecord, type Trace, traceDigest } from "./trace.js";
export { NOTHING_KNOWN, type VerifyContext, type VerifyStore } from "./verify/context.js";
export { withStore } from "./verify/engine-context.js";
export { type Verification, verifyPlan } from "./verify/verify.js";
