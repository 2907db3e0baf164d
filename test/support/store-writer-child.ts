// A process of its own that writes a store until it is killed, and prints each commit once it is acknowledged.
// Run with the store's path, and how many writers write at once. Contents depend on the commit alone, sizes from a few
// bytes to megabytes.
import { open } from "../../src/database.js";
import { messages, person } from "./small-batches.js";

const [path = "", width = "1"] = process.argv.slice(2);
const db = await open(path);
const { tx } = await db.head();
process.stdout.write(`open ${tx} ${await db.digest()}\n`);

async function write(lane: number): Promise<void> {
  for (let i = 0; ; i += 1) {
    const text = "x".repeat([0, 40, 3000, 500_000][(i + lane) % 4]!);
    const { tx: written, chain } =
      i % 5 === 4
        ? await db.ingest(messages(2000), { type: "M", source: text })
        : await db.write([person(`${tx}-${lane}-${i}`, { text }), person("shared", { lane, i })]);
    process.stdout.write(`done ${written} ${chain}\n`);
  }
}
await Promise.all(Array.from({ length: Number(width) }, (_, lane) => write(lane)));
