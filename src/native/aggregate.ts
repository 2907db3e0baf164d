// P1 as the addon answers it (native/node/aggregate_glue.cc). Types only, and the way to the function.
import { type Addon, addon, type StopToken } from "./addon.js";
import type { NativeView } from "./store.js";
import type { RowPack } from "./tables.js";

/** The cells of each row in the order of the columns; the groups in all; the events; those without a value, by property. */
export type AggregateAnswer = readonly [page: RowPack, total: number, events: number, skipped: readonly number[]];

/** `question` as native/core/kernels/aggregate/question.h describes it. */
type AggregateEvents = (
  view: NativeView,
  stop: StopToken,
  where: Uint8Array,
  question: Uint8Array,
  from: bigint | null,
  to: bigint | null,
  ordinal: number,
  limit: number,
) => AggregateAnswer | Promise<AggregateAnswer>;

export const aggregateEvents: AggregateEvents = (addon as Addon & { readonly aggregateEvents: AggregateEvents })
  .aggregateEvents;
