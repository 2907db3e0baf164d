// The rows of a table by columns as the product prints them, in one text.
import type { ColumnTable } from "../../src/columns/column.js";
import { rowBytes } from "../../src/columns/row-bytes.js";

export function printedRows(table: ColumnTable): string {
  let text = "";
  // Pieces of rows end where a row does, so none of them cuts a character.
  for (const piece of rowBytes(table)) text += Buffer.from(piece).toString("utf8");
  return text;
}
