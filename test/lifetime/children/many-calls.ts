// 100,000 trivial calls of each kind: resident memory must not grow with their number. Prints bytes per call, of the
// round that took the least.
import { open } from "../../../src/database.js";
import { addon } from "../../../src/native/addon.js";
import { messages, person, retraction } from "../../support/small-batches.js";
import { collect } from "./collect.js";

const CALLS = 100_000;
const db = await open(":memory:");
await db.ingest(messages(2000), { type: "M" });
const core = addon.openCore(null);

const KINDS: Record<string, (count: number) => unknown> = {
  views: (count) => {
    for (let i = 0; i < count; i += 1) core.view(null).release();
  },
  "views left to the collector": (count) => {
    for (let i = 0; i < count; i += 1) core.view(null);
  },
  stops: (count) => {
    for (let i = 0; i < count; i += 1) addon.createStop(1000, 10, null).cancel();
  },
  statistics: (count) => {
    const view = core.view(null);
    for (let i = 0; i < count; i += 1) addon.statistics.knowsNode(view, "nobody");
    view.release();
  },
  errors: (count) => {
    for (let i = 0; i < count; i += 1) {
      try {
        core.view(99);
      } catch {}
    }
  },
  reads: async (count) => {
    for (let i = 0; i < count / 10; i += 1) await db.call("entity_history", { ref: { uid: "p1" }, limit: 1 });
  },
  "pool jobs": async (count) => {
    for (let i = 0; i < count / 100; i += 1) {
      await Promise.all(
        Array.from({ length: 20 }, () =>
          db
            .call("scan", { of: "events", limit: 1, where: { edge: [{ prop: "w", op: "gt", value: 1 }] } })
            .catch(() => 0),
        ),
      );
    }
  },
  rejections: async (count) => {
    for (let i = 0; i < count / 50; i += 1) {
      await db.write([person("new"), retraction("nobody")]).catch(() => undefined);
    }
  },
};

for (const [kind, run] of Object.entries(KINDS)) {
  // What a round takes once is kept for the next (caches, compiled code, arenas, the heap's own steps); a leak goes on.
  const slopes: number[] = [];
  for (let round = 0; round < 4; round += 1) {
    const before = process.memoryUsage().rss;
    await run(CALLS / 4);
    await collect();
    slopes.push(((process.memoryUsage().rss - before) / CALLS) * 4);
  }
  console.log(`${kind}: ${Math.min(...slopes.slice(1)).toFixed(0)}`);
}
await db.close();
