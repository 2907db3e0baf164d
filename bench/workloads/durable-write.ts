// One durable write at a time in a loaded store, beside a raw append + fdatasync of as many bytes, turn by turn in one run.
// The raw file lies in the same folder; the difference of the medians is what the database costs.

import { closeSync, fdatasyncSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { events } from "../data/corrected-intervals.js";
import { shuffledOrder } from "../data/shuffle.js";
import { atMost, type Figure } from "../runner/figures.js";
import { elapsedMs, statistics } from "../runner/measure.js";
import type { Workload } from "../runner/workload.js";
import { open } from "../stores/database.js";
import { correctionOf, loadIntervals } from "../stores/interval-store.js";

const TURNS = 300;
const WARM_UP_TURNS = 20;
const SEED = 43;
const OVERHEAD_MS_GATE = 0.3;
const WRITES_FOR_SIZE = 20;

export const workload: Workload = {
  summary: "single durable write beside a raw append + fdatasync, interleaved",
  defaultScale: 1_000_000,
  async run({ scale, folder, progress }) {
    const data = events(scale);
    const order = shuffledOrder(scale, SEED);
    const db = await open(join(folder, "store"));
    await loadIntervals(db, scale, data);
    progress("store loaded");

    let turn = 0;
    const correction = () => {
      const event = order[turn++] as number;
      return correctionOf(data, event, 5, data.validFrom[event] as bigint, data.validTo[event] as bigint);
    };
    const assertion = () => ({
      op: "assert_edge" as const,
      src: "n1",
      type: "R",
      dst: "n2",
      key: `turn-${turn++}`,
      props: {},
      valid_from: BigInt(turn),
      valid_to: null,
    });

    const logBefore = (await db.info()).bytes.log;
    for (let write = 0; write < WRITES_FOR_SIZE; write++) await db.write([correction()]);
    const frameBytes = Math.max(1, Math.round(((await db.info()).bytes.log - logBefore) / WRITES_FOR_SIZE));

    const raw = openSync(join(folder, "raw"), "a");
    const frame = Buffer.alloc(frameBytes, 0x5a);
    const samples = { raw: [] as number[], correction: [] as number[], assertion: [] as number[] };
    for (let round = -WARM_UP_TURNS; round < TURNS; round++) {
      const rawMs = await elapsedMs(() => {
        writeSync(raw, frame);
        fdatasyncSync(raw);
      });
      const operations = [[correction()], [assertion()]] as const;
      const correctionMs = await elapsedMs(() => db.write([...operations[0]]));
      const assertionMs = await elapsedMs(() => db.write([...operations[1]]));
      if (round < 0) continue;
      samples.raw.push(rawMs);
      samples.correction.push(correctionMs);
      samples.assertion.push(assertionMs);
    }
    closeSync(raw);
    await db.close();

    const floor = statistics(samples.raw);
    const figures: Figure[] = [
      {
        name: `raw append of ${frameBytes} bytes + fdatasync`,
        unit: "ms",
        value: floor.median,
        p95: floor.p95,
        repetitions: TURNS,
      },
    ];
    for (const kind of ["correction", "assertion"] as const) {
      const spent = statistics(samples[kind]);
      figures.push(
        { name: `single durable ${kind}`, unit: "ms", value: spent.median, p95: spent.p95, repetitions: TURNS },
        {
          name: `single durable ${kind}, above raw`,
          unit: "ms",
          value: spent.median - floor.median,
          gate: atMost(OVERHEAD_MS_GATE),
        },
      );
    }
    return figures;
  },
};
