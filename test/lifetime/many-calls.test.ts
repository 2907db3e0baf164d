// Trivial calls leave nothing behind.
import { expect, test, vi } from "vitest";
import { CLEAN, PATIENCE_MS, runChild } from "./run-child.js";

vi.setConfig({ testTimeout: PATIENCE_MS });

test("resident memory does not grow with the number of calls", async () => {
  const end = await runChild("many-calls");
  expect(end).toMatchObject({ ...CLEAN, stderr: "" });
  const slopes = [...end.stdout.matchAll(/^(.+): (-?\d+)$/gm)].map(([, kind, bytes]) => [kind, Number(bytes)] as const);
  expect(slopes).toHaveLength(8);
  // Less than the smallest thing that a call could leave: a handle, a promise, a pinned view.
  for (const [kind, bytes] of slopes) expect(bytes, kind).toBeLessThan(48);
});
