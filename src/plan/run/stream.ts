// The answer of a statement piece by piece: its step has the rows by columns, and each is made when it is asked for.
// A list that an operator gives as rows is cut into pieces.
import type { ColumnTable } from "../../columns/column.js";
import { rowMaker } from "../../columns/rows-of-columns.js";
import type { JsonObject } from "../../contract/values.js";
import { Pace } from "../../event-loop/pace.js";
import { checkCancelled } from "../../operators/cancellation.js";
import type { OperatorEngine } from "../../operators/engine.js";
import { answerParts, shownTable } from "./answer.js";
import type { Execution } from "./executor.js";
import {
  executed,
  noticesOf,
  type Prepared,
  prepareStatement,
  type RunOptions,
  tableOf,
  WITHOUT_DIGESTS,
} from "./run.js";

const ROWS_PER_PIECE = 500;

export interface StatementPieces {
  readonly notices: readonly string[];
  /** Each piece is made when it is asked for, and not kept. */
  readonly pieces: AsyncGenerator<readonly JsonObject[], void, undefined>;
}

/** The answer as it is held: by columns, or as rows where an operator gives those. */
interface StatementTable {
  readonly notices: readonly string[];
  readonly table: ColumnTable | null;
  readonly rows: readonly JsonObject[];
}

type Source = Omit<StatementTable, "notices">;

/** Holds on to the answer alone, and to no step before it. */
async function sourceOf({ verified }: Prepared, { answers }: Execution): Promise<Source> {
  const { from, columns } = verified.answer;
  const table = answers.get(from.split(".")[0]!)!.columns;
  if (table !== null) return { table: shownTable(table, columns), rows: [] };
  return { table: null, rows: tableOf(await answerParts(verified.answer, answers)).rows };
}

async function* piecesOf(
  { table, rows }: Source,
  signal: AbortSignal | undefined,
): AsyncGenerator<readonly JsonObject[], void, undefined> {
  const rowCount = table?.rowCount ?? rows.length;
  const make = table === null ? (from: number, to: number) => rows.slice(from, to) : rowMaker(table);
  const pace = new Pace();
  for (let from = 0; from < rowCount; from += ROWS_PER_PIECE) {
    checkCancelled(signal, Number.POSITIVE_INFINITY);
    yield make(from, Math.min(rowCount, from + ROWS_PER_PIECE));
    if (pace.isDue) await pace.rest();
  }
}

/** Runs the plan of a statement, whose answer stays as the last step holds it. */
export async function tableStatementPlan(
  engine: OperatorEngine,
  plan: unknown,
  options: RunOptions = {},
): Promise<StatementTable> {
  const prepared = prepareStatement(engine, plan, options);
  const execution = await executed(prepared, options, WITHOUT_DIGESTS);
  if (execution.failure !== null) throw execution.failure.error;
  return { notices: noticesOf(execution), ...(await sourceOf(prepared, execution)) };
}

/** Runs the plan of a statement; its rows are made while they are read. */
export async function streamStatementPlan(
  engine: OperatorEngine,
  plan: unknown,
  options: RunOptions = {},
): Promise<StatementPieces> {
  const { notices, ...source } = await tableStatementPlan(engine, plan, options);
  return { notices, pieces: piecesOf(source, options.signal) };
}
