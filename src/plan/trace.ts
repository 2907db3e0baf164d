// The trace of a run: the plan, every call with its arguments in clear, pins, digests and completeness, and the answer.
// Types, and the digest over everything but times.
import type { EnvelopePin, IncompleteReason } from "../contract/envelope.js";
import type { JsonObject } from "../contract/values.js";
import type { Plan } from "./plan.js";
import type { AnswerPart } from "./run/answer.js";
import { digestOf } from "./run/digests.js";
import type { ListKeys, RowKeys } from "./run/row-keys.js";

export interface StepError {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}

export interface StepRecord {
  readonly id: string;
  readonly op: string;
  readonly status: "ok" | "failed" | "skipped";
  /** As the call understood them; a table that came from an earlier step is its digest. Null where nothing was called. */
  readonly args: JsonObject | null;
  /** Null where the operator reads no store. */
  readonly pin: EnvelopePin | null;
  readonly result_digest: string | null;
  readonly rows_held: number | null;
  readonly rows_total: number | null;
  readonly complete: boolean | null;
  readonly incomplete: readonly IncompleteReason[];
  /** By list, the columns that name a row of it. */
  readonly row_keys: ListKeys;
  readonly ms: number | null;
  readonly error?: StepError;
}

interface Keyed {
  /** Of the rows of a list that stand in the part; null where none does, or where nothing names them. */
  readonly row_keys: RowKeys | null;
}
export type TraceAnswer = AnswerPart &
  Keyed & { readonly also: readonly (AnswerPart & Keyed)[]; readonly result_digest: string };

export interface Trace {
  readonly trace_version: 1;
  readonly plan: Plan;
  readonly plan_digest: string;
  /** The commit that a pin of null meant. */
  readonly ask_pin: EnvelopePin;
  readonly registry_version: string;
  readonly steps: readonly StepRecord[];
  /** Null where a step failed. */
  readonly answer: TraceAnswer | null;
  readonly trace_digest: string;
}

/** Over everything but times and the digest itself. */
export function traceDigest({
  trace_digest: _digest,
  steps,
  ...rest
}: Omit<Trace, "trace_digest"> & { trace_digest?: string }): Promise<string> {
  return digestOf({ ...rest, steps: steps.map(({ ms: _ms, ...step }) => step) });
}
