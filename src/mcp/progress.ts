// What a caller with a progress token hears of a call that takes longer: whole units that are done, and a fraction that
// only says that work goes on, as every notice has to be above the one before.

const INTERVAL_MS = 250;
const HALF_MS = 1_000;

export interface ProgressNotice {
  readonly progress: number;
  readonly total: number;
  readonly message: string;
}

export class Progress {
  private done = 0;
  private total = 1;
  private unit = "calls";
  private readonly beganMs = performance.now();
  private readonly timer: NodeJS.Timeout | undefined;

  /** `tell` is null for a caller without a token. */
  constructor(tell: ((notice: ProgressNotice) => Promise<void>) | null) {
    if (tell === null) return;
    // Who cannot be told any more has gone, and the signal of the call says so.
    this.timer = setInterval(() => tell(this.notice()).catch(() => this.end()), INTERVAL_MS);
  }

  /** How much of how many is done. */
  at(done: number, total: number, unit: string): void {
    this.done = done;
    this.total = total;
    this.unit = unit;
  }

  end(): void {
    clearInterval(this.timer);
  }

  private notice(): ProgressNotice {
    const elapsedMs = performance.now() - this.beganMs;
    const { done, total, unit } = this;
    const message = `${done} of ${total} ${unit} done, ${(elapsedMs / 1_000).toFixed(1)} s`;
    // The fraction grows for ever and never reaches a whole.
    return { progress: Math.min(done, total - 1) + elapsedMs / (elapsedMs + HALF_MS), total, message };
  }
}
