// Corrections of edges all over a store, in batches of three sizes, from objects: with the flush and without it.
// "Without" is a store of durability "none", which writes the same frames and never waits for the disk.

import { join } from "node:path";
import { type Events, events } from "../data/corrected-intervals.js";
import { shuffledOrder } from "../data/shuffle.js";
import { atMost, type Figure } from "../runner/figures.js";
import { elapsedMs, statistics } from "../runner/measure.js";
import type { Context, Workload } from "../runner/workload.js";
import { type Database, open } from "../stores/database.js";
import { correctionOf, edgeRef, loadIntervals } from "../stores/interval-store.js";

const SEED = 41;
const WEIGHT = 4;
const WARM_UP_BATCHES = 100;
const BATCHES = [
  { size: 100, count: 100 },
  { size: 10_000, count: 5 },
  { size: 100_000, count: 2 },
] as const;
const MICROSECONDS_EACH_GATE = 15;

/** Hands out events in shuffled order, from the beginning again when all have been corrected. */
function* takeTurns(order: Uint32Array): Generator<number, never> {
  for (;;) yield* order;
}

function batchOf(data: Events, turns: Generator<number, never>, size: number) {
  return Array.from({ length: size }, () => {
    const event = turns.next().value;
    return correctionOf(data, event, WEIGHT, data.validFrom[event] as bigint, data.validTo[event] as bigint);
  });
}

async function requireCorrected(db: Database, data: Events, event: number): Promise<void> {
  const { rows } = (await db.call("entity_history", { ref: edgeRef(data, event) })) as unknown as {
    rows: { props: { weight?: number } }[];
  };
  if (rows.length !== 1 || rows[0]?.props.weight !== WEIGHT) {
    throw new Error(`event ${event} is not corrected: ${JSON.stringify(rows)}`);
  }
}

async function correctionFigures(context: Context, data: Events, durability: "full" | "none"): Promise<Figure[]> {
  const { scale, folder, progress } = context;
  const order = shuffledOrder(scale, SEED);
  const turns = takeTurns(order);
  const db = await open(join(folder, durability), { durability });
  await loadIntervals(db, scale, data);
  for (let batch = 0; batch < WARM_UP_BATCHES; batch++) await db.write(batchOf(data, turns, 100));
  const figures: Figure[] = [];
  for (const { size, count } of BATCHES) {
    const samples: number[] = [];
    let cpuUs = 0;
    for (let batch = 0; batch < count; batch++) {
      const operations = batchOf(data, turns, size);
      const cpuBefore = process.cpuUsage();
      samples.push(((await elapsedMs(() => db.write(operations))) / size) * 1e3);
      const { user, system } = process.cpuUsage(cpuBefore);
      cpuUs += user + system;
    }
    const each = statistics(samples);
    progress(`${durability}, batches of ${size}: ${each.median.toFixed(2)} µs each`);
    figures.push({
      name: `correction in batches of ${size.toLocaleString("en-US")}, flush ${durability === "full" ? "included" : "excluded"}`,
      unit: "µs each",
      value: each.median,
      p95: each.p95,
      repetitions: each.repetitions,
      gate: durability === "none" ? atMost(MICROSECONDS_EACH_GATE) : undefined,
      notes: { least: each.least, cpu_us_each: cpuUs / (size * count) },
    });
  }
  await requireCorrected(db, data, order[0] as number);
  await db.close();
  return figures;
}

export const workload: Workload = {
  summary: "corrections at batches of 100, 10,000 and 100,000, from objects",
  defaultScale: 1_000_000,
  async run(context) {
    const data = events(context.scale);
    return [...(await correctionFigures(context, data, "none")), ...(await correctionFigures(context, data, "full"))];
  },
};
