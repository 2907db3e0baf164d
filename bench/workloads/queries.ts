// The thirteen questions on corrected interval edges, in a warm store after all its writes.

import { join } from "node:path";
import { events } from "../data/corrected-intervals.js";
import { intervalJudge } from "../registry/expected.js";
import { intervalQuestions } from "../registry/questions.js";
import type { Workload } from "../runner/workload.js";
import { buildIntervalStore } from "../stores/interval-store.js";
import { documentOf, gatedFigure, loaded, timeQuestions } from "./registry-run.js";

export const workload: Workload = {
  summary: "the thirteen questions on corrected interval edges",
  defaultScale: 1_000_000,
  async run(context) {
    const { scale, folder, progress } = context;
    const { db, load } = await loaded(join(folder, "store"), scale, (store) =>
      buildIntervalStore(store, scale, events(scale)),
    );
    progress("store built");
    const timed = await timeQuestions(context, db, intervalQuestions(scale), intervalJudge(scale));
    await db.close();
    return {
      figures: timed.map((each) => gatedFigure(each, scale)),
      document: documentOf("intervals", scale, load, timed),
    };
  },
};
