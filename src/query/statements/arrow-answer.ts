// Answers by columns as Arrow; the library is loaded when somebody asks for it.
import type { RecordBatch, Table } from "apache-arrow";
import { PalimpsestError } from "../../contract/errors.js";
import { readGiven } from "../../contract/given.js";
import { checkNames } from "../../store/option-checks.js";
import type { TableAnswer } from "./table-answer.js";

export interface RecordBatchOptions {
  /** Rows of one batch at most, 65,536 unless said. */
  readonly rowsPerBatch?: number;
}

const ROWS_PER_BATCH = 1 << 16;
/** Texts of JSON columns in one batch; the other columns of a batch lie in those of the answer. */
const TEXT_BYTES_PER_BATCH = 32 << 20;

function checkOptions(options: RecordBatchOptions): void {
  checkNames(options, ["rowsPerBatch"], "option");
  const { rowsPerBatch } = options;
  if (rowsPerBatch === undefined || (Number.isSafeInteger(rowsPerBatch) && rowsPerBatch > 0)) return;
  throw new PalimpsestError("E_INVALID_ARG", "rowsPerBatch is a whole number above 0", {
    hint: "see RecordBatchOptions",
  });
}

export async function toArrow({ head, table }: TableAnswer): Promise<Table> {
  const { arrowTable } = await import("../../columns/arrow/batches.js");
  return arrowTable(table, head.columns);
}

export async function* recordBatches(
  answer: () => Promise<TableAnswer>,
  options: RecordBatchOptions,
): AsyncGenerator<RecordBatch, void, undefined> {
  readGiven("options", "the options", () => checkOptions(options));
  const { head, table } = await answer();
  const { arrowBatches } = await import("../../columns/arrow/batches.js");
  const rows = options.rowsPerBatch ?? ROWS_PER_BATCH;
  yield* arrowBatches(table, head.columns, { rows, textBytes: TEXT_BYTES_PER_BATCH });
}
