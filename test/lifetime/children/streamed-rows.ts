// Reads a long answer row by row and as a whole, and prints what the heap held meanwhile, in bytes beyond the store.
import { open } from "../../../src/index.js";
import { collect } from "./collect.js";

const COUNT = 300_000;
const LOOK_EVERY = 50_000;
const STATEMENTS = {
  select: "SELECT e.src, e.dst, e.at, e.seq FROM EVENTS(SENT) AS e",
  sorted: "SELECT e.src, e.at, e.seq * 2 AS twice FROM EVENTS(SENT) AS e ORDER BY e.seq DESC",
};

const db = await open(":memory:");
await db.ingest(
  {
    src: Array.from({ length: COUNT }, (_, i) => `n${i % 100}`),
    dst: Array.from({ length: COUNT }, (_, i) => `n${(i * 7) % 100}`),
    time: BigInt64Array.from({ length: COUNT }, (_, i) => BigInt(i) * 1_000_003n),
  },
  { type: "SENT" },
);
// Whatever is loaded and kept for good is there before anything is measured.
for await (const _ of db.query(`${STATEMENTS.select} LIMIT 10`));

async function heapBytes(): Promise<number> {
  await collect();
  return process.memoryUsage().heapUsed;
}
const print = (name: string, value: number): void => console.log(`${name}: ${value}`);

for (const [name, text] of Object.entries(STATEMENTS)) {
  const before = await heapBytes();
  let most = 0;
  let rows = 0;
  for await (const _ of db.query(text)) {
    rows += 1;
    if (rows % LOOK_EVERY === 0) most = Math.max(most, (await heapBytes()) - before);
  }
  print(`${name} rows`, rows);
  print(`${name} streamed`, most);
}

const before = await heapBytes();
const { rows } = await db.query(STATEMENTS.select);
print("whole", (await heapBytes()) - before);
print("whole rows", rows.length);
await db.close();
