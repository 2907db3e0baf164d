// What each function of compute is after its types are judged: the type of its answer, and the work that is left.
import type { JsonObject, JsonValue } from "../../contract/values.js";
import type { ValueType } from "../expressions/types.js";
import type { Turns } from "../turns.js";
import type { Columns } from "./table.js";

/** One value, in JSON form. */
export interface ValueWork {
  readonly kind: "value";
  readonly type: ValueType;
  run(turns: Turns): Promise<{ readonly value: JsonValue; readonly type: ValueType }>;
}

/** A page of rows, and how many there are in all. */
export interface Page {
  readonly rows: readonly JsonObject[];
  readonly total: number;
}

export interface TableWork {
  readonly kind: "table";
  readonly columns: Columns;
  run(from: number, to: number, turns: Turns): Promise<Page>;
}

export type Work = ValueWork | TableWork;

const ROWS_AT_ONCE = 16;

/** Rows `from` to `to` of `total`, each made by its position. */
export async function pageOf(
  total: number,
  from: number,
  to: number,
  rowAt: (position: number) => JsonObject,
  turns: Turns,
): Promise<Page> {
  const rows: JsonObject[] = [];
  for (let i = from; i < Math.min(to, total); i += 1) {
    rows.push(rowAt(i));
    if (rows.length % ROWS_AT_ONCE === 0 && turns.isDue) await turns.rest();
  }
  return { rows, total };
}
