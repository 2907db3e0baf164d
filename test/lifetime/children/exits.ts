// Ends a process in the way that the first argument names, in a store at the path of the second.
import { open } from "../../../src/database.js";
import { messages, person } from "../../support/small-batches.js";

const [way, path] = process.argv.slice(2) as [string, string];
const db = await open(path);
await db.ingest(messages(50_000), { type: "M" });
console.log(`tx ${(await db.head()).tx}`);

const many = Array.from({ length: 2000 }, (_, i) => person(`n${i}`));
const WAYS: Record<string, () => unknown> = {
  /** The last statement is behind us; the store, a listener, views and a follower are left open. */
  "natural: open handles": async () => {
    db.subscribe(() => undefined);
    await open(path, { readOnly: true });
  },
  "natural: a read on the pool": () => void db.digest().then((digest) => console.log(`digest ${digest.length}`)),
  "natural: a load": () =>
    void db.ingest(messages(200_000), { type: "M" }).then(({ tx }) => console.log(`loaded tx ${tx}`)),
  "natural: a rejected call": () =>
    void db.call("scan" as string, { of: "nothing" }).catch(() => console.log("refused")),
  "exit: idle": () => process.exit(0),
  "exit: reads and a write run": () => {
    for (let i = 0; i < 4; i += 1) void db.digest();
    void db.write(many);
    setImmediate(() => process.exit(0));
  },
  "exit: a load runs": () => {
    void db.ingest(messages(400_000), { type: "M" });
    setTimeout(() => process.exit(0), 5);
  },
  "exit: writes run": async () => {
    const running = Array.from({ length: 50 }, (_, i) => db.write([person(`late${i}`)]));
    const { tx } = await running[0]!;
    console.log(`tx ${tx}`);
    process.exit(0);
  },
  "throw: writes run": () => {
    void db.write(many);
    throw new Error("on purpose");
  },
};
await WAYS[way]!();
