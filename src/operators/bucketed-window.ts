// The window of an operator whose answer has buckets (A10): how many there are, and where an open end lies.
// Judges and resolves windows; the boundaries themselves are in buckets.ts.
import { PalimpsestError } from "../contract/errors.js";
import { formatInstant } from "../contract/instant.js";
import type { WhereArgument, WindowArgument } from "../contract/schemas.js";
import { countBuckets } from "./buckets.js";
import { windowUs } from "./cost-guard.js";
import type { Report } from "./declaration.js";
import type { PinnedEngine, WindowUs } from "./engine.js";

/** A window in microseconds, all time where an end did not parse: that was reported before. */
function safeWindow(window: WindowArgument | null): WindowUs {
  try {
    return windowUs(window);
  } catch {
    return { fromUs: null, toUs: null };
  }
}

/** Reports E_LIMIT where both ends are known and the window has too many buckets. */
export function judgeBuckets(stride: string, zone: string, window: WindowArgument | null, report: Report): void {
  const { fromUs, toUs } = safeWindow(window);
  if (fromUs === null || toUs === null || fromUs >= toUs) return;
  try {
    countBuckets(stride, zone, fromUs, toUs);
  } catch (error) {
    // A stride or zone that does not parse was reported before.
    if (error instanceof PalimpsestError && error.code === "E_LIMIT") report(error);
  }
}

/**
 * The window with its open ends at the extent of the events that pass. Without events, or with none on the open side,
 * there are no buckets and the window stays as it is.
 */
export function resolvedWindow(
  window: WindowArgument | null,
  where: WhereArgument,
  pinned: PinnedEngine,
): WindowArgument | null {
  if (window?.from != null && window.to != null) return window;
  const extent = pinned.eventExtent(where);
  const given = windowUs(window);
  const fromUs = given.fromUs ?? extent?.firstUs ?? null;
  const toUs = given.toUs ?? (extent === null ? null : extent.lastUs + 1n);
  if (fromUs === null || toUs === null || fromUs >= toUs) return window;
  return { from: formatInstant(fromUs), to: formatInstant(toUs) };
}
