// Works without end until it is terminated: reads and listens, or writes and loads. Says when it is in the middle of it.
import { parentPort, workerData } from "node:worker_threads";
import { open } from "../../../src/database.js";
import { messages, person } from "../../support/small-batches.js";

const { role, path } = workerData as { role: "reader" | "writer"; path: string };
const db = await open(path, role === "reader" ? { readOnly: true } : {});
let heard = 0;
db.subscribe(() => (heard += 1));

for (let i = 0; ; i += 1) {
  if (role === "reader") {
    void db.digest();
    const calls = [
      db.call("scan", { of: "events", limit: 1000 }),
      db.call("temporal_reachability", { uid: "p0" }),
      db.call("entity_history", { ref: { uid: "p1" } }),
    ];
    await Promise.all(calls);
  } else {
    const batches = Array.from({ length: 10 }, (_, j) => db.write([person(`${heard}-${i}-${j}`)]));
    void db.ingest(messages(60_000), { type: "M" });
    await Promise.all(batches);
  }
  if (i === 0) parentPort!.postMessage("ready");
}
