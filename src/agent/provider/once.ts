// What many ask for at once and what is found a single time.
import { PalimpsestError } from "../../contract/errors.js";

/** What is found once for all who ask; whoever found it was stopped, the next one finds it. */
export class Once<T> {
  private finding: Promise<T> | null = null;

  async of(signal: AbortSignal, find: () => Promise<T>): Promise<T> {
    for (;;) {
      this.finding ??= find();
      const { finding } = this;
      try {
        return await finding;
      } catch (error) {
        if (this.finding === finding) this.finding = null;
        const isOfAnother = error instanceof PalimpsestError && error.code === "E_CANCELLED" && !signal.aborted;
        if (!isOfAnother) throw error;
      }
    }
  }
}
