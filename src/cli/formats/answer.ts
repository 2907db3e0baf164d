// An answer as the printers see it: named, typed columns and rows.
// The printers know nothing of where it comes from; what else an answer carries is for the status line.
import type { JsonValue } from "../../contract/values.js";

export interface AnswerColumn {
  readonly name: string;
  /** `int`, `double`, `string`, `bool`, `instant`, `instant_open`, `duration`, `period`, `json`, … */
  readonly type: string;
}

export type AnswerRow = Readonly<Record<string, JsonValue>>;

export interface Table {
  /** `explain`: a plan, of which nothing may be cut. */
  readonly kind?: string;
  readonly columns: readonly AnswerColumn[];
  readonly rows: readonly AnswerRow[];
}

const NUMBERS: ReadonlySet<string> = new Set(["int", "double"]);
const INSTANTS: ReadonlySet<string> = new Set(["instant", "instant_open"]);

export const isNumber = (column: AnswerColumn): boolean => NUMBERS.has(column.type);
export const isInstant = (column: AnswerColumn): boolean => INSTANTS.has(column.type);
