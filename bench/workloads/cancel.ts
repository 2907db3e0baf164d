// From the abort of a long call to its rejection: all motifs within a day over a power-law history, aborted once it is under way.

import { join } from "node:path";
import { powerLaw, powerLawShape } from "../data/power-law.js";
import { callOf } from "../registry/calls.js";
import { CANCEL_GATE_MS } from "../registry/gates.js";
import { atMost } from "../runner/figures.js";
import { statistics } from "../runner/measure.js";
import type { Workload } from "../runner/workload.js";
import { open } from "../stores/database.js";
import { loadPowerLaw } from "../stores/power-law-store.js";

const REPETITIONS = 20;
const UNDER_WAY_MS = 10;

export const workload: Workload = {
  summary: "from the abort of a long call to its rejection",
  defaultScale: 1_000_000,
  async run({ scale, folder, progress }) {
    const { nodes, seed } = powerLawShape(scale);
    const db = await open(join(folder, "store"));
    await loadPowerLaw(db, powerLaw(scale, nodes, seed));
    progress("store loaded");
    const { op, args } = callOf({ id: "motifs36.86400", deltaSeconds: 86_400 });
    const samples: number[] = [];
    for (let turn = 0; turn < REPETITIONS; turn++) {
      const abort = new AbortController();
      const settled = db.call(op, args, { signal: abort.signal }).then(
        () => "answered",
        (error: { code?: string }) => error.code,
      );
      await new Promise((resolve) => setTimeout(resolve, UNDER_WAY_MS));
      const begun = performance.now();
      abort.abort();
      const outcome = await settled;
      samples.push(performance.now() - begun);
      if (outcome !== "E_CANCELLED") throw new Error(`an aborted call ended with ${outcome}`);
    }
    await db.close();
    const { median, p95, repetitions } = statistics(samples);
    return [{ name: "abort to rejection", unit: "ms", value: median, p95, repetitions, gate: atMost(CANCEL_GATE_MS) }];
  },
};
