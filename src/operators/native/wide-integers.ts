// Integers in columns of doubles that no double is equal to: words beside their doubles while the columns are sorted.
// An order by the nearest double, then by how far it is off, is the order of the exact values: rounding keeps order.
import type { Column, WideIntegers, WordColumn } from "../../columns/column.js";
import { Pace } from "../../event-loop/pace.js";
import type { ColumnSort, SortRequest } from "../../relational/index.js";

interface Beside {
  /** The integers, of the rows that have one. */
  readonly exact: WordColumn;
  /** What is to be added to the double of each row. */
  readonly rest: WordColumn;
}

const INTEGERS_AT_ONCE = 1024;

async function besideDoubles(column: Column, rowCount: number): Promise<Beside | null> {
  if (column.type !== "double" || column.wide === undefined) return null;
  const { rows, values } = column.wide;
  const exact = new BigInt64Array(rowCount);
  const rest = new BigInt64Array(rowCount);
  const valid = new Uint8Array((rowCount + 7) >> 3);
  const pace = new Pace();
  for (let i = 0; i < rows.length; i += 1) {
    const row = rows[i]!;
    exact[row] = values[i]!;
    rest[row] = values[i]! - BigInt(column.values[row]!);
    if (rest[row] !== 0n) valid[row >> 3]! |= 1 << (row & 7);
    if (i % INTEGERS_AT_ONCE === 0 && pace.isDue) await pace.rest();
  }
  if (valid.every((byte) => byte === 0)) return null;
  return { exact: { type: "int", values: exact, valid }, rest: { type: "int", values: rest, valid: null } };
}

interface WidenedRequest extends SortRequest {
  /** By the place of a shown column, the place of its integers among the shown. */
  readonly exactOf: ReadonlyMap<number, number>;
}

/** The request with the columns that such integers need: shown ones behind the shown, keys behind the keys. */
export async function widened(request: SortRequest): Promise<WidenedRequest> {
  const { rowCount, columns, shownCount, order } = request;
  const beside = new Map<number, Beside>();
  for (const [i, column] of columns.entries()) {
    const found = await besideDoubles(column, rowCount);
    if (found !== null) beside.set(i, found);
  }
  const exactOf = new Map([...beside.keys()].filter((i) => i < shownCount).map((i, n) => [i, shownCount + n]));
  const exact = [...exactOf.keys()].map((i) => beside.get(i)!.exact);
  const all = [...columns.slice(0, shownCount), ...exact, ...columns.slice(shownCount)];
  const restOf = new Map<number, number>();
  for (const [i, { rest }] of beside) restOf.set(i, all.push(rest) - 1);
  const keys = order.flatMap((key): ColumnSort[] => {
    const at = key.column < shownCount ? key.column : key.column + exact.length;
    const rest = restOf.get(key.column);
    return [{ ...key, column: at }, ...(rest === undefined ? [] : [{ ...key, column: rest }])];
  });
  return { rowCount, columns: all, shownCount: shownCount + exact.length, order: keys, exactOf };
}

/** What a column of integers has, as a column of doubles holds it. */
export function wideOf({ values, valid }: Pick<WordColumn, "values" | "valid">): WideIntegers {
  const rows: number[] = [];
  for (const [at, byte] of (valid ?? new Uint8Array((values.length + 7) >> 3).fill(255)).entries()) {
    for (let bits = byte; bits !== 0; bits &= bits - 1) rows.push(at * 8 + 31 - Math.clz32(bits & -bits));
  }
  return { rows: Uint32Array.from(rows), values: BigInt64Array.from(rows, (row) => values[row]!) };
}
