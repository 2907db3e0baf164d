// The log on a real file system: modes, reopening, locks within and across processes, kill -9, followers.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { crc32c } from "../../src/log/crc32c.js";
import { FileError } from "../../src/log/file-layer.js";
import { LogFollower } from "../../src/log/follower.js";
import { probeWriter, WriterLock } from "../../src/log/lock.js";
import { nativeFileLayer } from "../../src/log/native-file-layer.js";
import { addon } from "../../src/native/addon.js";
import { openLog, readAll, stage, textsOf } from "../support/log-driver.js";
import { scriptProgram } from "../support/program-paths.js";

const layer = nativeFileLayer(addon.files);
const CHILD = scriptProgram("log-writer-child");

let folder: string;
let store: string;
const children: ChildProcess[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "palimpsest-log-"));
  store = join(folder, "store");
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

interface WriterProcess {
  readonly done: string[];
  /** Resolves at the n-th line of that kind. */
  lines(kind: "open" | "done", count: number): Promise<void>;
  kill(): Promise<void>;
}

function startWriter(width: number): WriterProcess {
  const child = spawn(process.execPath, [CHILD, store, String(width)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  const done: string[] = [];
  const seen = { open: 0, done: 0 };
  const waiting: { kind: "open" | "done"; count: number; resolve: () => void }[] = [];
  const closed = new Promise<void>((resolve) => {
    createInterface(child.stdout)
      .on("line", (line) => {
        const kind = line.startsWith("open ") ? "open" : "done";
        seen[kind] += 1;
        if (kind === "done") done.push(line.slice(5));
        for (const each of waiting) if (each.kind === kind && seen[kind] >= each.count) each.resolve();
      })
      .on("close", resolve);
  });
  return {
    done,
    lines: (kind, count) => {
      if (seen[kind] >= count) return Promise.resolve();
      return new Promise((resolve) => waiting.push({ kind, count, resolve }));
    },
    kill: async () => {
      child.kill("SIGKILL");
      await closed;
    },
  };
}

describe("files", () => {
  test("are private, trimmed at close, and read back", async () => {
    const { writer } = await openLog(layer, { rotateBytes: 2000 }, store);
    const texts = Array.from({ length: 30 }, (_, i) => `operation ${i}`);
    for (const text of texts) await stage(writer, layer, [text]).done;
    await writer.close();
    expect(statSync(store).mode & 0o777).toBe(0o700);
    expect(statSync(join(store, "log")).mode & 0o777).toBe(0o700);
    const names = readdirSync(join(store, "log"));
    expect(names.length).toBeGreaterThan(1);
    for (const name of names) expect(statSync(join(store, "log", name)).mode & 0o777).toBe(0o600);
    expect(statSync(join(store, "LOCK")).size).toBe(64);
    const { commits, tail } = await readAll(layer, store);
    expect(commits.flatMap(textsOf)).toEqual(texts);
    expect(tail).toEqual({ kind: "end" });
    expect(statSync(join(store, "log", names.at(-1)!)).size).toBeLessThan(4000);
  });

  test("report what the system says, with its code and the file", async () => {
    expect(() => layer.open(join(folder, "absent"), "read")).toThrow(
      expect.objectContaining({ osCode: "ENOENT", call: "open", path: join(folder, "absent") }),
    );
    const file = layer.open(join(folder, "file"), "create");
    file.close();
    expect(() => file.length()).toThrow(FileError);
    await expect(file.sync()).rejects.toThrow(FileError);
    const readOnly = layer.open(join(folder, "file"), "read");
    await expect(readOnly.write([new Uint8Array(1)], 0, { sync: false })).rejects.toMatchObject({ osCode: "EBADF" });
    readOnly.close();
  });

  test("are summed alike by both twins", () => {
    for (const length of [0, 1, 7, 8, 100, 1024, 3072, 10_000]) {
      const bytes = Uint8Array.from({ length }, (_, i) => (i * 2654435761) >>> 24);
      expect(layer.crc32c(bytes)).toBe(crc32c(bytes));
      expect(layer.crc32c(bytes.subarray(length >> 1), layer.crc32c(bytes.subarray(0, length >> 1)))).toBe(
        crc32c(bytes),
      );
    }
  });
});

describe("the lock", () => {
  test("keeps a second writer of this process out, by any path, until the first closes", async () => {
    const { writer } = await openLog(layer, {}, store);
    const link = join(folder, "link");
    symlinkSync(store, link);
    for (const path of [store, link, `${folder}/./store`]) {
      await expect(openLog(layer, {}, path)).rejects.toMatchObject({ code: "E_LOCKED", details: { pid: process.pid } });
    }
    await stage(writer, layer, ["still protected"]).done;
    await writer.close();
    const lock = await WriterLock.acquire(layer, link);
    const again = lock.identity();
    lock.release();
    const other = await WriterLock.acquire(layer, store);
    expect(other.identity()).toBe(again);
    other.release();
  });

  test("is held by another process while it lives, and free when it was killed", async () => {
    const child = startWriter(1);
    await child.lines("open", 1);
    await expect(openLog(layer, {}, store)).rejects.toMatchObject({ code: "E_LOCKED" });
    expect(await probeWriter(layer, store)).toMatchObject({ isAlive: true });
    await child.kill();
    expect(await probeWriter(layer, store)).toEqual({ isAlive: false });
    const { writer } = await openLog(layer, {}, store);
    await writer.close();
  });
});

describe("kill -9", () => {
  test.each([1, 8])("of a writer with %i commits in flight keeps what it acknowledged", async (width) => {
    const acknowledged: string[] = [];
    for (let round = 0; round < 4; round += 1) {
      const child = startWriter(width);
      await child.lines("done", 40 + 25 * round);
      await child.kill();
      acknowledged.push(...child.done);
      const { commits, error, tail } = await readAll(layer, store);
      expect(error).toBeUndefined();
      expect(["end", "torn"]).toContain(tail.kind);
      const texts = new Set(commits.flatMap(textsOf));
      expect(acknowledged.filter((text) => !texts.has(text))).toEqual([]);
      expect(commits.map((commit) => commit.tx)).toEqual(commits.map((_, i) => i + 1));
    }
  });
});

describe("followers", () => {
  test("see what a writer in another process has made durable, in order, and make nothing", async () => {
    const follower = new LogFollower(layer, store);
    const texts: string[] = [];
    const poll = async (): Promise<void> => {
      for await (const commit of follower.poll()) texts.push(...textsOf(commit));
    };
    await poll();
    expect(readdirSync(folder)).toEqual([]);
    const child = startWriter(4);
    for (const count of [1, 20, 80]) {
      await child.lines("done", count);
      const durable = [...child.done];
      await poll();
      expect(durable.filter((text) => !texts.includes(text))).toEqual([]);
    }
    await child.kill();
    await poll();
    const { commits } = await readAll(layer, store);
    expect(texts).toEqual(commits.flatMap(textsOf));
    follower.close();
  });
});
