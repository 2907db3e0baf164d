// A process ends when it should and as it should, whatever is open or running; what was acknowledged is in the log.
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { open } from "../../src/database.js";
import { person } from "../support/small-batches.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { CLEAN, PATIENCE_MS, runChild } from "./run-child.js";

vi.setConfig({ testTimeout: PATIENCE_MS });

const folder = temporaryFolder();

async function endOf(way: string) {
  const path = join(folder(), "store");
  const end = await runChild("exits", way, path);
  // Whatever happened, the log opens, holds at least what was acknowledged, and takes the next commit.
  const acknowledged = Math.max(...[...end.stdout.matchAll(/tx (\d+)/g)].map(([, tx]) => Number(tx)));
  const db = await open(path);
  const { tx } = await db.head();
  expect(tx).toBeGreaterThanOrEqual(acknowledged);
  expect((await db.write([person("after")])).tx).toBe(tx + 1);
  await db.close();
  return end;
}

test.each([
  ["natural: open handles", "tx 1\n"],
  ["natural: a read on the pool", "tx 1\ndigest 64\n"],
  ["natural: a load", "tx 1\nloaded tx 2\n"],
  ["natural: a rejected call", "tx 1\nrefused\n"],
  ["exit: idle", "tx 1\n"],
  ["exit: reads and a write run", "tx 1\n"],
  ["exit: a load runs", "tx 1\n"],
  ["exit: writes run", "tx 1\ntx 2\n"],
])("%s", async (way, stdout) => {
  expect(await endOf(way)).toMatchObject({ ...CLEAN, stdout, stderr: "" });
});

test("throw: writes run", async () => {
  const end = await endOf("throw: writes run");
  expect(end).toMatchObject({ code: 1, signal: null });
  expect(end.stderr).toContain("on purpose");
});
