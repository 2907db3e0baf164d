// kill -9 of a process that erases, before each call that changes a file and at random moments, on a real file system, while
// a follower in another process watches: afterwards each erasure has happened wholly or not at all, the chain verifies, both
// engines replay to one digest, and no file holds a byte of what was erased, nor what was derived from it.
import { spawn } from "node:child_process";
import { cpSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, expect, test } from "vitest";
import { nativeFileLayer } from "../../src/log/native-file-layer.js";
import { LogReader } from "../../src/log/reader.js";
import { addon } from "../../src/native/addon.js";
import { replayCommits } from "../../src/reference/index.js";
import { Store } from "../../src/store/store.js";
import { LogVerifier } from "../../src/store/verifier.js";
import { CASE_COUNT } from "../support/case-count.js";
import { digestOf } from "../support/fault-session.js";
import { readAll } from "../support/log-driver.js";
import { scriptProgram } from "../support/program-paths.js";
import { Random } from "../support/random.js";
import { knows, messages, person } from "../support/small-batches.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const CHILD = scriptProgram("store-eraser-child");
const SEED = Number(process.env.PALIMPSEST_FIRST_SEED ?? Date.now() % 2 ** 31);
/** Of each kind; a campaign (`PALIMPSEST_ORACLE`) dies at every step. */
const ROUNDS = Math.max(3, Math.floor(CASE_COUNT / 8));
const OPTIONS = { rotateBytes: 900 } as const;
const UIDS = ["canary-0", "canary-1", "canary-2"] as const;

const layer = nativeFileLayer(addon.files);
const folder = temporaryFolder();
const running = new Set<() => void>();
afterEach(() => {
  for (const kill of running) kill();
});

/** A store of several files with every canary in most of them. */
async function written(path: string): Promise<void> {
  const store = await Store.openOn(layer, path, OPTIONS);
  for (let i = 0; i < 2; i += 1) {
    for (const uid of UIDS) await store.write([person(uid, { i }), knows(uid, `other ${i}`), person(`other ${i}`)]);
    const codes = Uint32Array.from({ length: 20 }, (_, k) => k % 4);
    await store.ingest({ ...messages(20), src: { values: [...UIDS, "p1"], codes } }, { type: "M" });
  }
  // What was derived from them lies beside the log.
  const { tx, chain } = store.head();
  for (const [i, uid] of UIDS.entries()) {
    await store.derived!.addNotes([{ built_tx: tx, chain, text: uid }]);
    await store.derived!.keepAnswer(String(i).repeat(64), { text: uid }, tx);
  }
  await store.close();
}

/** The digest after each number of erasures, of a copy that nobody kills. */
async function digestsOf(path: string): Promise<string[]> {
  const store = await Store.openOn(layer, path, OPTIONS);
  const digests = [await digestOf(store)];
  for (const uid of UIDS) {
    await store.erase({ uid });
    digests.push(await digestOf(store));
  }
  await store.close();
  return digests;
}

const filesWith = (path: string, text: string): string[] =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file).includes(text));

interface Death {
  /** How many erasures it acknowledged. */
  readonly done: number;
  /** Calls that change files, as far as it said. */
  readonly calls: number;
  readonly step: string;
}

/** Erases in another process, which dies before its `deadly`-th change of a file, or so many ms after it has opened. */
async function eraseAndDie(path: string, deadly: number, afterMs: number, watch: () => Promise<void>): Promise<Death> {
  const child = spawn(process.execPath, [CHILD, path, String(deadly), ...UIDS], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const kill = (): void => void child.kill("SIGKILL");
  running.add(kill);
  const death = { done: 0, calls: 0, step: "" };
  let watching: Promise<void> = Promise.resolve();
  for await (const line of createInterface(child.stdout)) {
    const [said, what, calls] = line.split(" ");
    if (said === "open" && deadly === 0) setTimeout(kill, afterMs);
    if (said === "dies") death.step = what!;
    if (said === "erased") Object.assign(death, { done: death.done + 1, calls: Number(calls) });
    watching = watching.then(watch);
    if (death.done === UIDS.length && deadly > death.calls) kill();
  }
  await watching;
  running.delete(kill);
  return death;
}

async function expectWhole(path: string, digests: readonly string[], death: Death, where: string): Promise<void> {
  const reader = await Store.openOn(layer, path, { readOnly: true });
  const seen = await digestOf(reader);
  await reader.close();
  const store = await Store.openOn(layer, path, OPTIONS);
  const erased = digests.indexOf(await digestOf(store));
  expect(digests[erased], `${where}: reader before the next writer`).toBe(seen);
  expect([death.done, death.done + 1], `${where}: erased`).toContain(erased);
  for (const name of readdirSync(join(path, "log"))) expect(name, where).toMatch(/^(\d{10}\.plog|cut-\d+)$/);
  for (const uid of UIDS.slice(0, erased)) expect(filesWith(path, uid), `${where}: bytes of ${uid}`).toEqual([]);
  const log = new LogReader(layer, path);
  const verifier = new LogVerifier();
  for (let commit = await log.next(); commit !== undefined; commit = await log.next()) await verifier.apply(commit);
  log.close();
  const { commits, error } = await readAll(layer, path);
  expect(error, where).toBeUndefined();
  expect(replayCommits(commits).digest(), `${where}: reference`).toBe(seen);
  for (const uid of UIDS.slice(erased)) await store.erase({ uid });
  expect(await digestOf(store), `${where}: the rest erased later`).toBe(digests.at(-1));
  expect(filesWith(path, "canary"), `${where}: bytes at the end`).toEqual([]);
  await store.close();
}

test(`an erasure that a kill cuts short has happened or not, seed ${SEED}`, { timeout: 3_600_000 }, async () => {
  const random = new Random(SEED);
  const base = join(folder(), "base");
  await written(base);
  cpSync(base, join(folder(), "clean"), { recursive: true });
  const digests = await digestsOf(join(folder(), "clean"));
  expect(new Set(digests).size).toBe(UIDS.length + 1);

  const round = async (name: string, deadly: number, afterMs: number): Promise<Death> => {
    const path = join(folder(), name);
    cpSync(base, path, { recursive: true });
    const follower = await Store.openOn(layer, path, { readOnly: true });
    let least = 0;
    const death = await eraseAndDie(path, deadly, afterMs, async () => {
      await follower.refresh();
      const at = digests.indexOf(await digestOf(follower));
      expect(at, `seed ${SEED}, ${name}: follower`).toBeGreaterThanOrEqual(least);
      least = at;
    });
    await expectWhole(path, digests, death, `seed ${SEED}, ${name} at ${death.step}`);
    await follower.refresh();
    expect(await digestOf(follower), `seed ${SEED}, ${name}: follower at the end`).toBe(digests.at(-1));
    await follower.close();
    return death;
  };

  const { calls } = await round("whole", 1_000_000, 0);
  expect(calls).toBeGreaterThan(20);
  const isCampaign = ROUNDS >= calls / 3;
  const steps = Array.from({ length: calls }, (_, i) => i + 1);
  const chosen = isCampaign ? steps : Array.from({ length: ROUNDS }, () => random.pick(steps));
  const died = new Set<string>();
  for (const deadly of chosen) died.add((await round(`step ${deadly}`, deadly, 0)).step);
  if (isCampaign) for (const name of ["open", "write", "sync", "rename", "syncFolder"]) expect(died).toContain(name);
  for (let i = 0; i < ROUNDS; i += 1) await round(`moment ${i}`, 0, random.below(150));
});
