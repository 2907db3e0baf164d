// An answer by columns, as it leaves for Arrow: what a read holds as it is, and rows where there are no columns.
import type { ColumnTable } from "../../columns/column.js";
import { columnsOfRows } from "../../columns/columns-of-rows.js";
import type { ScalarType, TypedName } from "../../columns/types.js";
import type { AnswerColumn, AnswerHead, AnswerRow } from "./answer.js";

export interface TableAnswer {
  readonly head: AnswerHead;
  readonly table: ColumnTable;
}

const SCALARS: ReadonlySet<string> = new Set<ScalarType>([
  ...(["int", "double", "string", "bool", "instant", "instant_open", "duration", "json"] as const),
]);

/** Lists, periods and columns of NULL alone are held as JSON. */
const heldAs = ({ name, type }: AnswerColumn): TypedName => ({
  name,
  type: SCALARS.has(type) ? (type as ScalarType) : "json",
});

export const tableOfRows = (columns: readonly AnswerColumn[], rows: readonly AnswerRow[]): Promise<ColumnTable> =>
  columnsOfRows(rows, columns.map(heldAs));
