// A store in two threads: the main one writes, a worker reads the same store beside it and answers questions.
// Handles of one process share one engine, so that the worker sees each commit when it is published.
// Run: node examples/worker-thread.mjs STORE
import { once } from "node:events";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { open } from "palimpsest";

if (isMainThread) await main(process.argv[2]);
else await answer(workerData);

async function main(path) {
  if (path === undefined) {
    console.error("usage: node examples/worker-thread.mjs STORE");
    process.exitCode = 2;
    return;
  }
  const db = await open(path);
  const worker = new Worker(new URL(import.meta.url), { workerData: path });
  await once(worker, "message");
  for (const [i, city] of ["Lyon", "Nantes"].entries()) {
    await db.write([{ op: "assert_node", uid: city, labels: ["City"], valid_from: `202${i}-01-01` }]);
    worker.postMessage({ question: "SELECT COUNT(*) AS cities FROM NODES(City)" });
    const [{ tx, rows }] = await once(worker, "message");
    console.log(`tx:${tx}: ${rows[0].cities} in the worker`);
  }
  worker.postMessage({ question: null });
  await once(worker, "exit");
  await db.close();
}

async function answer(path) {
  const db = await open(path, { readOnly: true });
  parentPort.on("message", async ({ question }) => {
    if (question === null) {
      await db.close();
      parentPort.close();
      return;
    }
    const { rows, pin } = await db.query(question);
    parentPort.postMessage({ tx: pin.tx, rows });
  });
  parentPort.postMessage("ready");
}
