// Worker threads of one process share one core store: a reader in any of them sees each commit as it is published.
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { open } from "../../src/database.js";
import { startWorker } from "../support/remote-database.js";
import { messages, person } from "../support/small-batches.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const folder = temporaryFolder();
const READ_ONLY = { readOnly: true } as const;

describe("worker threads", () => {
  test("read beside a writer of the main thread, see and hear each commit, and outlive it", async () => {
    const path = join(folder(), "store");
    const writer = await open(path);
    const workers = [startWorker(), startWorker()];
    for (const worker of workers) {
      await worker.call("open", path, READ_ONLY);
      await worker.call("subscribe");
    }
    for (let i = 1; i <= 5; i += 1) {
      const { tx } = await writer.write([person(`n${i}`)]);
      for (const worker of workers) expect(await worker.call("head")).toMatchObject({ tx });
    }
    await writer.ingest(messages(30_000), { type: "M" });
    const digest = await writer.digest();
    for (const worker of workers) expect(await worker.call("digest")).toBe(digest);
    for (const worker of workers) expect(await worker.call("heard")).toEqual([1, 2, 3, 4, 5, 6]);
    await writer.close();
    await workers[0]!.call("close");
    await workers[0]!.end();
    expect(await workers[1]!.call("digest")).toBe(digest);
    const again = await open(path);
    await again.write([person("last")]);
    expect(await workers[1]!.call("head")).toMatchObject({ tx: 7 });
    await again.close();
  });

  test("write while the main thread reads, and may be ended at any moment", async () => {
    const path = join(folder(), "store");
    const worker = startWorker();
    await worker.call("open", path);
    await worker.call("write", [person("a")]);
    const reader = await open(path, READ_ONLY);
    const heard: number[] = [];
    reader.subscribe(({ tx }) => heard.push(tx));
    for (let i = 2; i <= 6; i += 1) {
      const { tx } = (await worker.call("write", [person(`n${i}`)])) as { tx: number };
      expect((await reader.head()).tx).toBe(tx);
    }
    await worker.call("ingest", messages(20_000), { type: "M" });
    expect(await worker.call("digest")).toBe(await reader.digest());
    // Ended in the middle of writes: what was acknowledged stays, and the store can be written again.
    const running = Array.from({ length: 20 }, (_, i) => worker.call("write", [person(`late${i}`)]));
    const first = (await running[0]) as { tx: number };
    for (const write of running) write.catch(() => undefined);
    await worker.end();
    const writer = await open(path);
    expect((await writer.head()).tx).toBeGreaterThanOrEqual(first.tx);
    const { tx } = await writer.write([person("again")]);
    expect((await reader.head()).tx).toBe(tx);
    expect(await reader.digest()).toBe(await writer.digest());
    await reader.close();
    await writer.close();
    expect(heard).toEqual(Array.from({ length: tx - 1 }, (_, i) => i + 2));
  });
});
