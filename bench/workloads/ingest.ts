// Bulk ingest from typed columns, durable: one commit of the whole list into a fresh store, for both families.
// Also says for how long the JavaScript thread was held at most meanwhile.

import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { events, NODE_LABEL, TYPE_NAMES } from "../data/corrected-intervals.js";
import { powerLaw, powerLawShape } from "../data/power-law.js";
import { atLeast, atMost, type Figure } from "../runner/figures.js";
import { elapsedMs, statistics } from "../runner/measure.js";
import type { Context, Workload } from "../runner/workload.js";
import { bytesUnder, open } from "../stores/database.js";
import { type IntervalColumns, intervalColumns } from "../stores/interval-store.js";
import { type PowerLawColumns, powerLawColumns } from "../stores/power-law-store.js";

const ROUNDS = 3;
const ROWS_PER_SECOND_GATE = 1_000_000;
const LONGEST_HOLD_MS_GATE = 8;

async function ingestFigures(
  { scale, folder, progress }: Context,
  family: string,
  columns: IntervalColumns | PowerLawColumns,
): Promise<Figure[]> {
  const rates: number[] = [];
  const holds: number[] = [];
  let bytes = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const path = join(folder, `${family.replaceAll(" ", "-")}-${round}`);
    const db = await open(path);
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const ms = await elapsedMs(() => db.ingest(columns, { type: TYPE_NAMES[0], nodeLabels: [NODE_LABEL] }));
    delay.disable();
    const { edges } = await db.info();
    if (edges !== scale) throw new Error(`${family}: ${edges} edges in the store, expected ${scale}`);
    await db.close();
    rates.push((scale / ms) * 1e3);
    holds.push(delay.max / 1e6);
    bytes = bytesUnder(path);
    progress(`${family}: ${Math.round(ms)} ms`);
  }
  const rate = statistics(rates);
  return [
    {
      name: `ingest from typed columns, ${family}`,
      unit: "rows/s",
      value: rate.median,
      repetitions: ROUNDS,
      gate: atLeast(ROWS_PER_SECOND_GATE),
      notes: { least: rate.least, bytes_on_disk: bytes },
    },
    {
      name: `longest hold of the JavaScript thread, ${family}`,
      unit: "ms",
      value: statistics(holds).median,
      repetitions: ROUNDS,
      gate: atMost(LONGEST_HOLD_MS_GATE),
    },
  ];
}

export const workload: Workload = {
  summary: "bulk ingest from typed columns into a fresh durable store",
  defaultScale: 1_000_000,
  async run(context) {
    const { scale } = context;
    const { nodes, seed } = powerLawShape(scale);
    return [
      ...(await ingestFigures(context, "interval edges", intervalColumns(scale, events(scale)))),
      ...(await ingestFigures(context, "power-law events", powerLawColumns(powerLaw(scale, nodes, seed)))),
    ];
  },
};
