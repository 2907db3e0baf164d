// Runs the plan of a read, and puts what the compiler knows of it around the rows.
// The one file of statements that knows how plans are run.
import type { EnvelopePin } from "../../contract/envelope.js";
import { formatInstant } from "../../contract/instant.js";
import { parseInstant } from "../../contract/parse-instant.js";
import type { JsonObject } from "../../contract/values.js";
import { commitOfPin } from "../../operators/canonical-args.js";
import type { OperatorEngine } from "../../operators/engine.js";
import { type RunOptions, runStatementPlan, streamStatementPlan, tableStatementPlan } from "../../plan/index.js";
import { typeName } from "../../relational/index.js";
import type { CatalogueSource } from "../compile/catalogue.js";
import type { CompiledQuery } from "../compile/compile-read.js";
import type { Answer, AnswerColumn, AnswerNotice, ResolvedTime } from "./answer.js";
import type { QueryHost, ReadableState } from "./host.js";
import { remainingMs, type StatementLimits } from "./limits.js";
import type { RowStream } from "./query-run.js";
import { type TableAnswer, tableOfRows } from "./table-answer.js";

export const columnsOf = ({ columns }: CompiledQuery): AnswerColumn[] =>
  columns.map(({ name, type }) => ({ name, type: typeName(type) }));

export function runOptions(limits: StatementLimits, askTx: number): RunOptions {
  const timeoutMs = remainingMs(limits);
  const { rows, ...ceilings } = limits.ceilings;
  return {
    askTx,
    mostRows: rows,
    ceilings,
    ...(limits.signal === undefined ? {} : { signal: limits.signal }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  };
}

const pinOf = (source: CatalogueSource, tx: number): EnvelopePin => {
  const us = source.txTimeUs(tx);
  return { tx, tx_time: us === null ? null : formatInstant(us) };
};

/** The time of each source with the commit that it meant; null where a step decided it. */
export function resolvedTimes(
  { resolved }: CompiledQuery,
  source: CatalogueSource,
  askTx: number,
): readonly ResolvedTime[] {
  return resolved.map(({ as_of_tt: asOf, ...time }) => {
    let pin: EnvelopePin | null = null;
    if (asOf === null) pin = pinOf(source, askTx);
    else if (typeof asOf === "string") {
      const commit = commitOfPin(asOf);
      pin = pinOf(
        source,
        commit === undefined ? Math.min(source.txAt(parseInstant(asOf, "pin")), askTx) : Number(commit),
      );
    }
    return { ...time, pin };
  });
}

const MEANINGS: Readonly<Record<string, string>> = {
  W_PIN_AFTER_LATEST: "a pin lies after the newest commit that is known here",
};

/** What the compiler says, and what the steps said of the data. */
export function noticesOf(compiled: CompiledQuery, codes: readonly string[]): AnswerNotice[] {
  const known = new Set(compiled.notices.map(({ code }) => code));
  const more = codes.filter((code) => !known.has(code)).map((code) => ({ code, message: MEANINGS[code] ?? "" }));
  return [...compiled.notices, ...more].sort((a, b) => (a.code < b.code ? -1 : 1));
}

export async function readAnswer(
  compiled: CompiledQuery,
  { engine, catalogue }: ReadableState,
  limits: StatementLimits,
): Promise<Answer> {
  const askTx = engine.headTx();
  const { notices, columns: _, ...answer } = await runStatementPlan(engine, compiled.plan, runOptions(limits, askTx));
  return {
    kind: "read",
    columns: columnsOf(compiled),
    ...answer,
    resolved: resolvedTimes(compiled, catalogue.source, askTx),
    notices: noticesOf(compiled, notices),
    plan: compiled.plan,
  };
}

/** The rows alone, by the names of the columns. */
export async function readRows(
  compiled: CompiledQuery,
  engine: OperatorEngine,
  limits: StatementLimits,
): Promise<readonly JsonObject[]> {
  const { rows } = await runStatementPlan(engine, compiled.plan, runOptions(limits, engine.headTx()));
  return rows;
}

export async function streamRead(
  compiled: CompiledQuery,
  host: QueryHost,
  limits: StatementLimits,
): Promise<RowStream> {
  const { engine } = host.published;
  const options = runOptions(limits, engine.headTx());
  const { notices, pieces } = await host.during(() => streamStatementPlan(engine, compiled.plan, options));
  return { head: { kind: "read", columns: columnsOf(compiled), notices: noticesOf(compiled, notices) }, pieces };
}

/** The answer by columns. */
export async function readTable(
  compiled: CompiledQuery,
  host: QueryHost,
  limits: StatementLimits,
): Promise<TableAnswer> {
  const { engine } = host.published;
  const options = runOptions(limits, engine.headTx());
  return host.during(async () => {
    const { notices, table, rows } = await tableStatementPlan(engine, compiled.plan, options);
    const head = { kind: "read", columns: columnsOf(compiled), notices: noticesOf(compiled, notices) } as const;
    return { head, table: table ?? (await tableOfRows(head.columns, rows)) };
  });
}
