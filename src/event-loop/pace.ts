// Keeping the event loop alive during long work: slices of a few milliseconds, with a turn of the loop between them.
import { setImmediate } from "node:timers/promises";

/** Settles in the next turn of the event loop. */
export const nextTurn = (): Promise<void> => setImmediate();

// A slice and the collections that fall into it stay together below the 8 ms for which the loop may be held.
const SLICE_MS = 1.5;

/** Gives the event loop its turn during long synchronous work. */
export class Pace {
  private since = performance.now();

  /** Whether this slice is over: then await `rest()`. */
  get isDue(): boolean {
    return performance.now() - this.since >= SLICE_MS;
  }

  async rest(): Promise<void> {
    await nextTurn();
    this.since = performance.now();
  }
}
