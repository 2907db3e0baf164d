// How a plan reads a step: whole lists instead of pages, by columns where it can, with or without a digest.
// A call outside of a plan reads a page.
import type { TablePart } from "../columns/column.js";
import { PalimpsestError } from "../contract/errors.js";
import type { JsonObject } from "../contract/values.js";
import { columnsOfCall } from "./aggregate-columns.js";
import type { OperatorDeclaration } from "./declaration.js";
import type { ColumnsAndFields, PinnedEngine, RunAnswer, RunContext } from "./engine.js";

export interface StepReading {
  /** Every list to its end instead of a page, echoed as `limit: null`; E_COST for more rows than this in one list. */
  readonly mostRows: number | null;
  /** A subject that is not known matches nothing, instead of E_NOT_FOUND. */
  readonly isUnknownEmpty: boolean;
  /** False: nobody will see the digest, and it is "". */
  readonly isDigested: boolean;
  /**
   * Told the rows by columns, where the engine has them; the envelope holds no row then. Only for who wants no
   * digest.
   */
  readonly onColumns?: (table: TablePart) => void;
  /** Whether the columns may have their rows in any order. */
  readonly isAnyOrder?: boolean;
}

export const PAGE: StepReading = { mostRows: null, isUnknownEmpty: false, isDigested: true };

/** Most rows of each list that are asked of the engine. */
export const rowsAsked = ({ mostRows }: StepReading, args: JsonObject): number => mostRows ?? (args.limit as number);

function tooManyRows(name: string, list: string, rows: number, mostRows: number): PalimpsestError {
  return new PalimpsestError("E_COST", `${name} gives ${rows} rows, more than the ${mostRows} that are held`, {
    details: { at: "rows", list, rows, ceiling: mostRows, suggestions: [] },
    hint: "narrow the question, count in the operator, or give the step a limit and read it page by page",
  });
}

/** E_COST where a list that is read to its end has more rows than may be held: never a part of it. */
export function checkWhole({ name, lists }: OperatorDeclaration, answer: RunAnswer, { mostRows }: StepReading): void {
  if (mostRows === null) return;
  for (const [i, page] of answer.lists.entries()) {
    if (page !== null && page.total > mostRows) throw tooManyRows(name, lists[i]!.field, page.total, mostRows);
  }
}

/** Operators whose main list engines may give by columns. */
export const COLUMNAR_OPERATORS: ReadonlySet<string> = new Set(["scan", "aggregate_events"]);

type Columns = ColumnsAndFields | Promise<ColumnsAndFields>;

function scannedColumns(table: TablePart): ColumnsAndFields {
  const columns = table.columns.map((column) => ({ name: column.name, type: column.column.type }));
  return { table, fields: { columns } };
}

/** The list by columns; undefined where the engine has no such form of it. */
function readColumns(pinned: PinnedEngine, name: string, args: JsonObject, context: RunContext): Columns | undefined {
  if (name === "scan") {
    const table = pinned.scanColumns?.(args, context);
    return table instanceof Promise ? table.then(scannedColumns) : table && scannedColumns(table);
  }
  // A column that is declared as JSON has the type of its values where they are all alike: rows tell.
  const isTyped = columnsOfCall(args).every(({ kind }) => kind !== "json");
  return isTyped ? pinned.aggregateColumns?.(args, context) : undefined;
}

/** Whether the main list is wanted whole and by columns, where that form is there. */
export const takesColumns = ({ onColumns, mostRows }: StepReading): boolean =>
  onColumns !== undefined && mostRows !== null;

/** Hands the columns to who wants them: what is left has no row. */
export function handedOver(name: string, { table, fields }: ColumnsAndFields, step: StepReading): RunAnswer {
  const mostRows = step.mostRows!;
  if (table.total > mostRows) throw tooManyRows(name, "rows", table.total, mostRows);
  step.onColumns!(table);
  return { lists: [{ rows: [], total: 0 }], fields };
}

/** Runs an operator on an engine, by columns where the step is read so. */
export function runStep(
  pinned: PinnedEngine,
  name: string,
  args: JsonObject,
  context: RunContext,
  step: StepReading,
): RunAnswer | Promise<RunAnswer> {
  const isRead = takesColumns(step) && COLUMNAR_OPERATORS.has(name);
  const columns = isRead ? readColumns(pinned, name, args, context) : undefined;
  if (columns === undefined) return pinned.run(name, args, context);
  const taken = (given: ColumnsAndFields): RunAnswer => handedOver(name, given, step);
  return columns instanceof Promise ? columns.then(taken) : taken(columns);
}
