// The window of an operator whose answer has buckets (A10): how many there are, and where an open end lies.
// Judges and resolves windows; the boundaries themselves are in buckets.ts.

import { countBuckets } from "../calendar/buckets.js";
import { PalimpsestError } from "../contract/errors.js";
import { formatInstant } from "../contract/instant.js";
import type { WindowArgument } from "../contract/schemas.js";
import { windowUs } from "./cost-guard.js";
import type { Report } from "./declaration.js";
import type { CallLimits, EventExtent, EventQuestion, PinnedEngine } from "./engine.js";

/** The buckets of a window: none while an end is open. E_LIMIT where they are too many. */
export function countOfWindow(stride: string, zone: string, window: WindowArgument | null): number {
  const { fromUs, toUs } = windowUs(window);
  return fromUs === null || toUs === null || fromUs >= toUs ? 0 : countBuckets(stride, zone, fromUs, toUs);
}

/** Reports E_LIMIT where both ends are known and the window has too many buckets. */
export function judgeBuckets(stride: string, zone: string, window: WindowArgument | null, report: Report): void {
  try {
    countOfWindow(stride, zone, window);
  } catch (error) {
    // An instant, a stride or a zone that does not parse was reported before.
    if (error instanceof PalimpsestError && error.code === "E_LIMIT") report(error);
  }
}

function closed(window: WindowArgument | null, extent: EventExtent | null): WindowArgument | null {
  const given = windowUs(window);
  const fromUs = given.fromUs ?? extent?.firstUs ?? null;
  const toUs = given.toUs ?? (extent === null ? null : extent.lastUs + 1n);
  if (fromUs === null || toUs === null || fromUs >= toUs) return window;
  return { from: formatInstant(fromUs), to: formatInstant(toUs) };
}

/**
 * `next` of the window with its open ends at the extent of the events in question; at once where that is at hand.
 * Without events, or with none on the open side, there are no buckets and the window stays as it is.
 */
export function withResolvedWindow<T>(
  window: WindowArgument | null,
  question: EventQuestion,
  pinned: PinnedEngine,
  limits: CallLimits,
  next: (window: WindowArgument | null) => T,
): T | Promise<T> {
  if (window?.from != null && window.to != null) return next(window);
  const extent = pinned.eventExtent(question, limits);
  return extent instanceof Promise ? extent.then((found) => next(closed(window, found))) : next(closed(window, extent));
}
