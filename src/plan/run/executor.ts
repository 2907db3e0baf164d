// Runs the steps of a verified plan: each as soon as its inputs are there, side by side where nothing holds them apart.
// The outcome does not depend on who is first: of several failures the one of the earliest step is told.
import type { TablePart } from "../../columns/column.js";
import { internalError, PalimpsestError } from "../../contract/errors.js";
import type { Ceilings } from "../../operators/cost-guard.js";
import type { OperatorEngine } from "../../operators/engine.js";
import { callOperator } from "../../operators/pipeline.js";
import { COLUMNAR_OPERATORS } from "../../operators/step-reading.js";
import { parsePath } from "../references.js";
import { answeredType } from "../step-types.js";
import type { ReadAnswer } from "../verify/read-plan.js";
import { argumentsOf, type JudgedStep } from "../verify/step.js";
import type { VerifiedPlan } from "../verify/verify.js";
import { inputsOf, isOfAllRows, readsByColumns, readsInAnyOrder } from "./inputs.js";
import { rowsIn, type StepAnswer, slicedRows } from "./step-answer.js";

interface StepLimits {
  readonly signal: AbortSignal | undefined;
  /** On the clock of `performance.now()`; Infinity where there is none. */
  readonly deadlineMs: number;
  readonly ceilings: Partial<Ceilings>;
  /** Rows that the answers of all steps may hold together. */
  readonly mostRows: number;
  /** Told after each step how many of how many are done. */
  readonly onStep?: ((done: number, of: number) => void) | undefined;
}

/** Answers of earlier runs, by what a step is and at which commit. */
export interface KnownAnswers {
  find(identity: string): StepAnswer | undefined;
  keep(identity: string, answer: StepAnswer): void;
}

export interface Execution {
  /** By id, the answers of the steps that ran. */
  readonly answers: ReadonlyMap<string, StepAnswer>;
  /** The error of the earliest step that failed; null where none did. */
  readonly failure: { readonly step: string; readonly error: PalimpsestError } | null;
}

/** Who failed so far. A failing step stops those behind it; those before it go on, as one of them may fail, too. */
class Failures {
  private readonly controllers: readonly AbortController[];
  private earliest = Number.POSITIVE_INFINITY;
  error: PalimpsestError | null = null;

  constructor(
    count: number,
    private readonly outer: AbortSignal | undefined,
  ) {
    this.controllers = Array.from({ length: count }, () => new AbortController());
    if (outer?.aborted) this.stopAll();
    else outer?.addEventListener("abort", this.stopAll, { once: true });
  }

  private readonly stopAll = (): void => {
    for (const controller of this.controllers) controller.abort();
  };

  signalOf(position: number): AbortSignal {
    return this.controllers[position]!.signal;
  }

  get position(): number {
    return this.earliest;
  }

  add(position: number, error: PalimpsestError): void {
    if (position >= this.earliest) return;
    this.earliest = position;
    this.error = error;
    for (let i = position + 1; i < this.controllers.length; i += 1) this.controllers[i]!.abort();
  }

  done(): void {
    this.outer?.removeEventListener("abort", this.stopAll);
  }
}

const tooManyRows = (mostRows: number): PalimpsestError =>
  new PalimpsestError("E_COST", `the steps together hold more than ${mostRows} rows`, {
    details: { at: "rows", ceiling: mostRows, suggestions: [] },
    hint: "narrow the steps, or count and group in the operators instead of handing rows on",
  });

async function runStep(
  engine: OperatorEngine,
  judged: JudgedStep,
  answers: ReadonlyMap<string, StepAnswer>,
  signal: AbortSignal,
  limits: StepLimits,
  isDigested: boolean,
  { isByColumns, isAnyOrder }: { readonly isByColumns: boolean; readonly isAnyOrder: boolean },
): Promise<StepAnswer> {
  const { operator, step } = judged;
  const startMs = performance.now();
  const { args, upstream, addresses } = await inputsOf(judged, answers);
  const { deadlineMs, ceilings, mostRows } = limits;
  const read: { table: TablePart | null } = { table: null };
  const called = await callOperator(engine, operator.declaration.name, args, {
    signal,
    ceilings,
    upstream,
    ...(deadlineMs === Number.POSITIVE_INFINITY ? {} : { timeoutMs: Math.max(0, deadlineMs - performance.now()) }),
    step: {
      mostRows: argumentsOf(step).isWhole ? mostRows : null,
      isUnknownEmpty: step.isUnknownEmpty,
      isDigested,
      isAnyOrder,
      ...(isByColumns ? { onColumns: (table) => (read.table = table) } : {}),
    },
  });
  const { table } = read;
  const envelope = table === null ? called : { ...called, rows: null, rows_total: table.total };
  const type = answeredType(operator, envelope.args, upstream.types, envelope);
  const shownArgs = { ...envelope.args, ...addresses };
  const rows = slicedRows(envelope.rows, step.slice);
  return { judged, envelope, rows, columns: table, type, shownArgs, ms: performance.now() - startMs };
}

/** How the answer is read. */
export interface AnswerReading {
  /** Whether every step has a digest. Where none has, rows may pass by columns, those of the answer, too. */
  readonly isDigested: boolean;
}

/** Whether an answer is nothing but columns of the rows of a step. */
function isTableOf({ kind, from, columns, also }: ReadAnswer, { output }: JudgedStep): boolean {
  const parsed = parsePath(from);
  if (kind !== "table" || also.length > 0 || parsed.kind === "wrong" || !isOfAllRows(parsed.path)) return false;
  if (columns === null) return true;
  const rows = output.kind === "object" ? output.fields.rows : undefined;
  const item = rows?.kind === "list" ? rows.item : undefined;
  return item?.kind === "object" && columns.every((column) => Object.hasOwn(item.fields, column.from));
}

/** `identities` tell which steps are equal: each is run once. */
export async function execute(
  engine: OperatorEngine,
  { steps, answer: asked }: VerifiedPlan,
  identities: ReadonlyMap<string, string>,
  limits: StepLimits,
  { isDigested }: AnswerReading,
  known: KnownAnswers | null,
): Promise<Execution> {
  const failures = new Failures(steps.length, limits.signal);
  const answers = new Map<string, StepAnswer>();
  const running = new Map<string, Promise<StepAnswer>>();
  const byId = new Map<string, Promise<StepAnswer | undefined>>();
  const parts = [asked, ...asked.also].map(({ from }) => from.split(".")[0]!);
  // Digests are made of rows.
  const isByColumns = (judged: JudgedStep): boolean => {
    const { step, operator } = judged;
    const { name } = operator.declaration;
    if (isDigested || step.slice !== null || !steps.every((other) => readsByColumns(other, step.id))) return false;
    if (!parts.includes(step.id)) return COLUMNAR_OPERATORS.has(name);
    return (COLUMNAR_OPERATORS.has(name) || name === "select") && isTableOf(asked, judged);
  };
  /** Whether nobody sees the order of a step's rows. */
  const isInAnyOrder = ({ step }: JudgedStep): boolean => {
    const identity = identities.get(step.id);
    const isShared = steps.some((other) => other.step.id !== step.id && identities.get(other.step.id) === identity);
    return !isShared && !parts.includes(step.id) && steps.every((other) => readsInAnyOrder(other, step.id));
  };
  let held = 0;

  const answerOf = (judged: JudgedStep, position: number): Promise<StepAnswer> => {
    const identity = identities.get(judged.step.id)!;
    const found = known?.find(identity);
    if (found !== undefined) return Promise.resolve(found);
    let answer = running.get(identity);
    if (answer === undefined) {
      const signal = failures.signalOf(position);
      const isTable = isByColumns(judged);
      const form = { isByColumns: isTable, isAnyOrder: isTable && isInAnyOrder(judged) };
      answer = runStep(engine, judged, answers, signal, limits, isDigested, form).then((given) => {
        held += rowsIn(given);
        if (held > limits.mostRows) throw tooManyRows(limits.mostRows);
        known?.keep(identity, given);
        return given;
      });
      running.set(identity, answer);
    }
    return answer;
  };

  const run = async (judged: JudgedStep, position: number): Promise<StepAnswer | undefined> => {
    const needed = [...judged.references.map(({ path }) => path.step), ...judged.step.dependsOn];
    const inputs = await Promise.all([...new Set(needed)].map((id) => byId.get(id)));
    // Behind a failure nothing is known.
    if (inputs.some((input) => input === undefined) || failures.position < position) return undefined;
    try {
      const answer = { ...(await answerOf(judged, position)), judged };
      answers.set(judged.step.id, answer);
      limits.onStep?.(answers.size, steps.length);
      return answer;
    } catch (error) {
      failures.add(position, error instanceof PalimpsestError ? error : internalError(error));
      return undefined;
    }
  };

  try {
    for (const [position, judged] of steps.entries()) byId.set(judged.step.id, run(judged, position));
    await Promise.all(byId.values());
  } finally {
    failures.done();
  }
  const { error } = failures;
  const failure = error === null ? null : { step: steps[failures.position]!.step.id, error };
  return { answers, failure };
}
