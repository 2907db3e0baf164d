// The thirteen questions mixed, asked without pause by several readers in one process: alone, and beside a writer of small batches.

import { join } from "node:path";
import { events, life, nodeCount, nodeName, TYPE_NAMES } from "../data/corrected-intervals.js";
import { answerOf, timedCall } from "../registry/ask.js";
import { callOf } from "../registry/calls.js";
import { intervalJudge } from "../registry/expected.js";
import { READERS_GATE, SLOWER_BESIDE_WRITER_GATE_PERCENT } from "../registry/gates.js";
import { intervalQuestions } from "../registry/questions.js";
import { atLeast, atMost } from "../runner/figures.js";
import type { Workload } from "../runner/workload.js";
import { type Database, open } from "../stores/database.js";
import { buildIntervalStore } from "../stores/interval-store.js";

const READERS = 8;
const SECONDS = 10;
const BATCHES_PER_SECOND = 20;
const ROWS_PER_BATCH = 100;

/** Answers per second of all readers together; each takes the next question of the list in turn. */
async function answersPerSecond(db: Database, scale: number): Promise<number> {
  const calls = intervalQuestions(scale).map(callOf);
  const begun = performance.now();
  let answers = 0;
  const reader = async (first: number): Promise<void> => {
    for (let turn = first; performance.now() - begun < SECONDS * 1e3; turn++) {
      await timedCall(db, calls[turn % calls.length] as (typeof calls)[number]);
      answers += 1;
    }
  };
  await Promise.all(Array.from({ length: READERS }, (_, number) => reader(number)));
  return answers / ((performance.now() - begun) / 1e3);
}

/** Writes batches at their due times until it is stopped; resolves to the number of batches. */
function writeSteadily(db: Database, scale: number): () => Promise<number> {
  const begun = performance.now();
  const nodes = nodeCount(scale);
  let isStopped = false;
  const edge = (batch: number, row: number) => ({
    op: "assert_edge" as const,
    src: nodeName((batch * ROWS_PER_BATCH + row) % nodes),
    type: TYPE_NAMES[0],
    dst: nodeName((batch + row * 7) % nodes),
    key: `written-${batch}-${row}`,
    valid_from: BigInt(scale + batch),
    valid_to: BigInt(scale + batch + life(scale)),
  });
  const run = async (): Promise<number> => {
    let batch = 0;
    while (!isStopped) {
      await db.write(Array.from({ length: ROWS_PER_BATCH }, (_, row) => edge(batch, row)));
      batch += 1;
      const due = begun + (batch * 1e3) / BATCHES_PER_SECOND;
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())));
    }
    return batch;
  };
  const running = run();
  return () => {
    isStopped = true;
    return running;
  };
}

export const workload: Workload = {
  summary: "answers per second of eight readers in one process, alone and beside a writer",
  defaultScale: 1_000_000,
  async run({ scale, folder, progress }) {
    const db = await open(join(folder, "store"));
    await buildIntervalStore(db, scale, events(scale));
    const judge = intervalJudge(scale);
    for (const question of intervalQuestions(scale)) {
      const difference = judge(question, await answerOf(db, question));
      if (difference !== null) throw new Error(`${question.id}: wrong answer at ${difference}`);
    }
    progress("store built, answers right");
    const alone = await answersPerSecond(db, scale);
    progress(`alone: ${Math.round(alone)} answers/s`);
    const stop = writeSteadily(db, scale);
    const beside = await answersPerSecond(db, scale);
    const batches = await stop();
    await db.close();
    const gate = READERS_GATE[scale];
    return [
      {
        name: `answers of ${READERS} readers`,
        unit: "answers/s",
        value: alone,
        gate: gate === undefined ? undefined : atLeast(gate),
      },
      {
        name: `fewer answers beside a writer of ${BATCHES_PER_SECOND} × ${ROWS_PER_BATCH} rows/s`,
        unit: "%",
        value: 100 * (1 - beside / alone),
        gate: atMost(SLOWER_BESIDE_WRITER_GATE_PERCENT),
        notes: { answers_per_second: beside, batches_per_second: batches / SECONDS },
      },
    ];
  },
};
