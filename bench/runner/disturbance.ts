// How quiet the machine was during a measurement: cores that other processes used, and a fixed loop timed before and after.
// On shared hosts the loop alone moves by a factor of two within minutes; a smaller difference between two runs is none.

import { readFileSync } from "node:fs";

export interface Disturbance {
  readonly others_cores: number;
  readonly loop_ms: number;
}

const CLOCK_TICKS_PER_SECOND = 100;
const LOOP_TURNS = 2_000_000;

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

/** Best of five of a fixed integer loop. */
function loopMs(): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 5; round++) {
    const begun = performance.now();
    let sum = 0;
    for (let turn = 0; turn < LOOP_TURNS; turn++) sum = (Math.imul(sum, 31) + turn) | 0;
    const spent = performance.now() - begun;
    if (spent < best && sum !== 1) best = spent;
  }
  return best;
}

/** Begins to watch; the function returned ends it. */
export function watch(): () => Disturbance {
  const loopBefore = loopMs();
  const cpuBefore = othersCpuSeconds();
  const begun = performance.now();
  return () => {
    const seconds = (performance.now() - begun) / 1e3;
    const others = Math.max(0, (othersCpuSeconds() - cpuBefore) / seconds);
    return {
      others_cores: Math.round(others * 100) / 100,
      loop_ms: Math.round(((loopBefore + loopMs()) / 2) * 1e3) / 1e3,
    };
  };
}
