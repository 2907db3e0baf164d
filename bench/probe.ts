// Run in a process of its own by the reopen workload: opens a store, asks, and prints one line of JSON about time and memory.
// Usage: node --expose-gc --import tsx bench/probe.ts STORE intervals|power-law SCALE

import { questions } from "./data/corrected-intervals.js";
import { ARRIVAL_CALL, type Call, callOf, timedCall } from "./registry/ask.js";
import { elapsedMs } from "./runner/measure.js";
import { type Database, open } from "./stores/database.js";

export interface Probe {
  readonly open_ms: number;
  /** The first history after opening, asked for one node. */
  readonly first_ms: number;
  readonly edge_versions: number;
  /** Resident memory beyond that of the process before it opened the store. */
  readonly resident_bytes_open: number;
  readonly resident_bytes_asked: number;
  readonly peak_bytes: number;
}

/** Resident bytes once the garbage of JavaScript is gone: what remains is what the store holds. */
function residentBytes(): number {
  globalThis.gc?.();
  globalThis.gc?.();
  return process.memoryUsage.rss();
}

async function probe(path: string, family: string, scale: number): Promise<Probe> {
  const first: Call = { op: "entity_history", args: { uid: family === "intervals" ? "n1" : "0" } };
  const calls: Call[] = family === "intervals" ? questions(scale).map(callOf) : [ARRIVAL_CALL];
  const warm = await open(":memory:");
  await warm.close();
  const before = residentBytes();

  let db: Database | undefined;
  const openMs = await elapsedMs(async () => {
    db = await open(path);
  });
  const opened = db as unknown as Database;
  const firstMs = await elapsedMs(() => timedCall(opened, first));
  const afterOpen = residentBytes();
  for (const call of calls) await timedCall(opened, call);
  const afterAsking = residentBytes();
  const info = await opened.info();
  await opened.close();
  return {
    open_ms: openMs,
    first_ms: firstMs,
    edge_versions: info.edge_versions,
    resident_bytes_open: afterOpen - before,
    resident_bytes_asked: afterAsking - before,
    peak_bytes: process.resourceUsage().maxRSS * 1024,
  };
}

const [path, family, scale] = process.argv.slice(2);
if (path === undefined || family === undefined || scale === undefined)
  throw new Error("usage: probe STORE FAMILY SCALE");
process.stdout.write(`${JSON.stringify(await probe(path, family, Number(scale)))}\n`);
