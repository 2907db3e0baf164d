// For how long the JavaScript thread is held while something runs: a busy loop of turns, less the time in which the thread
// waited for a processor, which is another process's doing.

import { closeSync, openSync, readSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";

/** What every turn should stay below. */
export const LONGEST_HOLD_MS_GATE = 8;

export interface Hold {
  /** The longest turn less the time that the thread waited for a processor in it. */
  readonly ownMs: number;
  /** The most processor time in one turn, to the kernel's tick of 4 ms: what is left on a machine that others use. */
  readonly cpuMs: number;
  readonly turnMs: number;
  /** What monitorEventLoopDelay saw, waiting included. */
  readonly delayMs: number;
  readonly totalMs: number;
}

/** What the kernel counts of this thread: time on a processor, and time waiting for one. */
class ThreadTimes {
  private readonly file = openSync("/proc/thread-self/schedstat", "r");
  private readonly buffer = Buffer.alloc(64);

  read(): { cpuMs: number; waitMs: number } {
    const length = readSync(this.file, this.buffer, 0, this.buffer.length, 0);
    const [cpu, wait] = this.buffer.toString("latin1", 0, length).split(" ");
    return { cpuMs: Number(cpu) / 1e6, waitMs: Number(wait) / 1e6 };
  }
  close(): void {
    closeSync(this.file);
  }
}

export async function longestHold(work: () => Promise<unknown>): Promise<Hold> {
  const times = new ThreadTimes();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const begun = performance.now();
  const longest = { ownMs: 0, cpuMs: 0, turnMs: 0 };
  let isRunning = true;
  let last = { nowMs: begun, ...times.read() };
  delay.enable();
  const running = work().finally(() => {
    isRunning = false;
  });
  while (isRunning) {
    await new Promise((resolve) => setImmediate(resolve));
    const next = { nowMs: performance.now(), ...times.read() };
    const turnMs = next.nowMs - last.nowMs;
    longest.turnMs = Math.max(longest.turnMs, turnMs);
    longest.ownMs = Math.max(longest.ownMs, turnMs - (next.waitMs - last.waitMs));
    longest.cpuMs = Math.max(longest.cpuMs, next.cpuMs - last.cpuMs);
    last = next;
  }
  delay.disable();
  times.close();
  await running;
  return { ...longest, delayMs: delay.max / 1e6, totalMs: performance.now() - begun };
}
