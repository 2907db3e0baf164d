// Workers that load the addon at once, and are terminated at any moment of their reads and writes; the main thread goes on.
import assert from "node:assert/strict";
import { setTimeout } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { open } from "../../../src/database.js";
import { messages, person } from "../../support/small-batches.js";

const path = process.argv[2]!;
/** Beside this script, as both are bundled. */
const SCRIPT = new URL("./busy-worker.js", import.meta.url);

function start(role: string): { worker: Worker; isReady: Promise<unknown> } {
  const worker = new Worker(SCRIPT, { workerData: { role, path } });
  worker.on("error", (error) => {
    console.error(error);
    process.exitCode = 1;
  });
  return { worker, isReady: new Promise((resolve) => worker.once("message", resolve)) };
}

const seed = Number(process.argv[3] ?? "1");
let state = seed;
function below(limit: number): number {
  state = (Math.imul(state, 1103515245) + 12345) >>> 0;
  return (state >>> 8) % limit;
}

const first = await open(path);
await first.ingest(messages(100_000), { type: "M" });

// Readers of one core beside its writer here, ended while they read, walk and listen.
for (let round = 0; round < 2; round += 1) {
  const readers = [start("reader"), start("reader")];
  await Promise.all(readers.map(({ isReady }) => isReady));
  const writes = Array.from({ length: 20 }, (_, i) => first.write([person(`r${round}-${i}`)]));
  for (const { worker } of readers) {
    await setTimeout(below(12));
    await worker.terminate();
  }
  await Promise.all(writes);
}
const digest = await first.digest();
await first.close();

// Writers, ended in the middle of batches and loads; whoever comes next finds a whole store.
for (let round = 0; round < 3; round += 1) {
  const { worker, isReady } = start("writer");
  await isReady;
  await setTimeout(below(40));
  await worker.terminate();
  const db = await open(path);
  const { tx } = await db.head();
  assert.equal((await db.write([person(`w${round}`)])).tx, tx + 1);
  assert.equal((await db.info()).tx, tx + 1);
  await db.close();
}
assert.equal(digest.length, 64);
console.log("ok");
