// Thirty-two writers of one row each, every one waiting for its own commit before it writes again.
// A group's commits resolve in one turn of the event loop, so turns with results are flushes.

import { join } from "node:path";
import { events } from "../data/corrected-intervals.js";
import { atLeast } from "../runner/figures.js";
import type { Workload } from "../runner/workload.js";
import { open } from "../stores/database.js";
import { loadIntervals } from "../stores/interval-store.js";

const WRITERS = 32;
const WRITES_EACH = 250;
const WARM_UP_WRITES_EACH = 10;
const COMMITS_PER_FLUSH_GATE = 16;

/** Counts the turns of the event loop in which `note` was called. */
class TurnCounter {
  turns = 0;
  #isOpen = false;

  note(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    this.turns += 1;
    // Runs when the promises of this turn have settled, and before the next flush can report.
    process.nextTick(() => {
      this.#isOpen = false;
    });
  }
}

export const workload: Workload = {
  summary: "commits per flush and per second with 32 concurrent writers of one row",
  defaultScale: 1_000_000,
  async run({ scale, folder, progress }) {
    const db = await open(join(folder, "store"));
    await loadIntervals(db, scale, events(scale));
    progress("store loaded");

    const writeAll = async (round: string, writesEach: number, counter: TurnCounter): Promise<Set<number>> => {
      const commits = new Set<number>();
      const writer = async (number: number) => {
        for (let write = 0; write < writesEach; write++) {
          const { tx } = await db.write([
            {
              op: "assert_edge",
              src: `n${number}`,
              type: "R",
              dst: `n${(write + 1) % 100}`,
              key: `${round}-${number}-${write}`,
              props: {},
              valid_from: BigInt(write),
              valid_to: null,
            },
          ]);
          counter.note();
          commits.add(Number(tx));
        }
      };
      await Promise.all(Array.from({ length: WRITERS }, (_, number) => writer(number)));
      return commits;
    };

    await writeAll("warm-up", WARM_UP_WRITES_EACH, new TurnCounter());
    const counter = new TurnCounter();
    const begun = performance.now();
    const commits = await writeAll("timed", WRITES_EACH, counter);
    const seconds = (performance.now() - begun) / 1e3;
    if (commits.size !== WRITERS * WRITES_EACH)
      throw new Error(`${commits.size} different commits, expected ${WRITERS * WRITES_EACH}`);
    await db.close();
    return [
      {
        name: `commits per flush, ${WRITERS} writers`,
        unit: "commits",
        value: commits.size / counter.turns,
        gate: atLeast(COMMITS_PER_FLUSH_GATE),
        notes: { commits: commits.size, flushes: counter.turns },
      },
      { name: `durable commits, ${WRITERS} writers`, unit: "commits/s", value: commits.size / seconds },
    ];
  },
};
