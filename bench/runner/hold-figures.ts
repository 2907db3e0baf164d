// The longest holds of several rounds as figures, each held to the gate.

import { atMost, type Figure } from "./figures.js";
import { type Hold, LONGEST_HOLD_MS_GATE } from "./hold.js";

const ROUNDS = 3;

function figureOf(name: string, holds: readonly Hold[]): Figure {
  const sorted = [...holds].sort((a, b) => a.ownMs - b.ownMs);
  const median = sorted[sorted.length >> 1] as Hold;
  return {
    name: `longest hold: ${name}`,
    unit: "ms",
    value: median.ownMs,
    repetitions: holds.length,
    gate: atMost(LONGEST_HOLD_MS_GATE),
    notes: {
      greatest: sorted.at(-1)?.ownMs ?? 0,
      processor_time: median.cpuMs,
      with_waiting_for_a_processor: median.turnMs,
      event_loop_delay: median.delayMs,
      whole_ms: median.totalMs,
    },
  };
}

export class Holds {
  readonly figures: Figure[] = [];
  constructor(private readonly progress: (line: string) => void) {}

  async add(name: string, round: () => Promise<Hold>, rounds = ROUNDS): Promise<void> {
    const holds: Hold[] = [];
    for (let i = 0; i < rounds; i++) holds.push(await round());
    this.figures.push(figureOf(name, holds));
    const shown = holds.map(({ ownMs, cpuMs, totalMs }) =>
      [ownMs, cpuMs, totalMs].map((ms) => ms.toFixed(1)).join("/"),
    );
    this.progress(`${name}: held/processor/whole ${shown.join(", ")} ms`);
  }
}
