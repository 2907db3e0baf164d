// The thirteen relations of two half-open intervals (Allen, 1983), by their names.
// An open end is OPEN_END_US, above every instant.

import type { AllenRelation } from "../../contract/allen.js";

/** How [aFrom, aTo) stands to [bFrom, bTo); neither is empty. */
export function relationOf(aFrom: bigint, aTo: bigint, bFrom: bigint, bTo: bigint): AllenRelation {
  if (aTo <= bFrom) return aTo < bFrom ? "before" : "meets";
  if (bTo <= aFrom) return bTo < aFrom ? "after" : "met_by";
  if (aFrom === bFrom) return aTo === bTo ? "equals" : aTo < bTo ? "starts" : "started_by";
  if (aTo === bTo) return aFrom > bFrom ? "finishes" : "finished_by";
  if (aFrom < bFrom) return aTo < bTo ? "overlaps" : "contains";
  return aTo < bTo ? "during" : "overlapped_by";
}
