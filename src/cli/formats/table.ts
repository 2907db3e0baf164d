// A result as a table for people: names, a rule, a line a row; numbers on the right, NULL grey.
// Where a width is given, long texts are cut to it; identities, instants and numbers never are.
import type { Colors } from "picocolors/types.js";
import type { AnswerColumn, Table } from "./answer.js";
import { isInstant, isNumber } from "./answer.js";
import { cellText } from "./cell-text.js";
import { cutTo, displayWidth, padTo, printable } from "./display-width.js";

export interface TableStyle {
  /** Places in a line; null: as many as it takes. */
  readonly width: number | null;
  readonly colours: Colors;
}

const GAP = "  ";
const NARROWEST = 6;
const IDENTITIES = /(?:^|[._])(?:uid|src|dst|key|other|digest|chain)$/;

interface DrawnColumn {
  readonly column: AnswerColumn;
  readonly cells: readonly (string | null)[];
  readonly width: number;
}

const mayBeCut = (column: AnswerColumn): boolean =>
  !isNumber(column) && !isInstant(column) && column.type !== "duration" && !IDENTITIES.test(column.name);

function natural(table: Table): DrawnColumn[] {
  return table.columns.map((column) => {
    const cells = table.rows.map((row) => cellText(row[column.name], column));
    const width = cells.reduce(
      (widest, cell) => Math.max(widest, cell === null ? 4 : displayWidth(cell)),
      displayWidth(printable(column.name)),
    );
    return { column, cells, width };
  });
}

const widthOfLine = (columns: readonly DrawnColumn[]): number =>
  columns.reduce((sum, { width }) => sum + width, GAP.length * (columns.length - 1));

/** The widest columns give way first, down to one common width. */
function fitted(columns: readonly DrawnColumn[], width: number): readonly DrawnColumn[] {
  const cap = (limit: number): DrawnColumn[] =>
    columns.map((each) => (mayBeCut(each.column) ? { ...each, width: Math.min(each.width, limit) } : each));
  let low = NARROWEST;
  let high = Math.max(NARROWEST, ...columns.map((each) => each.width));
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (widthOfLine(cap(middle)) <= width) low = middle;
    else high = middle - 1;
  }
  return cap(low);
}

function drawnCell(each: DrawnColumn, row: number, colours: Colors): string {
  const side = isNumber(each.column) ? "right" : "left";
  const cell = each.cells[row]!;
  if (cell === null) return colours.gray(padTo("NULL", each.width, side));
  return padTo(cutTo(cell, each.width), each.width, side);
}

/** The lines of the table, without line ends and without blanks behind them. */
export function tableLines(table: Table, { width, colours }: TableStyle): string[] {
  if (table.columns.length === 0) return [];
  const whole = natural(table);
  const columns = width === null || widthOfLine(whole) <= width ? whole : fitted(whole, width);
  const names = columns.map((each) => {
    const name = padTo(
      cutTo(printable(each.column.name), each.width),
      each.width,
      isNumber(each.column) ? "right" : "left",
    );
    return colours.bold(name);
  });
  const rule = columns.map((each) => colours.gray("─".repeat(each.width)));
  const rows = table.rows.map((_, row) => columns.map((each) => drawnCell(each, row, colours)));
  return [names, rule, ...rows].map((cells) => cells.join(GAP).trimEnd());
}
