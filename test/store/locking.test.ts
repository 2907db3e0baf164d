// One writer at most: within the process, through other names of the folder, in worker threads and in other processes.
import { symlinkSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { open } from "../../src/database.js";
import { startProcess, startWorker } from "../support/remote-database.js";
import { person } from "../support/small-batches.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const folder = temporaryFolder();

describe("a second writer is E_LOCKED", () => {
  test("in the same process, by any name of the folder, until the first closes", async () => {
    const path = join(folder(), "store");
    const first = await open(path);
    const link = join(folder(), "link");
    symlinkSync(path, link);
    for (const name of [path, link, `${folder()}/./store`, `${path}/`, relative(process.cwd(), path)]) {
      await expect(open(name), name).rejects.toMatchObject({ code: "E_LOCKED", details: { pid: process.pid } });
    }
    expect((await first.write([person("a")])).tx).toBe(1);
    await first.close();
    const second = await open(link);
    expect((await second.write([person("b")])).tx).toBe(2);
    await second.close();
  });

  test("also when a reader beside the first closes", async () => {
    const path = join(folder(), "store");
    const writer = await open(path);
    const reader = await open(path, { readOnly: true });
    await reader.close();
    await expect(open(path)).rejects.toMatchObject({ code: "E_LOCKED" });
    await writer.close();
  });

  test("of two that open at once", async () => {
    const path = join(folder(), "store");
    const outcomes = await Promise.allSettled([open(path), open(path), open(path)]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected", "rejected"]);
    for (const outcome of outcomes) {
      if (outcome.status === "fulfilled") await outcome.value.close();
      else expect(outcome.reason).toMatchObject({ code: "E_LOCKED" });
    }
  });

  test.each([
    ["worker thread", startWorker],
    ["process", startProcess],
  ])("in another %s, both ways, until it ends", async (_, start) => {
    const path = join(folder(), "store");
    const first = await open(path);
    const other = start();
    await expect(other.call("open", path)).rejects.toMatchObject({ code: "E_LOCKED" });
    await first.close();
    await other.call("open", path);
    await other.call("write", [person("a")]);
    await expect(open(path)).rejects.toMatchObject({ code: "E_LOCKED" });
    await other.end();
    const again = await open(path);
    expect((await again.head()).tx).toBe(1);
    expect((await again.write([person("b")])).tx).toBe(2);
    await again.close();
  });
});

test("a store is opened fifty times over without a trace", async () => {
  const path = join(folder(), "store");
  for (let round = 1; round <= 50; round += 1) {
    const db = await open(path, { durability: "none" });
    expect((await db.write([person("a", { round })])).tx).toBe(round);
    await db.close();
  }
});
