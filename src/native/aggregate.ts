// P1 as the addon answers it (native/node/aggregate_glue.cc). Types only, and the way to the function.
import { type Addon, addon, type StopToken } from "./addon.js";
import type { NativeColumn } from "./columns.js";
import type { NativeView } from "./store.js";
import type { MaybePromise, RowPack } from "./tables.js";

/** The cells of each row in the order of the columns; the groups in all; the events; those without a value, by property. */
export type AggregateAnswer = readonly [page: RowPack, total: number, events: number, skipped: readonly number[]];
/** The same by columns, and how many rows they have. */
export type AggregateColumnsAnswer = readonly [
  columns: readonly NativeColumn[],
  total: number,
  events: number,
  skipped: readonly number[],
  rowCount: number,
];

/** `question` as native/core/kernels/aggregate/question.h describes it. */
type Arguments = readonly [
  view: NativeView,
  stop: StopToken,
  where: Uint8Array,
  question: Uint8Array,
  from: bigint | null,
  to: bigint | null,
  ordinal: number,
  limit: number,
];
interface AggregateAddon extends Addon {
  aggregateEvents(...args: Arguments): MaybePromise<AggregateAnswer>;
  /** `forms`: the COLUMN_FORM of each column. */
  aggregateEvents(...args: [...Arguments, forms: Uint8Array]): MaybePromise<AggregateColumnsAnswer>;
}

export const { aggregateEvents } = addon as AggregateAddon;
