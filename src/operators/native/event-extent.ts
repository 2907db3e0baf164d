// From the first to the last event that passes a filter (A10): where unbounded windows of bucketed operators end.
// One native call; answered at once.
import type { WhereArgument } from "../../contract/schemas.js";
import type { NativeView } from "../../native/store.js";
import { tables } from "../../native/tables.js";
import { encodeWhere } from "./filter-buffer.js";

export function eventExtent(
  view: NativeView,
  where: WhereArgument,
): { readonly firstUs: bigint; readonly lastUs: bigint } | null {
  const extent = tables.eventExtent(view, encodeWhere(where));
  return extent === null ? null : { firstUs: extent[0], lastUs: extent[1] };
}
