// Two kinds of test files: most share a process with others, so that the sources are loaded once, and leave nothing changed
// behind them; some have one of their own.
import { defineConfig } from "vitest/config";

/**
 * What measures the process that it runs in, its heap or its turns; and scripts of a few lines that run long in processes of
 * their own, which load no sources here and would otherwise come last.
 */
const ALONE = ["test/lifetime/**/*.test.ts", "test/mcp/hostile-clients.test.ts", "test/store/event-loop.test.ts"];
const ALL = ["{test,bench}/**/*.test.ts"];

const EACH = { pool: "forks" as const, testTimeout: 60_000, hookTimeout: 60_000 };

export default defineConfig({
  test: {
    globalSetup: ["test/support/vendor.ts", "test/support/programs.ts"],
    pool: "forks",
    maxWorkers: 2,
    // In the order of their names: what is left at the end are short files, so that no core waits for a long one.
    projects: [
      { test: { ...EACH, name: "alone", include: ALONE } },
      { test: { ...EACH, name: "sharing", include: ALL, exclude: ALONE, isolate: false } },
    ],
  },
});
