// `palimpsest backup`, and `replay` where it copies too, as a user runs them: beside a writer in another process, killed half way, on a full disk.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { open } from "../../src/index.js";
import { person } from "../support/small-batches.js";
import { commandLine } from "./command-line.js";

const cli = commandLine();
const SEED = Number(process.env.PALIMPSEST_FIRST_SEED ?? Date.now() % 2 ** 31);

async function largeStore(path: string): Promise<void> {
  const db = await open(path);
  const text = "x".repeat(500_000);
  await Promise.all(Array.from({ length: 40 }, (_, i) => db.write([person(`n${i}`, { text })])));
  await db.close();
}

describe("palimpsest backup", () => {
  it("copies a store that another process writes, and says which commit it is", async () => {
    const store = cli.path("used");
    const db = await open(store);
    await db.write([person("a", {}), person("b", {})]);
    const { tx, txTime, chain } = await db.head();
    const copy = cli.path("copy");
    expect(await cli.json("backup", store, copy)).toEqual({ path: copy, tx, tx_time: txTime, chain });
    await db.write([person("c", {})]);
    await db.close();
    expect(await cli.json("verify", copy, "--head", chain)).toMatchObject({ tx, chain, torn_tail: null });
    const again = await cli.run("backup", store, copy);
    expect([again.exitCode, again.err]).toEqual([1, expect.stringMatching(/^E_STATE: .*is there already/)]);
    expect((await cli.run("backup", cli.path("none"), cli.path("copy2"))).err).toMatch(/^E_NOT_FOUND: /);
    symlinkSync(store, cli.path("link"));
    const inside = await cli.run("backup", store, join(cli.path("link"), "copy"));
    expect([inside.exitCode, inside.err]).toEqual([1, expect.stringMatching(/^E_INVALID_ARG: .*inside the store/)]);
  });

  it(`leaves nothing that opens when it is killed, seed ${SEED}`, { timeout: 120_000 }, async () => {
    const store = cli.path("large");
    await largeStore(store);
    const { digest } = await cli.json("verify", store);
    const outcomes = new Set<boolean>();
    for (let round = 0; round < 8; round += 1) {
      const dest = join(cli.folder, `killed${round}`, "copy");
      const child = spawn(process.execPath, [cli.program, "backup", store, dest], { stdio: "ignore" });
      const ended = new Promise((resolve) => child.once("exit", resolve));
      while (child.exitCode === null && !existsSync(join(cli.folder, `killed${round}`))) await setTimeout(1);
      await setTimeout((SEED * (round + 1)) % 60);
      child.kill("SIGKILL");
      await ended;
      outcomes.add(existsSync(dest));
      for (const name of readdirSync(join(cli.folder, `killed${round}`))) {
        const path = join(cli.folder, `killed${round}`, name);
        // What has a log is whole, whatever its name.
        if (existsSync(join(path, "log"))) expect(await cli.json("verify", path)).toMatchObject({ digest });
        else expect((await cli.run("info", path)).exitCode).toBe(1);
      }
    }
    expect(outcomes.has(false)).toBe(true);
  });
});

const disk = `/tmp/palimpsest-backup-mount-${process.pid}`;
const isMounted = (() => {
  mkdirSync(disk);
  const { status } = spawnSync("mount", ["-t", "tmpfs", "-o", "size=4m", "palimpsest-test", disk]);
  if (status !== 0) console.log("skipped: no right to mount a small file system");
  return status === 0;
})();

describe.skipIf(!isMounted)("a full disk", () => {
  it("is E_IO, and leaves nothing there", async () => {
    try {
      await largeStore(cli.path("larger"));
      const { exitCode, err } = await cli.run("backup", cli.path("larger"), join(disk, "copy"));
      expect([exitCode, err]).toEqual([1, expect.stringMatching(/^E_IO: .*ENOSPC/)]);
      expect(readdirSync(disk)).toEqual([]);
      const replayed = await cli.run("replay", cli.path("larger"), join(disk, "replayed"));
      expect([replayed.exitCode, replayed.err]).toEqual([1, expect.stringMatching(/^E_IO: .*ENOSPC/)]);
      expect(readdirSync(disk)).toEqual([]);
      expect(statSync(cli.path("larger")).isDirectory()).toBe(true);
    } finally {
      spawnSync("umount", [disk]);
    }
  });
});
process.once("exit", () => rmSync(disk, { recursive: true, force: true }));
