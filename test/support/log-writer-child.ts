// A process of its own that opens a log for writing and writes until it is killed; prints each text once it is durable.
// Run with the store's path, and how many commits it keeps in flight.
import { nativeFileLayer } from "../../src/log/native-file-layer.js";
import { addon } from "../../src/native/addon.js";
import { openLog, stage } from "./log-driver.js";

const [store = "", width = "1"] = process.argv.slice(2);
const layer = nativeFileLayer(addon.files);
const { writer, commits } = await openLog(layer, { rotateBytes: 20_000 }, store);
process.stdout.write(`open ${commits.length}\n`);

async function write(lane: number): Promise<void> {
  for (let i = 0; ; i += 1) {
    const text = `${commits.length}/${lane}/${i} ${"x".repeat((i * 31) % 200)}`;
    await stage(writer, layer, [text]).done;
    process.stdout.write(`done ${text}\n`);
  }
}
await Promise.all(Array.from({ length: Number(width) }, (_, lane) => write(lane)));
