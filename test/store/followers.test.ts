// Handles that only read: beside the writer they see each commit as it is published, elsewhere they follow the log.
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Database, open } from "../../src/database.js";
import { startProcess } from "../support/remote-database.js";
import { messages, person } from "../support/small-batches.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const folder = temporaryFolder();
const READ_ONLY = { readOnly: true } as const;

/** A writer with some commits, enough of them that reading the log takes several turns. */
async function longStore(path: string): Promise<void> {
  const db = await open(path, { durability: "none" });
  for (let i = 0; i < 40; i += 1) await db.write(Array.from({ length: 100 }, (_, k) => person(`n${i}-${k}`)));
  await db.close();
}

async function state(db: Database) {
  return [await db.head(), await db.digest(), (await db.call("scan", { of: "nodes", limit: 1 })).rows_total];
}

describe("in the writer's process", () => {
  test("a reader sees every commit once write has resolved, without refresh", async () => {
    const path = join(folder(), "store");
    const writer = await open(path);
    const readers = [await open(path, READ_ONLY), await open(path, READ_ONLY)];
    for (let i = 1; i <= 5; i += 1) {
      const { rows: _, ...head } =
        i % 2 === 0
          ? await writer.ingest(messages(3000), { type: "M" })
          : { rows: 0, ...(await writer.write([person(`n${i}`)])) };
      for (const reader of readers) expect(await reader.head()).toEqual(head);
    }
    for (const reader of readers) {
      expect(await state(reader)).toEqual(await state(writer));
      await expect(reader.write([person("x")])).rejects.toMatchObject({ code: "E_READONLY" });
      await expect(reader.ingest(messages(1), { type: "M" })).rejects.toMatchObject({ code: "E_READONLY" });
      await expect(reader.checkpoint()).rejects.toMatchObject({ code: "E_READONLY" });
      await reader.refresh();
      await reader.close();
    }
    await writer.close();
  });

  test("a reader outlives the writer, follows the next one, and both start from what it holds", async () => {
    const path = join(folder(), "store");
    const first = await open(path);
    await first.write([person("a")]);
    const reader = await open(path, READ_ONLY);
    await first.close();
    expect((await reader.head()).tx).toBe(1);
    const second = await open(path);
    expect((await second.write([person("b")])).tx).toBe(2);
    expect(await state(reader)).toEqual(await state(second));
    await second.close();
    await reader.refresh();
    expect((await reader.head()).tx).toBe(2);
    await reader.close();
  });

  test("a reader that comes while the writer still reads the log gets the whole of it", async () => {
    const path = join(folder(), "store");
    await longStore(path);
    for (let turns = 0; turns < 12; turns += 1) {
      const opening = open(path);
      for (let i = 0; i < turns; i += 1) await new Promise((resolve) => setImmediate(resolve));
      const [reader, other] = await Promise.all([open(path, READ_ONLY), open(path, READ_ONLY)]);
      const writer = await opening;
      expect((await reader.head()).tx).toBe(40);
      expect(await other.digest()).toBe(await writer.digest());
      await Promise.all([reader.close(), writer.close(), other.close()]);
    }
  });
});

describe("in another process", () => {
  test("a reader sees what is durable at refresh, and hears of it by itself", async () => {
    const path = join(folder(), "store");
    const writer = await open(path);
    await writer.write([person("a")]);
    const [plain, listening] = [startProcess(), startProcess()];
    for (const reader of [plain, listening]) await reader.call("open", path, READ_ONLY);
    await listening.call("subscribe");
    expect(await plain.call("head")).toEqual(await writer.head());
    for (let i = 0; i < 6; i += 1) await writer.write([person(`n${i}`)]);
    await writer.ingest(messages(5000), { type: "M" });
    expect(await plain.call("head")).toMatchObject({ tx: 1 });
    await plain.call("refresh");
    expect(await plain.call("head")).toEqual(await writer.head());
    expect(await plain.call("digest")).toBe(await writer.digest());
    while (((await listening.call("heard")) as number[]).at(-1) !== 8) await listening.call("head");
    expect(await listening.call("heard")).toEqual([2, 3, 4, 5, 6, 7, 8]);
    await writer.close();
    await plain.call("refresh");
    expect(await plain.call("digest")).toBe(await listening.call("digest"));
  });

  test("a reader stops at the durable frame while the writer lives, and reads to the end when it was killed", async () => {
    const path = join(folder(), "store");
    const writer = startProcess();
    await writer.call("open", path, { durability: "none" });
    await writer.call("write", [person("a")]);
    await writer.call("checkpoint");
    await writer.call("write", [person("b")]);
    const reader = await open(path, READ_ONLY);
    expect((await reader.head()).tx).toBe(1);
    await writer.end();
    await reader.refresh();
    expect((await reader.head()).tx).toBe(2);
    await reader.close();
  });
});

describe("a reader makes nothing", () => {
  test("where there is no store", async () => {
    const path = join(folder(), "absent");
    await expect(open(path, READ_ONLY)).rejects.toMatchObject({ code: "E_IO", details: { os_code: "ENOENT" } });
    expect(existsSync(path)).toBe(false);
  });

  test("where there is one, and changes nothing", async () => {
    const path = join(folder(), "store");
    await longStore(path);
    const listing = () =>
      (readdirSync(path, { recursive: true }) as string[])
        .sort()
        .map((name) => [name, statSync(join(path, name)).size, statSync(join(path, name)).mtimeMs]);
    const before = listing();
    const reader = await open(path, READ_ONLY);
    await reader.refresh();
    await state(reader);
    await reader.close();
    expect(listing()).toEqual(before);
  });
});
