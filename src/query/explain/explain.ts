// EXPLAIN: the canonical text and the plan of a statement as a table, with what estimating or running it adds.
// One row for the text, one for each step, one for the answer; the whole plan stands in `plan`.
import type { ExplainMode, ReadStatement } from "../../../grammar/ast.js";
import { printStatement } from "../../../grammar/index.js";
import { canonicalJson } from "../../contract/canonical.js";
import type { JsonObject, JsonValue } from "../../contract/values.js";
import { planDigest, runPlan } from "../../plan/index.js";
import type { PlanStep } from "../../plan/plan.js";
import { type CompiledQuery, compileRead } from "../compile/compile-read.js";
import type { CompileContext } from "../compile/context.js";
import { type AnswerRow, type ExplainAnswer, tableAnswer } from "../statements/answer.js";
import type { QueryHost } from "../statements/host.js";
import type { StatementLimits } from "../statements/limits.js";
import { noticesOf, resolvedTimes, runOptions } from "../statements/run-plan.js";
import type { AnyWrite } from "../writes/run-write.js";
import { EXPLAIN_COLUMNS, FIGURES } from "./columns.js";
import { estimateOf } from "./estimate.js";
import { runVerify } from "./verify.js";

type Figures = Readonly<Record<string, JsonValue>>;
type FiguresOf = (step: PlanStep) => Figures;

function shownArgs({ args = {}, slice, unknown }: PlanStep): string {
  const more: JsonObject = {
    ...(slice === undefined ? {} : { slice: [...slice] }),
    ...(unknown === undefined ? {} : { unknown }),
  };
  return canonicalJson(args) + (Object.keys(more).length === 0 ? "" : ` ${canonicalJson(more)}`);
}

/** Conditions that no step before the last could test. */
function remarkOf({ residual }: CompiledQuery, step: PlanStep, isLast: boolean): string | null {
  if (step.op !== "select" || !isLast || residual.length === 0) return null;
  return residual.map(({ source, condition }) => `residual ${source}: ${condition}`).join("; ");
}

/** The figures that a row has no step for. */
export const noFigures = (mode: ExplainMode): Figures => Object.fromEntries(FIGURES[mode].map((name) => [name, null]));

export function planRows(compiled: CompiledQuery, mode: ExplainMode, figuresOf: FiguresOf): AnswerRow[] {
  const { steps, answer } = compiled.plan;
  const rows = steps.map((step, i) => ({
    step: step.id,
    operator: step.op,
    arguments: shownArgs(step),
    remark: remarkOf(compiled, step, i === steps.length - 1),
    ...figuresOf(step),
  }));
  const shown = canonicalJson(answer as unknown as JsonValue);
  return [...rows, { step: "answer", operator: answer.kind, arguments: shown, remark: null, ...noFigures(mode) }];
}

export const textRow = (tql: string, mode: ExplainMode): AnswerRow => ({
  step: "tql",
  operator: null,
  arguments: tql,
  remark: null,
  ...noFigures(mode),
});

/** The statement that is explained, as its author could have written it. */
export const canonicalText = (statement: ReadStatement | AnyWrite): string =>
  printStatement({ ...statement, explain: null });

export async function figuresOf(
  mode: ExplainMode,
  compiled: CompiledQuery,
  host: QueryHost,
  limits: StatementLimits,
): Promise<FiguresOf> {
  const { engine } = host.published;
  if (mode === "estimate") return estimateOf(compiled.plan, engine);
  if (mode !== "analyze") return () => ({});
  const { steps } = await runPlan(engine, compiled.plan, runOptions(limits, engine.headTx()));
  const byId = new Map(steps.map((step) => [step.id, step]));
  return ({ id }) => {
    const record = byId.get(id);
    const ms = record?.ms ?? null;
    return { rows: record?.rows_held ?? null, ms: ms === null ? null : Math.round(ms * 1000) / 1000 };
  };
}

export async function runExplain(
  statement: ReadStatement,
  mode: ExplainMode,
  context: CompileContext,
  host: QueryHost,
  limits: StatementLimits,
): Promise<ExplainAnswer> {
  const compiled = compileRead({ ...statement, explain: null }, context);
  const tql = canonicalText(statement);
  const { engine, catalogue } = host.published;
  const about = {
    plan: compiled.plan,
    plan_digest: planDigest(compiled.plan),
    resolved: resolvedTimes(compiled, catalogue.source, engine.headTx()),
    notices: noticesOf(compiled, []),
  };
  if (mode === "verify") return { ...(await runVerify(compiled, host, limits)), ...about, tql };
  const rows = [textRow(tql, mode), ...planRows(compiled, mode, await figuresOf(mode, compiled, host, limits))];
  return { ...tableAnswer("explain", EXPLAIN_COLUMNS[mode], rows, about), tql };
}
