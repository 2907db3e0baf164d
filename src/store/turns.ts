// One task after another, whatever each takes.
export { nextTurn, Pace } from "../event-loop/pace.js";

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
