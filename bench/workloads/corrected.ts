// Every question before and after a fifth of the edges is corrected, in one process: what a question may cost more is the growth of the
// believed rows times a factor. On interval edges half of the corrections cut an edge in two; power-law events are corrected whole.

import { join } from "node:path";
import { events, variantCorrection } from "../data/corrected-intervals.js";
import { powerLaw, powerLawShape } from "../data/power-law.js";
import { IntervalFacts } from "../registry/brute-force/interval-facts.js";
import { intervalJudge, judgedPowerLawQuestions, powerLawJudge, variantJudge } from "../registry/expected.js";
import { VARIANT_GATE_FACTOR } from "../registry/gates.js";
import { intervalQuestions } from "../registry/questions.js";
import { atMost, type Figure } from "../runner/figures.js";
import type { Context, Workload } from "../runner/workload.js";
import { open } from "../stores/database.js";
import { buildIntervalStore, correctVariant } from "../stores/interval-store.js";
import { correctPowerLawVariant, loadPowerLaw } from "../stores/power-law-store.js";
import { figureOf, type Timed, timeQuestions, wanted } from "./registry-run.js";

function figuresOf(before: readonly Timed[], after: readonly Timed[], growth: number): Figure[] {
  return after.map((timed, place) => {
    const { median: clean, cpu_ms: clean_cpu_ms } = (before[place] as Timed).timing;
    const gate = atMost(clean * growth * VARIANT_GATE_FACTOR);
    const notes = {
      clean_ms: clean,
      clean_cpu_ms,
      slower_by: timed.timing.median / clean,
      believed_rows_grew_by: growth,
    };
    return figureOf(timed, `${timed.question.id}, a fifth corrected`, gate, notes);
  });
}

function versionCount(facts: IntervalFacts): number {
  let count = 0;
  for (const _ of facts.versions()) count += 1;
  return count;
}

async function intervalFigures(context: Context): Promise<Figure[]> {
  const { scale, folder, progress } = context;
  const questions = intervalQuestions(scale);
  if (wanted(context, questions).length === 0) return [];
  const data = events(scale);
  const db = await open(join(folder, "intervals"));
  await buildIntervalStore(db, scale, data);
  const before = await timeQuestions(context, db, questions, intervalJudge(scale));
  await correctVariant(db, scale, data);
  progress("a fifth of the interval edges corrected");
  const facts = new IntervalFacts(scale, data, (event) => variantCorrection(scale, data, event));
  const growth = versionCount(facts) / versionCount(new IntervalFacts(scale, data));
  const after = await timeQuestions(context, db, questions, variantJudge(facts));
  await db.close();
  return figuresOf(before, after, growth);
}

async function powerLawFigures(context: Context): Promise<Figure[]> {
  const { scale, folder, progress } = context;
  const questions = judgedPowerLawQuestions(scale);
  if (wanted(context, questions).length === 0) return [];
  const { nodes, seed } = powerLawShape(scale);
  const list = powerLaw(scale, nodes, seed);
  const judge = powerLawJudge(scale, () => list);
  const db = await open(join(folder, "power-law"));
  await loadPowerLaw(db, list);
  const before = await timeQuestions(context, db, questions, judge);
  await correctPowerLawVariant(db, list);
  progress("a fifth of the power-law events corrected");
  const after = await timeQuestions(context, db, questions, judge);
  await db.close();
  return figuresOf(before, after, 1);
}

export const workload: Workload = {
  summary: "every question before and after a fifth of the edges is corrected",
  defaultScale: 1_000_000,
  async run(context) {
    return [...(await intervalFigures(context)), ...(await powerLawFigures(context))];
  },
};
