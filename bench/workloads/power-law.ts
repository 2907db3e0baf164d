// The questions on power-law events: all motifs of three events within an hour and within a day, and earliest arrival.

import { join } from "node:path";
import { powerLaw, powerLawShape } from "../data/power-law.js";
import { judgedPowerLawQuestions, powerLawJudge } from "../registry/expected.js";
import type { Workload } from "../runner/workload.js";
import { loadPowerLaw } from "../stores/power-law-store.js";
import { documentOf, gatedFigure, loaded, timeQuestions } from "./registry-run.js";

export const workload: Workload = {
  summary: "all 36 motifs and earliest arrival on power-law events",
  defaultScale: 1_000_000,
  async run(context) {
    const { scale, folder, progress } = context;
    const { nodes, seed } = powerLawShape(scale);
    const list = () => powerLaw(scale, nodes, seed);
    const { db, load } = await loaded(join(folder, "store"), scale, (store) => loadPowerLaw(store, list()));
    progress("store built");
    const timed = await timeQuestions(context, db, judgedPowerLawQuestions(scale), powerLawJudge(scale, list));
    await db.close();
    return {
      figures: timed.map((each) => gatedFigure(each, scale)),
      document: documentOf("powerlaw", scale, load, timed),
    };
  },
};
