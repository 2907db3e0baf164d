// Earliest arrival from node 0 over the whole power-law history, checked against one pass over the list, then timed.

import { join } from "node:path";
import { powerLaw, powerLawShape } from "../data/power-law.js";
import { ARRIVAL_CALL, arrivalAnswer, timedCall } from "../registry/ask.js";
import { powerLawArrivals } from "../registry/brute-force.js";
import { requireEqual } from "../registry/expected.js";
import { answerDigest } from "../registry/normal-forms.js";
import { gateAt, timedFigure } from "../runner/figures.js";
import { elapsedMs, measureRounds } from "../runner/measure.js";
import type { Workload } from "../runner/workload.js";
import { open } from "../stores/database.js";
import { loadPowerLaw } from "../stores/power-law-store.js";

const ROUNDS = 3;

export const workload: Workload = {
  summary: "earliest arrival over a whole power-law history",
  defaultScale: 1_000_000,
  async run({ scale, folder, progress }) {
    const { nodes, seed } = powerLawShape(scale);
    const list = powerLaw(scale, nodes, seed);
    const db = await open(join(folder, "store"));
    await loadPowerLaw(db, list);
    progress("store loaded");

    const firstMs = await elapsedMs(() => timedCall(db, ARRIVAL_CALL));
    const answer = await arrivalAnswer(db);
    requireEqual("arrival.node0", answer, powerLawArrivals(list));
    progress("arrival.node0: answer agrees with brute force");
    const timing = await measureRounds(() => timedCall(db, ARRIVAL_CALL), ROUNDS);
    await db.close();
    const gate = gateAt(scale, { 1000000: 4, 10000000: 40 });
    const notes = { digest: answerDigest(answer), first_ms: firstMs };
    return [timedFigure("arrival.node0 (temporal_reachability)", timing, gate, notes)];
  },
};
