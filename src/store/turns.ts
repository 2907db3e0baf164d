// Keeping the event loop alive during long work: one task after another, and slices of a few milliseconds.
import { setImmediate } from "node:timers/promises";

/** Settles in the next turn of the event loop. */
export const nextTurn = (): Promise<void> => setImmediate();

/** Runs tasks one after the other in the order of their calls; a failed task does not stop the next. */
export class TaskQueue {
  private last: Promise<unknown> = Promise.resolve();

  run<T>(task: () => T | Promise<T>): Promise<T> {
    const result = this.last.then(task);
    this.last = result.catch(() => undefined);
    return result;
  }

  /** Settles when everything queued so far has ended. */
  async drain(): Promise<void> {
    await this.last;
  }
}

// A slice is far shorter than the 8 ms that the loop may be held, so that a slice and a collection fit.
const SLICE_MS = 3;

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
