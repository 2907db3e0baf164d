// The questions of family 1 in a warm store after its corrections: every answer is checked whole, then one call is timed.
// Timed as a user calls: latest belief unless asked otherwise, first page of 100 rows, envelope and digest included.

import { join } from "node:path";
import { events, type Question, questions } from "../data/corrected-intervals.js";
import { answerOf, callOf, timedCall } from "../registry/ask.js";
import { checkAnswer, publishedDigest } from "../registry/expected.js";
import { answerDigest } from "../registry/normal-forms.js";
import { type Figure, gateAt, timedFigure } from "../runner/figures.js";
import { elapsedMs, measureRounds } from "../runner/measure.js";
import type { Workload } from "../runner/workload.js";
import { open } from "../stores/database.js";
import { buildIntervalStore } from "../stores/interval-store.js";

const ROUNDS = 3;
const GATES_MS: { readonly [id in Question["id"]]: { readonly [scale: number]: number } } = {
  "hist.single": { 1000000: 0.1, 10000000: 0.1 },
  "hist.asof": { 1000000: 0.1, 10000000: 0.1 },
  "snap.hop2": { 1000000: 1, 10000000: 2 },
  "diff.global": { 1000000: 10, 10000000: 60 },
  "reach.window": { 1000000: 6, 10000000: 60 },
};

export const workload: Workload = {
  summary: "entity_history, 2-hop snapshot, global diff and reachability over corrected interval edges",
  defaultScale: 1_000_000,
  async run({ scale, folder, progress }) {
    const data = events(scale);
    const db = await open(join(folder, "store"));
    await buildIntervalStore(db, scale, data);
    progress("store built");

    const asked: { question: Question; firstMs: number; digest: string }[] = [];
    for (const question of questions(scale)) {
      const firstMs = await elapsedMs(() => timedCall(db, callOf(question)));
      const answer = await answerOf(db, question);
      checkAnswer(scale, data, question, answer);
      asked.push({ question, firstMs, digest: answerDigest(answer) });
      progress(
        `${question.id}: answer agrees with ${publishedDigest(scale, question.id) === null ? "brute force" : "the published digest"}`,
      );
    }

    const figures: Figure[] = [];
    for (const { question, firstMs, digest } of asked) {
      const call = callOf(question);
      const timing = await measureRounds(() => timedCall(db, call), ROUNDS);
      const gate = gateAt(scale, GATES_MS[question.id]);
      figures.push(timedFigure(`${question.id} (${call.op})`, timing, gate, { digest, first_ms: firstMs }));
    }
    await db.close();
    return figures;
  },
};
