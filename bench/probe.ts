// Run in a process of its own by the reopen workload: opens a store, asks, and prints one line of JSON about time or memory.
// Usage: node --expose-gc --import tsx bench/probe.ts time|memory STORE intervals|power-law SCALE

import { events, questions } from "./data/corrected-intervals.js";
import { ARRIVAL_CALL, type Call, callOf, timedCall } from "./registry/ask.js";
import { elapsedMs } from "./runner/measure.js";
import { type Database, open } from "./stores/database.js";
import { buildIntervalStore } from "./stores/interval-store.js";

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

type Family = "intervals" | "power-law";

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

/** Resident bytes once the garbage of JavaScript is gone. */
function residentBytes(): number {
  globalThis.gc?.();
  globalThis.gc?.();
  return process.memoryUsage.rss();
}

async function askSmallStore(): Promise<void> {
  const small = await open(":memory:");
  await buildIntervalStore(small, SMALL_SCALE, events(SMALL_SCALE));
  for (const question of questions(SMALL_SCALE)) await timedCall(small, callOf(question));
  await small.close();
}

async function probeMemory(path: string, family: Family, scale: number): Promise<MemoryProbe> {
  const calls: Call[] = family === "intervals" ? questions(scale).map(callOf) : [ARRIVAL_CALL];
  await askSmallStore();
  const before = residentBytes();
  const db = await open(path);
  await timedCall(db, historyCall(family));
  const afterOpen = residentBytes();
  for (const call of calls) await timedCall(db, call);
  const afterAsking = residentBytes();
  const info = await db.info();
  await db.close();
  return {
    edge_versions: info.edge_versions,
    resident_bytes_open: afterOpen - before,
    resident_bytes_asked: afterAsking - before,
    peak_bytes: process.resourceUsage().maxRSS * 1024,
  };
}

const [mode, path, family, scale] = process.argv.slice(2);
if (
  path === undefined ||
  (family !== "intervals" && family !== "power-law") ||
  (mode !== "time" && mode !== "memory")
) {
  throw new Error("usage: probe time|memory STORE intervals|power-law SCALE");
}
const probe = mode === "time" ? await probeTime(path, family) : await probeMemory(path, family, Number(scale));
process.stdout.write(`${JSON.stringify(probe)}\n`);
