// kill -9 of a real writer at random moments, on a real file system: what it acknowledged is there, the store opens,
// a replay elsewhere gives the same digest, and readers that watched saw nothing else.
import { type ChildProcess, spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, expect, test } from "vitest";
import { open } from "../../src/database.js";
import { nativeFileLayer } from "../../src/log/native-file-layer.js";
import { addon } from "../../src/native/addon.js";
import { replayCommits } from "../../src/reference/replay.js";
import { readAll } from "../support/log-driver.js";
import { scriptProgram } from "../support/program-paths.js";
import { Random } from "../support/random.js";
import { person } from "../support/small-batches.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const CHILD = scriptProgram("store-writer-child");
const ROUNDS = 6;
const SEED = Number(process.env.PALIMPSEST_FIRST_SEED ?? Date.now() % 2 ** 31);

const folder = temporaryFolder();
const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

interface Killed {
  /** Chain by commit, of what was acknowledged. */
  readonly done: Map<number, string>;
  readonly digestAtOpen: string;
}

/** Starts a writer, and kills it a random moment after it has acknowledged so many commits. */
async function writeAndKill(path: string, width: number, commits: number, turns: number): Promise<Killed> {
  const child = spawn(process.execPath, [CHILD, path, String(width)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  const done = new Map<number, string>();
  let digestAtOpen = "";
  let left = turns;
  const kill = (): void => {
    if (left-- > 0) setImmediate(kill);
    else child.kill("SIGKILL");
  };
  for await (const line of createInterface(child.stdout)) {
    const [kind, tx, value] = line.split(" ") as [string, string, string];
    if (kind === "open") digestAtOpen = value;
    else done.set(Number(tx), value);
    if (done.size === commits) kill();
  }
  return { done, digestAtOpen };
}

test(`a killed writer loses nothing that it acknowledged, seed ${SEED}`, { timeout: 120_000 }, async () => {
  const random = new Random(SEED);
  const path = join(folder(), "store");
  const acknowledged = new Map<number, string>();
  let digest: string | undefined;
  for (let round = 0; round < ROUNDS; round += 1) {
    const where = `seed ${SEED}, round ${round}`;
    const killed = await writeAndKill(path, random.pick([1, 3, 8]), 1 + random.below(12), random.below(200));
    if (digest !== undefined) expect(killed.digestAtOpen, where).toBe(digest);
    for (const [tx, chain] of killed.done) acknowledged.set(tx, chain);

    const reader = await open(path, { readOnly: true });
    const { tx: seen } = await reader.head();
    expect(seen, where).toBeGreaterThanOrEqual(Math.max(...acknowledged.keys()));
    const writer = await open(path);
    const { tx } = await writer.head();
    expect(tx, where).toBe(seen);
    const { commits, error } = await readAll(nativeFileLayer(addon.files), path);
    expect(error, where).toBeUndefined();
    const chains = new Map(commits.map((commit) => [commit.tx, Buffer.from(commit.chain).toString("hex")]));
    for (const [number, chain] of acknowledged) expect(chains.get(number), `${where}, tx:${number}`).toBe(chain);
    digest = await writer.digest();
    expect(await reader.digest(), where).toBe(digest);
    if (round % 2 === 1) {
      const { tx: more, chain } = await writer.write([person(`round ${round}`)]);
      acknowledged.set(more, chain);
      digest = await writer.digest();
    }
    await reader.close();
    await writer.close();
  }
  const { commits } = await readAll(nativeFileLayer(addon.files), path);
  expect(replayCommits(commits).digest()).toBe(digest);
  rmSync(path, { recursive: true });
});
