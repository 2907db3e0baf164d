// The two ways to run a plan: with a trace that anyone can check, and for a statement, which needs its answer alone.
import type { EnvelopePin } from "../../contract/envelope.js";
import { type ErrorCode, PalimpsestError } from "../../contract/errors.js";
import { formatInstant } from "../../contract/instant.js";
import type { JsonObject, JsonValue } from "../../contract/values.js";
import { type Ceilings, DEFAULT_CEILINGS } from "../../operators/cost-guard.js";
import type { PropertyReader } from "../../operators/declaration.js";
import type { OperatorEngine } from "../../operators/engine.js";
import { valueAt, withValueAt } from "../../operators/paths.js";
import { registryVersion } from "../../operators/registry.js";
import { type CanonicalPlan, canonicalOf, invalidPlan } from "../canonical.js";
import type { Plan, Violation } from "../plan.js";
import { type StepError, type StepRecord, type Trace, type TraceAnswer, traceDigest } from "../trace.js";
import { withStore } from "../verify/engine-context.js";
import type { JudgedStep } from "../verify/step.js";
import { readVerified, type VerifiedPlan } from "../verify/verify.js";
import { answerParts, type RunAnswerParts, type TypedColumn } from "./answer.js";
import { EngineAtCommit } from "./ask-pin.js";
import { digestOf } from "./digests.js";
import { type AnswerReading, type Execution, execute } from "./executor.js";
import type { ResultStore } from "./result-store.js";
import { listKeys, rowKeysOf } from "./row-keys.js";
import { seenPlan } from "./seen-plans.js";
import type { StepAnswer } from "./step-answer.js";

export const DEFAULT_MOST_ROWS = 5_000_000;

export interface RunOptions {
  readonly signal?: AbortSignal;
  /** The run is cancelled this long after it began. */
  readonly timeoutMs?: number;
  /** What the estimate of one step may be at most, else E_COST. */
  readonly ceilings?: Partial<Ceilings>;
  /** Rows that all steps may hold together, else E_COST. */
  readonly mostRows?: number;
  /** The names of entities that the caller stands for; left out: entities may be named freely. */
  readonly identifiers?: ReadonlySet<string> | null;
  /** Whether the verifier looks into the store, so that unknown names and costs are told before anything runs. */
  readonly looksIntoStore?: boolean;
  /** The types of properties in the store; left out, they are known when a step has run. */
  readonly properties?: PropertyReader;
  /** The commit that a pin of null means; left out: the newest. */
  readonly askTx?: number;
  /** Answers of earlier runs on the same store. */
  readonly results?: ResultStore;
  /** Told after each step how many of how many are done. */
  readonly onStep?: (done: number, of: number) => void;
}

export interface Prepared {
  readonly engine: OperatorEngine;
  readonly askTx: number;
  readonly verified: VerifiedPlan;
  readonly canonical: CanonicalPlan;
}

function pinOf(engine: OperatorEngine, tx: number): EnvelopePin {
  return { tx, tx_time: tx === 0 ? null : formatInstant(engine.txTimeUs(tx)) };
}

/** A statement has no steps that its author would know: what is wrong with its plan is wrong with it. */
function wrongStatement(violations: readonly Violation[]): PalimpsestError {
  const [first] = violations;
  if (first === undefined) return invalidPlan(violations);
  const { code, kind, message, hint } = first;
  return new PalimpsestError(code as ErrorCode, message, { details: { kind, violations }, hint });
}

function prepare(engine: OperatorEngine, plan: unknown, options: RunOptions): Prepared {
  const askTx = options.askTx ?? engine.headTx();
  const identifiers = options.identifiers ?? null;
  const { properties } = options;
  const known = properties === undefined ? { identifiers } : { identifiers, properties };
  const read =
    options.looksIntoStore === true
      ? withStore(engine, askTx, options.ceilings ?? {}, (store) => readVerified(plan, { ...known, store }))
      : readVerified(plan, { ...known, store: null });
  if ("violations" in read) throw invalidPlan(read.violations);
  const { verified } = read;
  return { engine: new EngineAtCommit(engine, askTx), askTx, verified, canonical: canonicalOf(verified) };
}

/** The plan of a statement, which the compiler made of texts that come again. */
export function prepareStatement(engine: OperatorEngine, plan: unknown, options: RunOptions): Prepared {
  const askTx = options.askTx ?? engine.headTx();
  const found = seenPlan(plan);
  if ("violations" in found) throw wrongStatement(found.violations);
  return { engine: new EngineAtCommit(engine, askTx), askTx, ...found };
}

export function executed(prepared: Prepared, options: RunOptions, reading: AnswerReading): Promise<Execution> {
  const { engine, verified, askTx, canonical } = prepared;
  const ceilings = { ...DEFAULT_CEILINGS, ...options.ceilings };
  const mostRows = options.mostRows ?? DEFAULT_MOST_ROWS;
  const limits = {
    signal: options.signal,
    deadlineMs: options.timeoutMs === undefined ? Number.POSITIVE_INFINITY : performance.now() + options.timeoutMs,
    ceilings,
    mostRows,
    onStep: options.onStep,
  };
  const { results } = options;
  // Everything but the step that an answer, or its refusal, depends on.
  const at = `${engine.erasedSince([askTx])} ${ceilings.rows} ${ceilings.steps} ${mostRows}`;
  const known =
    reading.isDigested && results !== undefined ? results.at(askTx, at, (pins) => engine.erasedSince(pins)) : null;
  return execute(engine, verified, canonical.identities, limits, reading, known);
}

/** The canonical plan with every pin the commit that it meant. */
function pinnedPlan({ canonical, verified }: Prepared, answers: ReadonlyMap<string, StepAnswer>): Plan {
  const pinned = new Map<string, JsonObject>();
  for (const { step, operator } of verified.steps) {
    const id = canonical.ids.get(step.id)!;
    const answer = answers.get(step.id);
    let args = canonical.plan.steps.find((each) => each.id === id)!.args!;
    for (const path of operator.time.pins) {
      const tx = answer === undefined ? undefined : valueAt(answer.envelope.args, path);
      if (tx !== undefined && valueAt(args, path) !== undefined) args = withValueAt(args, path, tx);
    }
    pinned.set(id, args);
  }
  const steps = canonical.plan.steps.map((step) => ({ ...step, args: pinned.get(step.id)! }));
  return { ...canonical.plan, steps };
}

async function answerDigest(prepared: Prepared, execution: Execution, answer: RunAnswerParts): Promise<string> {
  const plan = pinnedPlan(prepared, execution.answers);
  return digestOf({
    plan,
    payload: { ...answer, from: null, also: answer.also.map((part) => ({ ...part, from: null })) },
  });
}

async function tracedAnswer(prepared: Prepared, execution: Execution, parts: RunAnswerParts): Promise<TraceAnswer> {
  const [main, ...further] = await rowKeysOf(prepared.verified.answer, execution.answers);
  const also = parts.also.map((part, i) => ({ ...part, row_keys: further[i]! }));
  return { ...parts, also, row_keys: main!, result_digest: await answerDigest(prepared, execution, parts) };
}

function skippedRecord(judged: JudgedStep, error: StepError | null): StepRecord {
  return {
    id: judged.step.id,
    op: judged.operator.declaration.name,
    status: error === null ? "skipped" : "failed",
    args: null,
    pin: null,
    result_digest: null,
    rows_held: null,
    rows_total: null,
    complete: null,
    incomplete: [],
    row_keys: {},
    ms: null,
    ...(error === null ? {} : { error }),
  };
}

function recordOf(judged: JudgedStep, { answers, failure }: Execution): StepRecord {
  const answer = answers.get(judged.step.id);
  if (answer === undefined) {
    const isFailed = failure?.step === judged.step.id;
    const error = isFailed
      ? { code: failure.error.code, message: failure.error.message, hint: failure.error.hint }
      : null;
    return skippedRecord(judged, error);
  }
  const { envelope } = answer;
  return {
    id: judged.step.id,
    op: envelope.op,
    status: "ok",
    args: answer.shownArgs,
    pin: envelope.pin,
    result_digest: envelope.result_digest,
    rows_held: envelope.rows?.length ?? null,
    rows_total: envelope.rows_total,
    complete: envelope.complete,
    incomplete: envelope.incomplete,
    row_keys: listKeys(answer),
    ms: answer.ms,
  };
}

/** The error of a run, with the step that it came from and what the others gave. */
function failureOf(error: PalimpsestError, step: string, trace: Trace): PalimpsestError {
  const steps = trace.steps.map(({ id, status, result_digest }) => ({ id, status, result_digest }));
  const details = { ...error.details, step, steps };
  return new PalimpsestError(error.code, `${step}: ${error.message}`, { details, hint: error.hint, cause: error });
}

export interface TracedRun {
  readonly trace: Trace;
  /** What the steps that ran gave, by id. */
  readonly answers: ReadonlyMap<string, StepAnswer>;
  /** Why there is no answer; null where there is one. */
  readonly error: PalimpsestError | null;
}

/** Runs a plan and keeps its trace whatever happens in the steps; throws only for a plan that does not verify. */
export async function tracePlan(engine: OperatorEngine, plan: unknown, options: RunOptions = {}): Promise<TracedRun> {
  const prepared = prepare(engine, plan, options);
  const execution = await executed(prepared, options, { isDigested: true });
  let error = execution.failure?.error ?? null;
  let answer: TraceAnswer | null = null;
  if (error === null) {
    try {
      const parts = await answerParts(prepared.verified.answer, execution.answers);
      answer = await tracedAnswer(prepared, execution, parts);
    } catch (thrown) {
      if (!(thrown instanceof PalimpsestError)) throw thrown;
      error = thrown;
    }
  }
  const undigested = {
    trace_version: 1 as const,
    plan: prepared.verified.given,
    plan_digest: prepared.canonical.digest,
    ask_pin: pinOf(engine, prepared.askTx),
    registry_version: registryVersion(),
    steps: prepared.verified.inPlanOrder.map((judged) => recordOf(judged, execution)),
    answer,
  };
  const trace: Trace = { ...undigested, trace_digest: await traceDigest(undigested) };
  const { answers } = execution;
  if (error === null) return { trace, answers, error };
  const step = execution.failure?.step;
  return { trace, answers, error: step === undefined ? error : failureOf(error, step, trace) };
}

/** The trace of a run; throws the error of the earliest step that failed, `details.step`. */
export async function runPlan(engine: OperatorEngine, plan: unknown, options: RunOptions = {}): Promise<Trace> {
  const { trace, error } = await tracePlan(engine, plan, options);
  if (error !== null) throw error;
  return trace;
}

/** How statements are run: the answer alone has a digest, so steps may give their rows by columns. */
export const WITHOUT_DIGESTS: AnswerReading = { isDigested: false };

/** The answer of a statement: a table, and what is said around it. */
export interface StatementAnswer {
  readonly columns: readonly TypedColumn[];
  readonly rows: readonly JsonObject[];
  readonly rows_total: number;
  readonly complete: boolean;
  readonly incomplete: readonly string[];
  /** The commit that the whole answer belongs to; null where it belongs to several, or to none. */
  readonly pin: EnvelopePin | null;
  readonly erased: number;
  readonly notices: readonly string[];
  readonly plan_digest: string;
  readonly result_digest: string;
}

const envelopesOf = ({ answers }: Execution) => [...answers.values()].map(({ envelope }) => envelope);

/** What the steps say of the data. */
export const noticesOf = (execution: Execution): readonly string[] =>
  [...new Set(envelopesOf(execution).flatMap(({ notices }) => notices ?? []))].sort();

/** Runs the plan of a statement, whose answer is a table: no trace, and no digests of steps between. */
export async function runStatementPlan(
  engine: OperatorEngine,
  plan: unknown,
  options: RunOptions = {},
): Promise<StatementAnswer> {
  const prepared = prepareStatement(engine, plan, options);
  const execution = await executed(prepared, options, WITHOUT_DIGESTS);
  if (execution.failure !== null) throw execution.failure.error;
  const parts = await answerParts(prepared.verified.answer, execution.answers);
  const table = tableOf(parts);
  const envelopes = envelopesOf(execution);
  const pins = new Map(envelopes.flatMap(({ pin }) => (pin === null ? [] : [[pin.tx, pin] as const])));
  return {
    ...table,
    pin: pins.size === 1 ? [...pins.values()][0]! : null,
    erased: Math.max(0, ...envelopes.map(({ erased }) => erased)),
    notices: noticesOf(execution),
    plan_digest: prepared.canonical.digest,
    result_digest: await answerDigest(prepared, execution, parts),
  };
}

/** The main part as a table: a single value is one row with one column. */
export function tableOf(part: RunAnswerParts) {
  const { complete, incomplete } = part;
  if (part.kind === "table") {
    const { columns, rows, rows_total } = part;
    return { columns, rows, rows_total, complete, incomplete };
  }
  const values: readonly JsonValue[] = Array.isArray(part.value) ? part.value : [part.value];
  const type = part.type === "list" || part.type === "object" ? ("json" as const) : part.type;
  const rows = values.map((value) => ({ value }));
  return { columns: [{ name: "value", type }], rows, rows_total: rows.length, complete, incomplete };
}
