// Tests against a real model server; not part of `npm test`: a first run installs the server, and models answer slowly.
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/vllm/**/*.vllm.ts"],
    testTimeout: 300_000,
    hookTimeout: 1_800_000,
    globalSetup: ["test/support/vendor.ts"],
    pool: "forks",
    fileParallelism: false,
    reporters: ["verbose"],
  },
});
