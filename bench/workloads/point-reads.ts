// Reads of microseconds, for which one timing says little: entity_history now and then, and head(), by the micro-benchmark package.

import { join } from "node:path";
import { events } from "../data/corrected-intervals.js";
import { micro } from "../micro.js";
import { answerOf, timedCall } from "../registry/ask.js";
import { callOf } from "../registry/calls.js";
import { intervalJudge } from "../registry/expected.js";
import { intervalQuestions } from "../registry/questions.js";
import type { Workload } from "../runner/workload.js";
import { open } from "../stores/database.js";
import { buildIntervalStore } from "../stores/interval-store.js";

export const workload: Workload = {
  summary: "entity_history and head(), many thousand turns each",
  defaultScale: 1_000_000,
  async run({ scale, folder, progress }) {
    const db = await open(join(folder, "store"));
    await buildIntervalStore(db, scale, events(scale));
    progress("store built");
    const judge = intervalJudge(scale);
    const histories = intervalQuestions(scale).filter(({ id }) => id === "hist.single" || id === "hist.asof");
    for (const question of histories) {
      const difference = judge(question, await answerOf(db, question));
      if (difference !== null) throw new Error(`${question.id}: wrong answer at ${difference}`);
    }
    const cases = histories.map((question): [string, () => unknown] => {
      const call = callOf(question);
      return [`${question.id} (${call.op})`, () => timedCall(db, call)];
    });
    const results = await micro({ ...Object.fromEntries(cases), "head()": () => db.head() });
    await db.close();
    return results.map(({ name, mean_us, margin_percent, samples }) => ({
      name,
      unit: "µs",
      value: mean_us,
      repetitions: samples,
      notes: { margin_percent },
    }));
  },
};
