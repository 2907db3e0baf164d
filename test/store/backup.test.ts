// Copies of a store in use: at a commit, whole or not there, with the digest that the store had at that commit.
import { appendFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Database, open, type StoreHead } from "../../src/index.js";
import { backUpLog } from "../../src/log/backup.js";
import { FileError, type FileLayer } from "../../src/log/file-layer.js";
import { nativeFileLayer } from "../../src/log/native-file-layer.js";
import { addon } from "../../src/native/addon.js";
import { ReferenceReplay } from "../../src/reference/index.js";
import { Store } from "../../src/store/store.js";
import { startProcess } from "../support/remote-database.js";
import { messages, person } from "../support/small-batches.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const folder = temporaryFolder();
const layer = nativeFileLayer(addon.files);

/** The digest that the reference engine makes of the first commits of a store. */
async function digestAt(path: string, tx: number): Promise<string> {
  const store = await Store.open(path, { readOnly: true });
  const replay = new ReferenceReplay();
  for await (const commit of store.commits(tx)) replay.apply(commit);
  await store.close();
  return replay.store.digest();
}

async function headAndDigest(path: string, readOnly = true): Promise<StoreHead & { digest: string }> {
  const db = await open(path, { readOnly });
  try {
    expect(db.openReport).toEqual({ cut: null, unread: null });
    return { ...(await db.head()), digest: await db.digest() };
  } finally {
    await db.close();
  }
}

const sinceNow = { valid_from: "2020-01-01" } as const;
const leftovers = () => readdirSync(folder()).filter((name) => name.includes("partial"));

async function filled(path: string, people = 3): Promise<Database> {
  const db = await open(path);
  for (let i = 0; i < people; i += 1) await db.write([person(`n${i}`, { i })]);
  await db.ingest(messages(3000), { type: "M" });
  await db.write([{ op: "retract", ref: { uid: "nobody" }, ...sinceNow }]).catch(() => undefined);
  return db;
}

describe("a backup", () => {
  it("is the store at a commit, while its writer goes on", async () => {
    const path = join(folder(), "store");
    const db = await filled(path);
    let isDone = false;
    const writing = (async () => {
      for (let i = 0; !isDone; i += 1) await db.write([person(`more${i}`, { text: "x".repeat(i * 10) })]);
    })();
    for (let i = 0; i < 3; i += 1) {
      const before = await db.head();
      const head = await db.backup(join(folder(), `copy${i}`));
      expect(head.tx).toBeGreaterThanOrEqual(before.tx);
      const digest = await digestAt(path, head.tx);
      expect(await headAndDigest(join(folder(), `copy${i}`), i === 0)).toEqual({ ...head, digest });
    }
    isDone = true;
    await writing;
    await db.close();
    expect(leftovers()).toEqual([]);
  });

  it("has every commit that was resolved, also those that were not durable yet", async () => {
    const path = join(folder(), "store");
    const db = await open(path, { durability: "none" });
    const { tx } = await db.write([person("a", {})]);
    expect(await db.backup(join(folder(), "copy"))).toMatchObject({ tx });
    await db.close();
  });

  it("is a store of its own, which goes on by itself", async () => {
    const db = await filled(join(folder(), "store"));
    const { tx } = await db.backup(join(folder(), "copy"));
    const copy = await open(join(folder(), "copy"));
    expect((await copy.write([person("only here", {})])).tx).toBe(tx + 1);
    expect((await db.head()).tx).toBe(tx);
    await copy.close();
    await db.close();
  });

  it("is made by a handle that only reads, beside a writer in another process", async () => {
    const path = join(folder(), "store");
    await (await filled(path)).close();
    const writer = startProcess();
    await writer.call("open", path);
    await writer.call("write", [person("later", {})]);
    const db = await open(path, { readOnly: true });
    const head = await db.backup(join(folder(), "copy"));
    expect(await headAndDigest(join(folder(), "copy"))).toEqual({ ...head, digest: await db.digest() });
    await db.close();
    await writer.end();
  });

  it("is made of an empty store and of one in memory", async () => {
    const empty = await open(join(folder(), "empty"));
    expect(await empty.backup(join(folder(), "empty copy"))).toEqual({ tx: 0, txTime: null, chain: "0".repeat(64) });
    expect(await headAndDigest(join(folder(), "empty copy"))).toMatchObject({ tx: 0 });
    await empty.close();
    const memory = await open(":memory:");
    await memory.write([person("a", {})]);
    const head = await memory.backup(join(folder(), "deep", "er", "copy"));
    expect(await headAndDigest(join(folder(), "deep", "er", "copy"))).toMatchObject({ ...head, tx: 1 });
    await memory.close();
  });

  it("has nothing of what was erased, and its receipts", async () => {
    const path = join(folder(), "store");
    const db = await filled(path);
    await db.write([person("canary", { text: "canary" })]);
    await db.write([{ op: "erase", ref: { uid: "canary" }, reason: "asked" }]);
    const digest = await db.digest();
    const head = await db.backup(join(folder(), "copy"));
    expect(await headAndDigest(join(folder(), "copy"))).toEqual({ ...head, digest });
    expect(readFileSync(join(folder(), "copy", "log", "0000000001.plog")).includes("canary")).toBe(false);
    await db.close();
  });

  it("is right while identities are being erased", async () => {
    const path = join(folder(), "store");
    const db = await filled(path);
    for (let i = 0; i < 6; i += 1) await db.write([person(`gone${i}`, { i })]);
    const erasing = (async () => {
      for (let i = 0; i < 6; i += 1) await db.write([{ op: "erase", ref: { uid: `gone${i}` } }]);
    })();
    for (let i = 0; i < 4; i += 1) {
      const head = await backUpLog({ layer, store: path, target: layer }, join(folder(), `copy${i}`));
      const { chain, tx } = await headAndDigest(join(folder(), `copy${i}`));
      expect([chain, tx]).toEqual([head.chain, head.tx]);
    }
    await erasing;
    await db.close();
  });

  it("leaves a torn tail behind", async () => {
    const path = join(folder(), "store");
    const db = await filled(path);
    const head = await db.head();
    await db.close();
    appendFileSync(join(path, "log", "0000000001.plog"), Buffer.alloc(500, 7));
    writeFileSync(join(path, "log", "cut-99"), "bad bytes of another day");
    const copied = await backUpLog({ layer, store: path, target: layer }, join(folder(), "copy"));
    expect(copied).toMatchObject({ tx: head.tx, chain: head.chain });
    expect(await headAndDigest(join(folder(), "copy"), false)).toMatchObject(head);
    expect(readdirSync(join(folder(), "copy", "log"))).toEqual(["0000000001.plog"]);
  });

  it("that was killed before its log had its name is no store, for writers and readers", async () => {
    const path = join(folder(), "store");
    await (await filled(path)).close();
    const killed: string[] = [];
    const keepWhatIsThere = (stage: string, of: string): void => {
      const at = join(folder(), `killed-${stage}`);
      cpSync(of, at, { recursive: true });
      killed.push(at);
    };
    // What a kill right before one of these steps leaves.
    const target: FileLayer = Object.create(layer, {
      syncFolder: {
        value: (of: string) => {
          if (of.endsWith("unfinished")) keepWhatIsThere("before-lock", join(of, ".."));
          return layer.syncFolder(of);
        },
      },
      rename: {
        value: (from: string, to: string) => {
          if (from.endsWith("unfinished")) keepWhatIsThere("after-lock", join(from, ".."));
          return layer.rename(from, to);
        },
      },
    });
    await backUpLog({ layer, store: path, target }, join(folder(), "copy"));
    expect(killed).toHaveLength(2);
    for (const at of killed) {
      const before = readdirSync(at).sort();
      for (const readOnly of [false, true]) {
        await expect(open(at, { readOnly })).rejects.toMatchObject({ code: "E_STATE", details: { store: at } });
      }
      expect(readdirSync(at).sort()).toEqual(before);
    }
  });

  it("that was killed before it had anything, or while it was taken away, is no store either", async () => {
    const path = join(folder(), "store");
    await (await filled(path)).close();
    const [empty, locked] = ["0123456789ab", "abcdef012345"].map((end) => join(folder(), `copy.partial-${end}`));
    for (const at of [empty!, locked!]) mkdirSync(at);
    writeFileSync(join(locked!, "LOCK"), "");
    for (const at of [empty!, locked!]) {
      const before = readdirSync(at);
      for (const readOnly of [false, true]) {
        await expect(open(at, { readOnly })).rejects.toMatchObject({ code: "E_STATE", details: { store: at } });
      }
      expect(readdirSync(at)).toEqual(before);
      rmSync(at, { recursive: true });
      // The name alone means nothing.
      await (await open(at)).close();
      rmSync(at, { recursive: true });
    }
  });

  it("is refused of a damaged log", async () => {
    const path = join(folder(), "store");
    await (await filled(path)).close();
    const file = join(path, "log", "0000000001.plog");
    const bytes = readFileSync(file);
    bytes[400] = bytes[400]! ^ 1;
    writeFileSync(file, bytes);
    const backup = backUpLog({ layer, store: path, target: layer }, join(folder(), "copy"));
    await expect(backup).rejects.toMatchObject({ code: "E_LOG_CORRUPT" });
    expect(readdirSync(folder())).toEqual(["store"]);
  });
});

describe("the place of a backup", () => {
  it("must not be there, nor lie in the store, nor be nonsense", async () => {
    const path = join(folder(), "store");
    const db = await filled(path, 1);
    mkdirSync(join(folder(), "there"));
    await expect(db.backup(join(folder(), "there"))).rejects.toMatchObject({ code: "E_STATE" });
    await expect(db.backup(path)).rejects.toMatchObject({ code: "E_STATE" });
    await expect(db.backup(join(path, "log", "copy"))).rejects.toMatchObject({ code: "E_INVALID_ARG" });
    for (const nonsense of ["", "a\0b", 7, null, undefined]) {
      await expect(db.backup(nonsense as string)).rejects.toMatchObject({ code: "E_INVALID_ARG" });
    }
    await expect(db.backup(join(path, "LOCK", "copy"))).rejects.toMatchObject({ code: "E_INVALID_ARG" });
    await expect(db.backup("/proc/none/copy")).rejects.toMatchObject({ code: "E_IO" });
    await db.close();
    await expect(db.backup(join(folder(), "copy"))).rejects.toMatchObject({ code: "E_CLOSED" });
    expect(readdirSync(folder()).sort()).toEqual(["store", "there"]);
  });

  it("stays free when any of the writes there fails", async () => {
    const path = join(folder(), "store");
    await (await filled(path)).close();
    const calls = ["open", "rename", "syncFolder", "makeFolder"] as const;
    const kinds = [...calls, "write", "sync"] as const;
    for (const failing of kinds) {
      for (let nth = 1; nth <= 2; nth += 1) {
        const { target, hasFailed } = failingLayer(failing, nth);
        const backup = backUpLog({ layer, store: path, target }, join(folder(), "copy"));
        const outcome = await backup.then(
          () => "copied",
          (error: { code: string }) => error.code,
        );
        expect([failing, nth, outcome]).toEqual([failing, nth, hasFailed() ? "E_IO" : "copied"]);
        expect(readdirSync(folder())).toEqual(hasFailed() ? ["store"] : ["copy", "store"]);
        if (!hasFailed()) break;
      }
      rmSync(join(folder(), "copy"), { recursive: true, force: true });
    }
  });
});

/** The file system, but the n-th call of one kind finds the disk full. */
function failingLayer(kind: string, nth: number): { target: FileLayer; hasFailed: () => boolean } {
  let left = nth;
  const watch = <T extends object>(object: T): T =>
    new Proxy(object, {
      get: (_, name) => {
        const member = object[name as keyof T];
        if (typeof member !== "function") return member;
        return (...args: unknown[]) => {
          if (name === kind) left -= 1;
          if (name === kind && left === 0) throw new FileError("ENOSPC", kind, String(args[0]), "no space left");
          const result = member.apply(object, args) as unknown;
          return name === "open" ? watch(result as object) : result;
        };
      },
    });
  return { target: watch(layer), hasFailed: () => left <= 0 };
}
