// For how long the JavaScript thread is held at most while the store loads, writes, reads, replays and grows.

import { join } from "node:path";
import { type Events, events, life, NODE_LABEL, nodeName, TYPE_NAMES } from "../data/corrected-intervals.js";
import { powerLaw, powerLawShape } from "../data/power-law.js";
import { callOf } from "../registry/calls.js";
import { instantOf } from "../registry/normal-forms.js";
import { intervalQuestions, powerLawQuestions, type Question } from "../registry/questions.js";
import { type Hold, longestHold } from "../runner/hold.js";
import { Holds } from "../runner/hold-figures.js";
import type { Workload } from "../runner/workload.js";
import { type Database, open } from "../stores/database.js";
import { correctionOf, intervalColumns, loadIntervals } from "../stores/interval-store.js";
import { loadPowerLaw } from "../stores/power-law-store.js";

const BATCH = 100_000;
const GROWTH_BATCHES = 100;
const GROWTH_NODES = 2_000;
const LONGEST_PAGE = 10_000;

/** Holds of one call in a store that is open. */
const during = (holds: Holds, name: string, call: () => Promise<unknown>) => holds.add(name, () => longestHold(call));

/** Holds of one write into a fresh store each time. */
async function freshHold(folder: string, write: (db: Database) => Promise<unknown>): Promise<Hold> {
  const db = await open(join(folder, `fresh-${performance.now()}`));
  const hold = await longestHold(() => write(db));
  await db.close();
  return hold;
}

async function loads(holds: Holds, folder: string, scale: number, data: Events): Promise<void> {
  const options = { type: TYPE_NAMES[0], nodeLabels: [NODE_LABEL] };
  const columns = intervalColumns(scale, data);
  await holds.add("load from typed columns", () => freshHold(folder, (db) => db.ingest(columns, options)));
  await holds.add("load in pieces of 50,000", () => freshHold(folder, (db) => loadIntervals(db, scale, data)));
  await holds.add("load in pieces, one commit", () =>
    freshHold(folder, (db) => db.ingest([columns, columns], { ...options, rowsPerCommit: Number.POSITIVE_INFINITY })),
  );
  const texts = {
    src: Array.from(data.src, nodeName),
    dst: Array.from(data.dst, nodeName),
    time: data.validFrom,
    valid_to: data.validTo,
  };
  await holds.add("load from string arrays", () => freshHold(folder, (db) => db.ingest(texts, options)));
}

async function growth(holds: Holds, folder: string): Promise<void> {
  const nodes = (first: number) =>
    Array.from({ length: GROWTH_NODES }, (_, i) => ({
      op: "assert_node" as const,
      uid: nodeName(first + i),
      labels: [NODE_LABEL],
      props: { rank: first + i, name: `name ${first + i}` },
      valid_from: 0n,
    }));
  const batches = Array.from({ length: GROWTH_BATCHES }, (_, i) => nodes(i * GROWTH_NODES));
  await holds.add(
    `growth by ${GROWTH_BATCHES} batches of ${GROWTH_NODES.toLocaleString("en-US")} nodes`,
    () =>
      freshHold(folder, async (db) => {
        for (const batch of batches) await db.write(batch);
      }),
    1,
  );
}

async function reads(holds: Holds, db: Database, scale: number): Promise<void> {
  const at = (share: number) => instantOf(Math.round(life(scale) * share));
  const call = (op: string, args: object) => () => db.call(op, args);
  await during(
    holds,
    "whole-graph reachability",
    call("temporal_reachability", { uid: nodeName(0), limit: LONGEST_PAGE }),
  );
  const corners = { left: { at: at(0.25) }, right: { at: at(0.75) } };
  await during(holds, "diff of distant instants", call("diff_snapshots", { ...corners, limit: LONGEST_PAGE }));
  await during(holds, "scan of events, 10,000 rows", call("scan", { of: "events", limit: LONGEST_PAGE }));
  await during(holds, "belief log, 10,000 rows", call("version_history", { limit: LONGEST_PAGE }));
  await during(holds, "digest", () => db.digest());
}

/** Every question of the registry with the longest page. */
async function questions(holds: Holds, db: Database, asked: readonly Question[]): Promise<void> {
  for (const question of asked) {
    const { op, args } = callOf(question);
    await during(holds, `${question.id}, 10,000 rows`, () => db.call(op, { ...args, limit: LONGEST_PAGE }));
  }
}

export const workload: Workload = {
  summary: "longest hold of the JavaScript thread by loads, batches, reads, replay and growth",
  defaultScale: 1_000_000,
  async run({ scale, folder, progress }) {
    const holds = new Holds(progress);
    const data = events(scale);
    await loads(holds, folder, scale, data);
    await growth(holds, folder);

    const path = join(folder, "kept");
    let db = await open(path);
    await loadIntervals(db, scale, data);
    const batchSize = Math.min(BATCH, scale);
    let weight = 0;
    await holds.add(`a batch of ${batchSize.toLocaleString("en-US")} corrections`, () => {
      weight += 1;
      const operations = Array.from({ length: batchSize }, (_, i) =>
        correctionOf(data, i, weight, data.validFrom[i] as bigint, data.validTo[i] as bigint),
      );
      return longestHold(() => db.write(operations));
    });
    await reads(holds, db, scale);
    await questions(holds, db, intervalQuestions(scale));
    await db.close();
    const { nodes, seed } = powerLawShape(scale);
    const messages = await open(join(folder, "messages"));
    await loadPowerLaw(messages, powerLaw(scale, nodes, seed));
    await questions(holds, messages, powerLawQuestions());
    await messages.close();
    await holds.add("opening by replay", async () => {
      const hold = await longestHold(async () => {
        db = await open(path, { readOnly: true });
      });
      await db.close();
      return hold;
    });
    return holds.figures;
  },
};
