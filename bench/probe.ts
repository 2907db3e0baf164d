// Run in a process of its own by the reopen workload: opens a store, asks, and prints one line of JSON about time or memory.
// Usage: node --import tsx bench/probe.ts time|memory STORE intervals|powerlaw SCALE

import { events } from "./data/corrected-intervals.js";
import { powerLaw } from "./data/power-law.js";
import { timedCall } from "./registry/ask.js";
import { type Call, callOf } from "./registry/calls.js";
import { intervalQuestions, powerLawQuestions } from "./registry/questions.js";
import type { Family } from "./runner/document.js";
import { elapsedMs } from "./runner/measure.js";
import { peakBytes, residentBytes } from "./runner/memory.js";
import { type Database, open } from "./stores/database.js";
import { buildIntervalStore } from "./stores/interval-store.js";
import { loadPowerLaw } from "./stores/power-law-store.js";

const SMALL_SCALE = 20_000;

/** Of a process that does nothing before it opens the store. */
export interface TimeProbe {
  readonly open_ms: number;
  /** The first history of the process, asked for one node. */
  readonly first_ms: number;
  readonly second_ms: number;
}

/** Of a process that has asked every question of a small store before, so that code and contracts are there already. */
export interface MemoryProbe {
  readonly edge_versions: number;
  readonly resident_bytes_open: number;
  readonly resident_bytes_asked: number;
  readonly peak_bytes: number;
}

function historyCall(family: Family): Call {
  return { op: "entity_history", args: { uid: family === "intervals" ? "n1" : "0" } };
}

async function probeTime(path: string, family: Family): Promise<TimeProbe> {
  let db: Database | undefined;
  const openMs = await elapsedMs(async () => {
    db = await open(path);
  });
  const opened = db as unknown as Database;
  const firstMs = await elapsedMs(() => timedCall(opened, historyCall(family)));
  const secondMs = await elapsedMs(() => timedCall(opened, historyCall(family)));
  await opened.close();
  return { open_ms: openMs, first_ms: firstMs, second_ms: secondMs };
}

function callsOf(family: Family, scale: number): Call[] {
  return (family === "intervals" ? intervalQuestions(scale) : powerLawQuestions()).map(callOf);
}

/** Every question of both families once, so that code, contracts and caches of their own are there before anything is measured. */
async function askSmallStores(): Promise<void> {
  const fills: { readonly [family in Family]: (db: Database) => Promise<void> } = {
    intervals: (db) => buildIntervalStore(db, SMALL_SCALE, events(SMALL_SCALE)),
    powerlaw: (db) => loadPowerLaw(db, powerLaw(SMALL_SCALE, 400, 101)),
  };
  for (const family of ["intervals", "powerlaw"] as const) {
    const small = await open(":memory:");
    await fills[family](small);
    for (const call of callsOf(family, SMALL_SCALE)) await timedCall(small, call);
    await small.close();
  }
}

async function probeMemory(path: string, family: Family, scale: number): Promise<MemoryProbe> {
  await askSmallStores();
  const before = residentBytes();
  const db = await open(path);
  await timedCall(db, historyCall(family));
  const afterOpen = residentBytes();
  for (const call of callsOf(family, scale)) await timedCall(db, call);
  const afterAsking = residentBytes();
  const info = await db.info();
  await db.close();
  return {
    edge_versions: info.edge_versions,
    resident_bytes_open: afterOpen - before,
    resident_bytes_asked: afterAsking - before,
    peak_bytes: peakBytes(),
  };
}

const [mode, path, family, scale] = process.argv.slice(2);
if (path === undefined || (family !== "intervals" && family !== "powerlaw") || (mode !== "time" && mode !== "memory")) {
  throw new Error("usage: probe time|memory STORE intervals|powerlaw SCALE");
}
const probe = mode === "time" ? await probeTime(path, family) : await probeMemory(path, family, Number(scale));
process.stdout.write(`${JSON.stringify(probe)}\n`);
