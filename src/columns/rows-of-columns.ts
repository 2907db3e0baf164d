// Rows as plain objects out of a table by columns: instants and durations as text, JSON as values (docs/contract.md A3).
// Made for some rows at a time: who makes many gives the event loop its turn between calls.
import { formatDuration } from "../contract/duration.js";
import { parseExact } from "../contract/exact-json.js";
import { formatEnd, formatInstant } from "../contract/instant.js";
import { type JsonObject, type JsonValue, setOwn } from "../contract/values.js";
import { Pace } from "../event-loop/pace.js";
import {
  type Column,
  type ColumnTable,
  type DoubleColumn,
  isValid,
  type WideIntegers,
  type WordColumn,
} from "./column.js";
import { WordReader } from "./words.js";

type Cell = (row: number) => JsonValue;

/** The position of a row among the wide integers, or -1. */
export function wideAt({ rows }: WideIntegers, row: number): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows[middle]! < row) low = middle + 1;
    else high = middle;
  }
  return rows[low] === row ? low : -1;
}

function wordCell({ type, values, valid }: WordColumn): Cell {
  if (type === "int") {
    const reader = new WordReader(values);
    return (row) => (isValid(valid, row) ? reader.at(row) : null);
  }
  const format = { instant: formatInstant, instant_open: formatEnd, duration: formatDuration }[type];
  return (row) => (isValid(valid, row) ? format(values[row]!) : null);
}

function doubleCell({ values, valid, wide }: DoubleColumn): Cell {
  if (wide === undefined) return (row) => (isValid(valid, row) ? values[row]! : null);
  return (row) => {
    const place = wideAt(wide, row);
    if (place >= 0) return wide.values[place]!;
    return isValid(valid, row) ? values[row]! : null;
  };
}

/** Reads the values of one column by row. */
export function cellReader(column: Column): Cell {
  switch (column.type) {
    case "double":
      return doubleCell(column);
    case "bool": {
      const { values, valid } = column;
      return (row) => (isValid(valid, row) ? values[row] === 1 : null);
    }
    case "string": {
      const { codes, dictionary } = column;
      return (row) => (codes[row]! < 0 ? null : dictionary[codes[row]!]!);
    }
    case "json": {
      const { codes, dictionary } = column;
      return (row) => (codes[row]! < 0 ? null : parseExact(dictionary[codes[row]!]!));
    }
    default:
      return wordCell(column);
  }
}

/** Makes the rows [from, to) at each call. */
export function rowMaker({ columns }: ColumnTable): (from: number, to: number) => JsonObject[] {
  const cells = columns.map(({ name, column }) => [name, cellReader(column)] as const);
  return (from, to) => {
    const rows: JsonObject[] = [];
    for (let i = from; i < to; i += 1) {
      const row: JsonObject = {};
      for (const [name, cell] of cells) setOwn(row, name, cell(i));
      rows.push(row);
    }
    return rows;
  };
}

/** The rows [from, to) of a table. */
export function rowsOfColumns(table: ColumnTable, from: number, to: number): JsonObject[] {
  return rowMaker(table)(from, Math.min(to, table.rowCount));
}

const ROWS_AT_ONCE = 200;

/** All rows of a table, with a turn of the event loop in between. */
export async function rowsInSlices(table: ColumnTable): Promise<JsonObject[]> {
  const make = rowMaker(table);
  const pace = new Pace();
  const rows: JsonObject[] = [];
  for (let from = 0; from < table.rowCount; from += ROWS_AT_ONCE) {
    rows.push(...make(from, Math.min(from + ROWS_AT_ONCE, table.rowCount)));
    if (pace.isDue) await pace.rest();
  }
  return rows;
}
