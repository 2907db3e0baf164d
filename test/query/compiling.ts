// Compiles statements against an open store, as the tests of this folder do.
import type { ReadStatement } from "../../grammar/index.js";
import { parseStatement } from "../../grammar/index.js";
import { PalimpsestError } from "../../src/contract/errors.js";
import type { JsonObject } from "../../src/contract/values.js";
import type { Database } from "../../src/database.js";
import type { NativeCore } from "../../src/native/store.js";
import type { OperatorEngine } from "../../src/operators/engine.js";
import { NativeCatalogue } from "../../src/operators/native/catalogue.js";
import { runStatementPlan } from "../../src/plan/index.js";
import { Catalogue } from "../../src/query/compile/catalogue.js";
import { type CompiledQuery, compileRead } from "../../src/query/compile/compile-read.js";
import type { CompileContext } from "../../src/query/compile/context.js";
import { NO_DEFAULTS } from "../../src/query/compile/periods.js";

export const NOW = 1_750_000_000_000_000n; // 2025-06-15T15:06:40Z

export function contextOf(db: Database, given: Partial<CompileContext> = {}): CompileContext {
  const { core } = (db as unknown as { readonly store: { readonly core: NativeCore } }).store;
  const catalogue = new Catalogue(new NativeCatalogue({ core }));
  return { catalogue, parameters: {}, zone: null, nowUs: NOW, session: NO_DEFAULTS, blockTx: null, ...given };
}

export function readOf(text: string): ReadStatement {
  const parsed = parseStatement(text);
  if ("problem" in parsed && parsed.problem != null) throw new Error(`${text}: ${parsed.problem.message}`);
  return (parsed as { readonly statement: ReadStatement }).statement;
}

export const compiled = (text: string, context: CompileContext): CompiledQuery => compileRead(readOf(text), context);

export const operatorsOf = ({ plan }: CompiledQuery): string => plan.steps.map(({ op }) => op).join(", ");

export function errorOf(text: string, context: CompileContext): PalimpsestError {
  try {
    compiled(text, context);
  } catch (error) {
    if (error instanceof PalimpsestError) return error;
    throw error;
  }
  throw new Error(`nothing was refused: ${text}`);
}

/** Runs a statement; the rows of its answer. */
export async function rowsOf(db: Database, text: string, context: CompileContext): Promise<readonly JsonObject[]> {
  const { engine } = db as unknown as { readonly engine: OperatorEngine };
  const answer = await runStatementPlan(engine, compiled(text, context).plan, {});
  return answer.rows;
}
