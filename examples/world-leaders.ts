// Writes the world-leaders list into a store, each date of it as a commit with its own time, and asks what was believed when.
// Run: npx tsx examples/world-leaders.ts [store]; without a store nothing is kept.
import { readFileSync } from "node:fs";
import { ANDERSSON_TERM, leaderCommits, readLeaderRecords } from "../src/demo-data/world-leaders.js";
import { open } from "../src/index.js";

const list = readFileSync(new URL("data/world-leaders.events.jsonl", import.meta.url), "utf8");
const db = await open(process.argv[2] ?? ":memory:");

for (const { txTime, operations } of leaderCommits(readLeaderRecords(list))) await db.write(operations, { txTime });
const { tx, txTime } = await db.head();
console.log(`${tx} commits, the last one of ${txTime}`);

for (const believedOn of ["2022-09-14", "2022-09-16", "2022-09-21"]) {
  const answer = await db.call("entity_history", {
    ref: ANDERSSON_TERM,
    window: { from: "2023-06-01", to: "2023-06-02" },
    as_of_tt: believedOn,
  });
  const held = (answer.rows_total ?? 0) > 0 ? "prime minister" : "not prime minister";
  console.log(`as believed on ${believedOn}, Magdalena Andersson is ${held} on 2023-06-01`);
}

const { rows } = await db.call("version_history", { ref: ANDERSSON_TERM });
for (const [i, row] of (rows ?? []).entries()) {
  // A fragment keeps the reason of the operation that wrote the whole; the list of the first day gave none.
  const why = row.reason ?? (i === 0 ? "first seen" : "what was left of that");
  const end = row.ended_by === null ? "still believed" : `${row.ended_by} on ${row.tx_to}: ${row.ended_reason}`;
  console.log(`${row.valid_from} to ${row.valid_to ?? "open"}, believed from ${row.tx_from} (${why}); ${end}`);
}
await db.close();
