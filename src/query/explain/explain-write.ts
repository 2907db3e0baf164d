// EXPLAIN of a write: the plans of what it reads, and the form of its operations. Nothing is written.
// ESTIMATE prices the reads; a write is not run twice, so there is no ANALYZE and no VERIFY of one.
import type { ExplainMode } from "../../../grammar/ast.js";
import { canonicalJson } from "../../contract/canonical.js";
import { formatEnd, formatInstant } from "../../contract/instant.js";
import type { JsonObject } from "../../contract/values.js";
import { planDigest } from "../../plan/index.js";
import type { Plan } from "../../plan/plan.js";
import { compileRead } from "../compile/compile-read.js";
import type { CompileContext } from "../compile/context.js";
import { Folder } from "../compile/fold.js";
import { refuse } from "../compile/problem.js";
import { type AnswerRow, type ExplainAnswer, tableAnswer } from "../statements/answer.js";
import type { QueryHost } from "../statements/host.js";
import type { StatementLimits } from "../statements/limits.js";
import { type PlannedWrite, planWrite } from "../writes/plan-write.js";
import type { AnyWrite } from "../writes/run-write.js";
import { EXPLAIN_COLUMNS } from "./columns.js";
import { canonicalText, figuresOf, noFigures, planRows, textRow } from "./explain.js";

function operationRows({ steps, erase }: PlannedWrite, mode: ExplainMode): AnswerRow[] {
  const row = (operator: string, args: JsonObject, remark: string): AnswerRow => ({
    step: "write",
    operator,
    arguments: canonicalJson(args),
    remark,
    ...noFigures(mode),
  });
  if (erase !== null) {
    return [row(erase.dryRun ? "erase (dry run)" : "erase", erase.reason, "a commit for each identity")];
  }
  return steps.map(({ operation, target, portion: { fromUs, toUs } }) =>
    row(operation, { of: target, valid_from: formatInstant(fromUs), valid_to: formatEnd(toUs) }, "in one batch"),
  );
}

export async function runExplainWrite(
  statement: AnyWrite,
  mode: ExplainMode,
  context: CompileContext,
  host: QueryHost,
  limits: StatementLimits,
): Promise<ExplainAnswer> {
  if (mode === "analyze" || mode === "verify") {
    refuse(
      "E_INVALID_ARG",
      "explain_write",
      statement,
      `EXPLAIN ${mode.toUpperCase()} runs a statement, and a write is not run to look at it`,
      "EXPLAIN shows its plan; ERASE … DRY RUN counts what it would remove",
    );
  }
  const planned = planWrite(statement, new Folder(context));
  const tql = canonicalText(statement);
  const rows = [textRow(tql, mode)];
  const plans: Plan[] = [];
  for (const { statement: read } of planned.parts) {
    const compiled = compileRead(read, context);
    plans.push(compiled.plan);
    rows.push(...planRows(compiled, mode, await figuresOf(mode, compiled, host, limits)));
  }
  rows.push(...operationRows(planned, mode));
  const [plan = null] = plans;
  const about = { plan, plan_digest: plan === null ? null : planDigest(plan) };
  return { ...tableAnswer("explain", EXPLAIN_COLUMNS[mode], rows, about), tql };
}
