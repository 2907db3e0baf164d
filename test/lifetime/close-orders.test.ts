// Handles go in any order, closed or collected, without a crash and without leaving anything held.
import { expect, test, vi } from "vitest";
import { CLEAN, PATIENCE_MS, runChild } from "./run-child.js";

vi.setConfig({ testTimeout: PATIENCE_MS });

test("every order of letting go, with forced collections between", async () => {
  const end = await runChild("close-orders");
  expect(end).toMatchObject({ ...CLEAN, stdout: "48 orders\nok\n", stderr: "" });
});
