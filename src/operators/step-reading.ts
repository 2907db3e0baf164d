// How a plan reads a step: whole lists instead of pages, by columns where it can, with or without a digest.
// A call outside of a plan reads a page.
import type { TablePart } from "../columns/column.js";
import { PalimpsestError } from "../contract/errors.js";
import type { JsonObject } from "../contract/values.js";
import type { OperatorDeclaration } from "./declaration.js";
import type { PinnedEngine, RunAnswer, RunContext } from "./engine.js";

export interface StepReading {
  /** Every list to its end instead of a page, echoed as `limit: null`; E_COST for more rows than this in one list. */
  readonly mostRows: number | null;
  /** A subject that is not known matches nothing, instead of E_NOT_FOUND. */
  readonly isUnknownEmpty: boolean;
  /** False: nobody will see the digest, and it is "". */
  readonly isDigested: boolean;
  /**
   * Told the rows of `scan` by columns, where the engine has them; the envelope holds no row then. Only for who wants no
   * digest.
   */
  readonly onColumns?: (table: TablePart) => void;
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

/** Runs an operator on an engine, by columns where the step is read so. */
export function runStep(
  pinned: PinnedEngine,
  name: string,
  args: JsonObject,
  context: RunContext,
  step: StepReading,
): RunAnswer | Promise<RunAnswer> {
  const { onColumns, mostRows } = step;
  if (name !== "scan" || onColumns === undefined || mostRows === null || pinned.scanColumns === undefined) {
    return pinned.run(name, args, context);
  }
  const taken = (table: TablePart): RunAnswer => {
    if (table.total > mostRows) throw tooManyRows(name, "rows", table.total, mostRows);
    onColumns(table);
    const columns = table.columns.map((column) => ({ name: column.name, type: column.column.type }));
    return { lists: [{ rows: [], total: 0 }], fields: { columns } };
  };
  const table = pinned.scanColumns(args, context);
  return table instanceof Promise ? table.then(taken) : taken(table);
}
