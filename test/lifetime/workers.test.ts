// The addon in many worker threads at once, and threads that end in the middle of native work.
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.js";
import { CLEAN, PATIENCE_MS, runChild } from "./run-child.js";

vi.setConfig({ testTimeout: PATIENCE_MS });

const folder = temporaryFolder();

test("workers are terminated while they read, write and load", async () => {
  const seed = Number(process.env.PALIMPSEST_SEED ?? Date.now() % 1e6);
  const end = await runChild("workers", join(folder(), "store"), String(seed));
  expect({ seed, ...end }).toMatchObject({ ...CLEAN, stdout: "ok\n", stderr: "" });
});
