// Long work in TypeScript: slices of a few milliseconds, with a look at signal and deadline between them.
import { Pace } from "../event-loop/pace.js";
import { checkCancelled } from "./cancellation.js";

export class Turns {
  private readonly pace = new Pace();

  constructor(
    private readonly signal: AbortSignal | undefined = undefined,
    private readonly deadlineMs = Number.POSITIVE_INFINITY,
    /** What the call may hold beside its answer. */
    readonly memoryBytes = Number.POSITIVE_INFINITY,
  ) {}

  /** When work outside of the event loop is to be given up. */
  get stop(): { readonly signal: AbortSignal | undefined; readonly deadlineMs: number } {
    return { signal: this.signal, deadlineMs: this.deadlineMs };
  }

  /** Whether this slice is over: then await `rest()`. Reads a clock, so ask every few hundred steps. */
  get isDue(): boolean {
    return this.pace.isDue;
  }

  /** E_CANCELLED when the call was cancelled. */
  check(): void {
    checkCancelled(this.signal, this.deadlineMs);
  }

  /** Gives the event loop its turn, and looks at signal and deadline. */
  async rest(): Promise<void> {
    await this.pace.rest();
    this.check();
  }
}
