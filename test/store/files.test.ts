// What a store is on disk: modes, names, and what opening says to files that are no store, newer, damaged or torn.
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { open } from "../../src/database.js";
import { crc32c } from "../../src/log/crc32c.js";
import { person } from "../support/small-batches.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const folder = temporaryFolder();
const mode = (path: string): number => statSync(path).mode & 0o777;

async function smallStore(path: string, commits = 3): Promise<void> {
  const db = await open(path);
  for (let i = 0; i < commits; i += 1) await db.write([person(`n${i}`)]);
  await db.close();
}
const LOG = join("log", "0000000001.plog");

test("files are 0600, folders 0700, and no other names appear", async () => {
  const path = join(folder(), "deep", "store");
  await smallStore(path);
  expect(mode(path)).toBe(0o700);
  expect(mode(join(path, "log"))).toBe(0o700);
  expect((readdirSync(path, { recursive: true }) as string[]).sort()).toEqual(["LOCK", "log", LOG]);
  for (const name of ["LOCK", LOG]) expect(mode(join(path, name))).toBe(0o600);
});

test("a process that is started meanwhile inherits none of them", async () => {
  const path = join(folder(), "store");
  const db = await open(path);
  const { stdout } = spawnSync("ls", ["-l", "/proc/self/fd"], { encoding: "utf8" });
  expect(stdout).toContain("/proc/");
  expect(stdout).not.toContain(path);
  await db.close();
});

test("a folder with other things in it is left alone, and a file is no folder", async () => {
  const path = join(folder(), "home");
  mkdirSync(path);
  writeFileSync(join(path, "letter.txt"), "dear");
  await expect(open(path)).rejects.toMatchObject({ code: "E_STATE", hint: "name a folder that is empty or not there" });
  expect(readdirSync(path)).toEqual(["letter.txt"]);
  for (const file of [join(path, "letter.txt"), join(path, "letter.txt", "below")]) {
    for (const options of [{}, { readOnly: true }]) {
      const error = await open(file, options).catch((thrown) => thrown);
      expect(error).toMatchObject({ code: "E_IO", hint: expect.stringContaining("a store is a folder") });
    }
  }
  mkdirSync(join(path, "empty"));
  await (await open(join(path, "empty"))).close();
  await (await open(join(path, "empty"))).close();
});

test("info says what the log takes", async () => {
  const path = join(folder(), "store");
  await smallStore(path);
  const db = await open(path, { readOnly: true });
  expect((await db.info()).bytes).toEqual({ log: statSync(join(path, LOG)).size, segments: 0, cache: 0 });
  await db.close();
});

describe("a store of a newer format is E_FORMAT, and the message names both", () => {
  const refused = async (path: string): Promise<void> => {
    const before = readFileSync(join(path, LOG));
    for (const readOnly of [true, false]) {
      const error = await open(path, { readOnly }).catch((caught: unknown) => caught);
      expect(error).toMatchObject({ code: "E_FORMAT", details: { found: 7, supported: 1 } });
      expect((error as Error).message).toMatch(/7.*1/);
    }
    expect(readFileSync(join(path, LOG))).toEqual(before);
  };

  test("by a log file", async () => {
    const path = join(folder(), "store");
    await smallStore(path);
    const bytes = readFileSync(join(path, LOG));
    bytes.writeUInt32LE(7, 8);
    bytes.writeUInt32LE(crc32c(bytes.subarray(16, 88), crc32c(bytes.subarray(0, 12))), 12);
    writeFileSync(join(path, LOG), bytes);
    await refused(path);
  });

  test("by LOCK", async () => {
    const path = join(folder(), "store");
    await smallStore(path);
    const bytes = readFileSync(join(path, "LOCK"));
    bytes.writeUInt32LE(7, 8);
    writeFileSync(join(path, "LOCK"), bytes);
    const error = await open(path).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: "E_FORMAT", details: { found: 7, supported: 1 } });
  });
});

describe("what is no store", () => {
  test("a file is E_IO and stays as it is", async () => {
    const path = join(folder(), "file");
    writeFileSync(path, "not a store");
    for (const readOnly of [true, false]) {
      await expect(open(path, { readOnly })).rejects.toMatchObject({
        code: "E_IO",
        details: { os_code: expect.any(String) },
      });
    }
    expect(readFileSync(path, "utf8")).toBe("not a store");
  });

  test("a folder of other things is E_IO for a reader; a writer makes a store beside them", async () => {
    const path = join(folder(), "papers");
    mkdirSync(join(path, "log"), { recursive: true });
    writeFileSync(join(path, "letter.txt"), "dear");
    writeFileSync(join(path, "log", "mine.plog"), "my log");
    writeFileSync(join(path, "log", "1.plog"), "mine too");
    await expect(open(path, { readOnly: true })).rejects.toMatchObject({ code: "E_IO" });
    await smallStore(path);
    expect(readFileSync(join(path, "letter.txt"), "utf8")).toBe("dear");
    expect(readFileSync(join(path, "log", "mine.plog"), "utf8")).toBe("my log");
    expect(readFileSync(join(path, "log", "1.plog"), "utf8")).toBe("mine too");
    const db = await open(path, { readOnly: true });
    expect((await db.head()).tx).toBe(3);
    await db.close();
  });

  test("LOCK with other bytes says nothing, and is written anew", async () => {
    const path = join(folder(), "store");
    await smallStore(path);
    for (const bytes of [Buffer.alloc(0), Buffer.from("hello"), Buffer.alloc(200, 255)]) {
      writeFileSync(join(path, "LOCK"), bytes);
      const reader = await open(path, { readOnly: true });
      expect((await reader.head()).tx).toBe(3);
      await reader.close();
      const db = await open(path);
      expect((await db.head()).tx).toBe(3);
      await db.close();
    }
  });
});

describe("damage and torn tails", () => {
  test("a flipped byte in the middle is E_LOG_CORRUPT with file and offset, for everyone, and changes nothing", async () => {
    const path = join(folder(), "store");
    await smallStore(path);
    const bytes = readFileSync(join(path, LOG));
    bytes[200] = bytes[200]! ^ 1;
    writeFileSync(join(path, LOG), bytes);
    for (const readOnly of [true, false]) {
      await expect(open(path, { readOnly })).rejects.toMatchObject({
        code: "E_LOG_CORRUPT",
        details: { file: join(path, LOG), offset: 88 },
      });
    }
    expect(readFileSync(join(path, LOG))).toEqual(bytes);
    expect(readdirSync(join(path, "log"))).toEqual(["0000000001.plog"]);
  });

  test("a torn tail is moved aside by the writer and reported; a reader stops before it", async () => {
    const path = join(folder(), "store");
    await smallStore(path);
    const bytes = readFileSync(join(path, LOG));
    writeFileSync(join(path, LOG), bytes.subarray(0, bytes.length - 8));
    // LOCK says that the last frame was durable. It may be of another machine: it proves nothing.
    const reader = await open(path, { readOnly: true });
    expect((await reader.head()).tx).toBe(2);
    const writer = await open(path);
    expect(writer.openReport.cut).toMatchObject({ path: join(path, "log", "cut-3"), frameNo: 3 });
    expect(existsSync(join(path, "log", "cut-3"))).toBe(true);
    expect((await writer.write([person("again")])).tx).toBe(3);
    expect((await reader.head()).tx).toBe(3);
    expect(await reader.digest()).toBe(await writer.digest());
    await reader.close();
    await writer.close();
    const again = await open(path);
    expect(again.openReport.cut).toBeNull();
    await again.close();
  });

  test("a log that was cut below what a reader of this process holds is damage", async () => {
    const path = join(folder(), "store");
    await smallStore(path);
    const reader = await open(path, { readOnly: true });
    const bytes = readFileSync(join(path, LOG));
    writeFileSync(join(path, LOG), bytes.subarray(0, bytes.length - 8));
    await expect(open(path)).rejects.toMatchObject({ code: "E_LOG_CORRUPT" });
    expect((await reader.head()).tx).toBe(3);
    await reader.close();
    const db = await open(path);
    expect((await db.head()).tx).toBe(2);
    await db.close();
  });
});

test.skipIf(process.getuid?.() === 0)("a folder that may not be written is E_IO", async () => {
  const path = join(folder(), "closed");
  mkdirSync(path);
  chmodSync(path, 0o500);
  await expect(open(join(path, "store"))).rejects.toMatchObject({ code: "E_IO", details: { os_code: "EACCES" } });
});

test("opening that fails leaves no descriptor behind", async () => {
  const path = join(folder(), "store");
  await smallStore(path);
  const bytes = readFileSync(join(path, LOG));
  bytes[200] = bytes[200]! ^ 1;
  writeFileSync(join(path, LOG), bytes);
  const descriptors = () => readdirSync("/proc/self/fd").length;
  const attempts = async () => {
    for (let i = 0; i < 20; i += 1) {
      for (const readOnly of [true, false]) await expect(open(path, { readOnly })).rejects.toThrow();
    }
  };
  await attempts();
  const before = descriptors();
  await attempts();
  expect(descriptors()).toBe(before);
});

test("a file that goes while the log is counted leaves the others counted", async () => {
  const path = join(folder(), "counted");
  await smallStore(path);
  symlinkSync(join(path, "gone"), join(path, "log", "0000000009.plog.0123456789abcdef"));
  const db = await open(path, { readOnly: true });
  expect((await db.info()).bytes.log).toBe(statSync(join(path, LOG)).size);
  await db.close();
});
