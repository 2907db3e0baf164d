// A process of its own that erases identities one after another, and prints each once it is acknowledged.
// Run with the store's path, a number and the uids: it kills itself before that one of the calls which change files, counted
// from the first erasure on; with 0 it waits to be killed.
import { writeSync } from "node:fs";
import type { FileLayer, OpenFile } from "../../src/log/file-layer.js";
import { nativeFileLayer } from "../../src/log/native-file-layer.js";
import { addon } from "../../src/native/addon.js";
import { Store } from "../../src/store/store.js";

const [path = "", deadly = "0", ...uids] = process.argv.slice(2);
let calls = Number.NEGATIVE_INFINITY;

function step(name: string): void {
  calls += 1;
  if (calls !== Number(deadly)) return;
  writeSync(1, `dies ${name}\n`);
  process.kill(process.pid, "SIGKILL");
}

const CHANGING = new Set<string | symbol>(["write", "sync", "reserve", "cut", "remove", "rename", "syncFolder"]);

/** The object with its calls that change files counted. */
function counted<T extends object>(target: T): T {
  return new Proxy(target, {
    get: (_, name) => {
      const value = Reflect.get(target, name) as unknown;
      if (typeof value !== "function") return value;
      return (...args: unknown[]) => {
        if (CHANGING.has(name) || (name === "open" && args[1] === "create")) step(String(name));
        const given: unknown = value.apply(target, args);
        return name === "open" ? counted(given as OpenFile) : given;
      };
    },
  });
}

const layer: FileLayer = counted(nativeFileLayer(addon.files));
const store = await Store.openOn(layer, path, { rotateBytes: 900 });
process.stdout.write("open\n");
calls = 0;
for (const uid of uids) {
  await store.erase({ uid });
  process.stdout.write(`erased ${uid} ${calls}\n`);
}
if (deadly === "0") setInterval(() => undefined, 1000);
