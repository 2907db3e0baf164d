// A finished store opened by replay in fresh processes: how long it takes, the first answer, and what stays resident per edge.
// Resident memory is that of the whole process less what it had, all code loaded, before it opened the store.

import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { events } from "../data/corrected-intervals.js";
import { powerLaw, powerLawShape } from "../data/power-law.js";
import type { MemoryProbe, TimeProbe } from "../probe.js";
import type { Family } from "../runner/document.js";
import { atMost, type Figure } from "../runner/figures.js";
import { type Statistics, statistics } from "../runner/measure.js";
import type { Context, Workload } from "../runner/workload.js";
import { open } from "../stores/database.js";
import { buildIntervalStore } from "../stores/interval-store.js";
import { loadPowerLaw } from "../stores/power-law-store.js";

const PROBES = 3;
const RESIDENT_BYTES_GATE = 120;

async function probe<Result>(mode: "time" | "memory", store: string, family: Family, scale: number): Promise<Result> {
  const root = join(import.meta.dirname, "..", "..");
  const script = join(root, "bench", "probe.ts");
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["--import", "tsx", script, mode, store, family, String(scale)],
    { cwd: root },
  );
  return JSON.parse(stdout) as Result;
}

async function probes<Result>(run: () => Promise<Result>): Promise<(value: (result: Result) => number) => Statistics> {
  const results: Result[] = [];
  for (let round = 0; round < PROBES; round++) results.push(await run());
  return (value) => statistics(results.map(value));
}

async function reopenFigures({ scale, progress }: Context, store: string, family: Family): Promise<Figure[]> {
  const named = (name: string) => `${name}, ${family === "intervals" ? "interval edges" : "power-law events"}`;
  const time = await probes(() => probe<TimeProbe>("time", store, family, scale));
  const opening = time(({ open_ms }) => open_ms);
  const first = time(({ first_ms }) => first_ms);
  progress(`${family}: opened in ${Math.round(opening.median)} ms`);
  const memory = await probes(() => probe<MemoryProbe>("memory", store, family, scale));
  const resident = (name: string, bytes: (result: MemoryProbe) => number): Figure => ({
    name: named(`resident per edge version, ${name}`),
    unit: "bytes",
    value: memory((result) => bytes(result) / result.edge_versions).median,
    repetitions: PROBES,
    gate: atMost(RESIDENT_BYTES_GATE),
    notes: { peak_bytes_of_process: memory(({ peak_bytes }) => peak_bytes).median },
  });
  return [
    {
      name: named("open by replay"),
      unit: "ms",
      value: opening.median,
      repetitions: PROBES,
      notes: { least: opening.least },
    },
    {
      name: named("first history of the process"),
      unit: "ms",
      value: first.median,
      repetitions: PROBES,
      notes: { least: first.least, second_history_ms: time(({ second_ms }) => second_ms).median },
    },
    resident("opened", ({ resident_bytes_open }) => resident_bytes_open),
    resident("all asked", ({ resident_bytes_asked }) => resident_bytes_asked),
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
      ...(await reopenFigures(context, messages, "powerlaw")),
    ];
  },
};
