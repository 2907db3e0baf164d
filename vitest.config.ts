// Two kinds of test files: most share a process with others, so that the sources are loaded once; some have one of their own.
import { defineConfig } from "vitest/config";

/** Layers whose tests call functions and look at what comes back; no file may leave anything changed behind it. */
const SHARING = [
  "agent",
  "cli",
  "columns",
  "conformance",
  "contract",
  "derived",
  "expressions",
  "interchange",
  "language",
  "manual",
  "operators",
  "plan",
  "property",
  "query",
  "reference",
  "relational",
  "statements",
].map((folder) => `test/${folder}/**/*.test.ts`);

const EACH = { pool: "forks" as const, testTimeout: 60_000, hookTimeout: 60_000 };

export default defineConfig({
  test: {
    globalSetup: ["test/support/vendor.ts", "test/support/programs.ts"],
    pool: "forks",
    maxWorkers: 2,
    // In the order of their names: what is left at the end are short files, so that no core waits for a long one.
    projects: [
      { test: { ...EACH, name: "alone", include: ["{test,bench}/**/*.test.ts"], exclude: SHARING } },
      { test: { ...EACH, name: "sharing", include: SHARING, isolate: false } },
    ],
  },
});
