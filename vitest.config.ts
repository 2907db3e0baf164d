import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts", "bench/**/*.test.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    globalSetup: ["test/support/vendor.ts", "test/support/programs.ts"],
    pool: "forks",
    maxWorkers: 2,
  },
});
