// From the first to the last event that passes a filter (A10): where open windows of bucketed operators end.
// Answered at once where little has to be looked at, else on the pool.
import { eventExtent as nativeExtent } from "../../native/series.js";
import type { NativeView } from "../../native/store.js";
import type { CallLimits, EventExtent, EventQuestion } from "../engine.js";
import { encodeWhere } from "./filter-buffer.js";
import { withStop } from "./native-run.js";
import { after } from "./page-slices.js";
import { nodeAt } from "./series.js";

export function eventExtent(
  view: NativeView,
  { where, node }: EventQuestion,
  limits: CallLimits,
): EventExtent | null | Promise<EventExtent | null> {
  const found = withStop(limits, (stop) => nativeExtent(view, stop, encodeWhere(where), nodeAt(node)));
  return after(found, (extent) => extent && { firstUs: extent[0], lastUs: extent[1] });
}
