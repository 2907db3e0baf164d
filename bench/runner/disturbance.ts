// How quiet and how fast the machine was during a measurement: cores that other processes used, and three yardsticks timed before and
// after it: a fixed integer loop, a raw scan and a memory copy. On shared hosts they move by a factor of two within minutes; a smaller
// difference between two runs is none.

import { readFileSync } from "node:fs";

export interface Disturbance {
  readonly others_cores: number;
  readonly loop_ms: number;
  /** Summing 32 MB of doubles. */
  readonly scan_ms: number;
  /** Copying the same 32 MB. */
  readonly copy_ms: number;
}

const CLOCK_TICKS_PER_SECOND = 100;
const LOOP_TURNS = 2_000_000;
const YARDSTICK_DOUBLES = 4_000_000;
const TURNS = 5;

/** CPU seconds of the whole machine less those of this process. */
function othersCpuSeconds(): number {
  const machine = readFileSync("/proc/stat", "utf8").split("\n")[0] as string;
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = machine
    .split(/\s+/)
    .slice(1)
    .map(Number);
  const own = process.cpuUsage();
  return (user + nice + system + irq + softirq + steal) / CLOCK_TICKS_PER_SECOND - (own.user + own.system) / 1e6;
}

/** Best of five; the result of the work is looked at, so that no compiler leaves it out. */
function bestMs(work: () => number): number {
  let best = Number.POSITIVE_INFINITY;
  for (let turn = 0; turn < TURNS; turn++) {
    const begun = performance.now();
    const result = work();
    const spent = performance.now() - begun;
    if (spent < best && !Number.isNaN(result)) best = spent;
  }
  return best;
}

function integerLoop(): number {
  let sum = 0;
  for (let turn = 0; turn < LOOP_TURNS; turn++) sum = (Math.imul(sum, 31) + turn) | 0;
  return sum;
}

/** Two arrays that are made on first use, so that a process which measures its memory before has them not. */
let arrays: { readonly from: Float64Array; readonly to: Float64Array } | undefined;

function yardsticks(): { loop: number; scan: number; copy: number } {
  arrays ??= {
    from: new Float64Array(YARDSTICK_DOUBLES).fill(1),
    to: new Float64Array(YARDSTICK_DOUBLES).fill(2),
  };
  const { from, to } = arrays;
  const scan = (): number => {
    let sum = 0;
    for (let place = 0; place < YARDSTICK_DOUBLES; place++) sum += from[place] as number;
    return sum;
  };
  const copy = (): number => {
    to.set(from);
    return to[0] as number;
  };
  return { loop: bestMs(integerLoop), scan: bestMs(scan), copy: bestMs(copy) };
}

/** Begins to watch; the function returned ends it. */
export function watch(): () => Disturbance {
  const before = yardsticks();
  const cpuBefore = othersCpuSeconds();
  const begun = performance.now();
  return () => {
    const seconds = (performance.now() - begun) / 1e3;
    const others = Math.max(0, (othersCpuSeconds() - cpuBefore) / seconds);
    const after = yardsticks();
    const mean = (a: number, b: number) => Math.round(((a + b) / 2) * 1e3) / 1e3;
    return {
      others_cores: Math.round(others * 100) / 100,
      loop_ms: mean(before.loop, after.loop),
      scan_ms: mean(before.scan, after.scan),
      copy_ms: mean(before.copy, after.copy),
    };
  };
}
