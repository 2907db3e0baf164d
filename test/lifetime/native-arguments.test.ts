// Wrong types, lengths, numbers and objects at every native entry give an Error and never a crash.
import { expect, test, vi } from "vitest";
import { CLEAN, PATIENCE_MS, runChild } from "./run-child.js";

vi.setConfig({ testTimeout: PATIENCE_MS });

test("every function of the addon with hostile arguments", async () => {
  const seed = Number(process.env.PALIMPSEST_SEED ?? Date.now() % 1e6);
  const end = await runChild("native-arguments", String(seed));
  expect({ seed, ...end }).toMatchObject({ ...CLEAN, stderr: "" });
  const [, answers, refusals] = /^(\d+) answers, (\d+) refusals\n$/.exec(end.stdout)!;
  expect(Number(answers)).toBeGreaterThan(1000);
  expect(Number(refusals)).toBeGreaterThan(5000);
});
