// Text is parsed, and here a read becomes a plan: steps, the answer, its columns, and what it will say of time.
// Pure but for what the catalogue is asked; runs nothing.
import type { ReadStatement } from "../../../grammar/ast.js";
import type { Plan } from "../../plan/plan.js";
import type { TqlType } from "../../relational/index.js";
import { Compiler, type Residual, type ResolvedSource } from "./compiler.js";
import type { CompileContext, Notice } from "./context.js";
import { compileForm } from "./query-forms.js";
import type { Relation } from "./relation.js";
import { NO_NAMES } from "./scope.js";
import { judgeColumns, judgeSteps } from "./statement-size.js";

interface CompiledColumn {
  readonly name: string;
  readonly type: TqlType;
}

export interface CompiledQuery {
  readonly plan: Plan;
  readonly columns: readonly CompiledColumn[];
  readonly resolved: readonly ResolvedSource[];
  /** Sorted by code. */
  readonly notices: readonly Notice[];
  readonly residual: readonly Residual[];
}

export function compileRead(statement: ReadStatement, context: CompileContext): CompiledQuery {
  const compiler = new Compiler(context, statement.setting, compileForm);
  const relation = compiler.query(statement.query, NO_NAMES, true);
  judgeColumns(relation.columns.length, statement.query);
  const compiled = compiledOf(compiler, relation);
  judgeSteps(compiled.plan.steps.length, statement.query);
  return compiled;
}

function compiledOf(compiler: Compiler, relation: Relation): CompiledQuery {
  const columns = relation.columns.map(({ name, from }) => ({ from, as: name }));
  return {
    plan: {
      steps: compiler.steps.finish(),
      answer: { kind: "table", from: relation.table, columns },
    },
    columns: relation.columns.map(({ name, type }) => ({ name, type })),
    resolved: compiler.resolved,
    notices: compiler.times.notices(),
    residual: compiler.residual,
  };
}
