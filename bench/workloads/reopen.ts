// A finished store opened by replay in fresh processes: how long it takes, the first answer, and what stays resident per edge.
// Resident memory is that of the whole process less what it had before it opened the store.

import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { events } from "../data/corrected-intervals.js";
import { powerLaw, powerLawShape } from "../data/power-law.js";
import type { Probe } from "../probe.js";
import { atMost, type Figure } from "../runner/figures.js";
import { statistics } from "../runner/measure.js";
import type { Context, Workload } from "../runner/workload.js";
import { open } from "../stores/database.js";
import { buildIntervalStore } from "../stores/interval-store.js";
import { loadPowerLaw } from "../stores/power-law-store.js";

const PROBES = 3;
const RESIDENT_BYTES_GATE = 120;

async function probeStore(store: string, family: string, scale: number): Promise<Probe> {
  const script = join(import.meta.dirname, "..", "probe.ts");
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["--expose-gc", "--import", "tsx", script, store, family, String(scale)],
    { cwd: join(import.meta.dirname, "..", "..") },
  );
  return JSON.parse(stdout) as Probe;
}

async function reopenFigures(
  { scale, progress }: Context,
  store: string,
  family: "intervals" | "power-law",
): Promise<Figure[]> {
  const probes: Probe[] = [];
  for (let round = 0; round < PROBES; round++) {
    const probe = await probeStore(store, family, scale);
    probes.push(probe);
    progress(`${family}: opened in ${Math.round(probe.open_ms)} ms`);
  }
  const over = (value: (probe: Probe) => number) => statistics(probes.map(value));
  const named = (name: string) => `${name}, ${family === "intervals" ? "interval edges" : "power-law events"}`;
  const opening = over((probe) => probe.open_ms);
  return [
    {
      name: named("open by replay"),
      unit: "ms",
      value: opening.median,
      repetitions: PROBES,
      notes: { least: opening.least },
    },
    {
      name: named("first history after opening"),
      unit: "ms",
      value: over((probe) => probe.first_ms).median,
      repetitions: PROBES,
    },
    {
      name: named("resident per edge version, opened"),
      unit: "bytes",
      value: over((probe) => probe.resident_bytes_open / probe.edge_versions).median,
      repetitions: PROBES,
      gate: atMost(RESIDENT_BYTES_GATE),
      notes: { peak_bytes_of_process: over((probe) => probe.peak_bytes).median },
    },
    {
      name: named("resident per edge version, all asked"),
      unit: "bytes",
      value: over((probe) => probe.resident_bytes_asked / probe.edge_versions).median,
      repetitions: PROBES,
      gate: atMost(RESIDENT_BYTES_GATE),
    },
  ];
}

export const workload: Workload = {
  summary: "open by replay in a fresh process, first answer, resident bytes per edge",
  defaultScale: 1_000_000,
  async run(context) {
    const { scale, folder, progress } = context;
    const intervals = join(folder, "intervals");
    let db = await open(intervals);
    await buildIntervalStore(db, scale, events(scale));
    await db.close();
    const messages = join(folder, "power-law");
    const { nodes, seed } = powerLawShape(scale);
    db = await open(messages);
    await loadPowerLaw(db, powerLaw(scale, nodes, seed));
    await db.close();
    progress("stores built");
    return [
      ...(await reopenFigures(context, intervals, "intervals")),
      ...(await reopenFigures(context, messages, "power-law")),
    ];
  },
};
