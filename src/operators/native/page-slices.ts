// The rows of a page, made some hundred at a time, so that a long page does not hold the event loop.
// A short page is made at once: a turn of the loop would cost more than its rows.
import { Pace } from "../../event-loop/pace.js";
import type { RowPack } from "../../native/tables.js";
import { RowReader } from "./row-reader.js";

const ROWS_AT_ONCE = 500;

/** Gives up to so many rows from a position on; fewer at the end. */
export type RowSource<T> = (from: number, count: number) => T[];

async function restOf<T>(rows: T[], source: RowSource<T>): Promise<T[]> {
  const pace = new Pace();
  for (;;) {
    if (pace.isDue) await pace.rest();
    const next = source(rows.length, ROWS_AT_ONCE);
    for (const row of next) rows.push(row);
    if (next.length < ROWS_AT_ONCE) return rows;
  }
}

/** All rows of a source; a promise where they are many. */
export function inSlices<T>(source: RowSource<T>): T[] | Promise<T[]> {
  const rows = source(0, ROWS_AT_ONCE);
  return rows.length < ROWS_AT_ONCE ? rows : restOf(rows, source);
}

/** All rows of a pack that may be long. */
export function readPage<T>(pack: RowPack, read: (reader: RowReader) => T): T[] | Promise<T[]> {
  const reader = new RowReader(pack);
  return inSlices((_, count) => {
    const rows: T[] = [];
    while (rows.length < count && reader.hasMore()) rows.push(read(reader));
    return rows;
  });
}

/** `next` of the value, at once where it is there. */
export function after<T, U>(value: T | Promise<T>, next: (value: T) => U | Promise<U>): U | Promise<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}
