// What many ask for at once and what is found a single time.
import { PalimpsestError } from "../../contract/errors.js";

/** What is found once for all who ask; whoever found it was stopped, the next one finds it. */
export class Once<T> {
  private finding: Promise<T> | null = null;
  private found: T | null = null;

  /** What was found; null while nothing was. */
  get known(): T | null {
    return this.found;
  }

  async of(signal: AbortSignal, find: () => Promise<T>): Promise<T> {
    for (;;) {
      this.finding ??= find();
      const { finding } = this;
      try {
        this.found = await finding;
        return this.found;
      } catch (error) {
        if (this.finding === finding) this.finding = null;
        const isOfAnother = error instanceof PalimpsestError && error.code === "E_CANCELLED" && !signal.aborted;
        if (!isOfAnother) throw error;
      }
    }
  }
}
