// Gives the event loop its turn during long synchronous work.
// A slice is far shorter than the 8 ms that the loop may be held, so that a slice and a collection fit.
import { setImmediate as nextTurn } from "node:timers/promises";

const SLICE_MS = 3;

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
