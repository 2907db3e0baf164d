// Subscriptions: every commit once, in order, from the call on; listeners that throw, end others, or outlive the handle.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { open } from "../../src/database.js";
import { messages, person, retraction } from "../support/small-batches.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const folder = temporaryFolder();

describe("a subscription", () => {
  test("hears of every commit once, in order, with what write gave", async () => {
    const db = await open(join(folder(), "store"));
    const heard: unknown[] = [];
    db.subscribe((commit) => heard.push(commit));
    const given: unknown[] = [];
    for (let round = 0; round < 5; round += 1) {
      const writes = Array.from({ length: 7 }, (_, i) => db.write([person(`${round}-${i}`)]));
      given.push(...(await Promise.all(writes)));
      await expect(db.write([retraction("nobody")])).rejects.toMatchObject({ code: "E_NOT_FOUND" });
    }
    const { rows, ...head } = await db.ingest(messages(3000), { type: "M" });
    expect(rows).toBe(3000);
    await db.close();
    expect(heard).toEqual([...given, head]);
  });

  test("begins with the next commit, also beside one that has not been called yet", async () => {
    const db = await open(":memory:");
    const heard: [string, number][] = [];
    await db.write([person("before")]);
    db.subscribe(({ tx }) => heard.push(["a", tx]));
    await db.write([person("1")]);
    const stop = db.subscribe(({ tx }) => heard.push(["b", tx]));
    await db.write([person("2")]);
    stop();
    stop();
    await db.write([person("3")]);
    await db.close();
    expect(heard.filter(([who]) => who === "a")).toEqual([2, 3, 4].map((tx) => ["a", tx]));
    expect(heard.filter(([who]) => who === "b").every(([, tx]) => tx === 3)).toBe(true);
  });

  test("of one function twice is two, each ended by itself", async () => {
    const db = await open(":memory:");
    const heard: number[] = [];
    const listener = ({ tx }: { tx: number }) => void heard.push(tx);
    const stop = db.subscribe(listener);
    db.subscribe(listener);
    stop();
    await db.write([person("a")]);
    await db.close();
    expect(heard).toEqual([1]);
  });

  test("may be ended by another listener, in the middle of a commit", async () => {
    const db = await open(":memory:");
    const heard: string[] = [];
    let stopB = (): void => {};
    db.subscribe(({ tx }) => {
      heard.push(`a${tx}`);
      if (tx === 2) stopB();
    });
    stopB = db.subscribe(({ tx }) => void heard.push(`b${tx}`));
    await Promise.all(["1", "2", "3"].map((uid) => db.write([person(uid)])));
    await db.close();
    expect(heard).toEqual(["a1", "b1", "a2", "a3"]);
  });

  test("is told of the last commit before close resolves, and of nothing after", async () => {
    const db = await open(join(folder(), "store"));
    const heard: number[] = [];
    const stop = db.subscribe(({ tx }) => heard.push(tx));
    const write = db.write([person("a")]);
    await Promise.all([write, db.close()]);
    expect(heard).toEqual([1]);
    stop();
  });

  test("of what is no function is refused, and leaves the handle as it was", async () => {
    const db = await open(":memory:");
    for (const listener of [undefined, null, 5, {}]) {
      expect(() => db.subscribe(listener as never)).toThrow(expect.objectContaining({ code: "E_SCHEMA" }));
    }
    await db.write([person("a")]);
    await db.close();
  });
});

describe("a follower of a log that is damaged", () => {
  /** Ten commits, of which a copy of the first file holds the first five. */
  async function followed(): Promise<{ path: string; log: string; whole: Buffer }> {
    const path = join(folder(), "store");
    const db = await open(path);
    for (let i = 0; i < 5; i += 1) await db.write([person(`n${i}`)]);
    await db.close();
    const log = join(path, "log", "0000000001.plog");
    const half = readFileSync(log);
    const again = await open(path);
    for (let i = 5; i < 10; i += 1) await again.write([person(`n${i}`)]);
    await again.close();
    const whole = readFileSync(log);
    writeFileSync(log, half);
    // The sixth frame begins where the two differ first.
    const at = whole.findIndex((byte, i) => byte !== half[i]);
    whole[at + 100]! ^= 0xff;
    return { path, log, whole };
  }

  test("says so once, to each subscriber, and follows no longer", async () => {
    const { path, log, whole } = await followed();
    const reader = await open(path, { readOnly: true });
    expect((await reader.head()).tx).toBe(5);
    const heard: number[] = [];
    const errors: string[] = [];
    const told = new Promise<void>((resolve) => {
      reader.subscribe(
        ({ tx }) => heard.push(tx),
        ({ code }) => {
          errors.push(code);
          resolve();
        },
      );
    });
    writeFileSync(log, whole);
    await told;
    await expect(reader.refresh()).rejects.toMatchObject({ code: "E_LOG_CORRUPT" });
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect([heard, errors]).toEqual([[], ["E_LOG_CORRUPT"]]);
    await reader.close();
  });
});
