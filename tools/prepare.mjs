// Runs on `npm ci` in a clone: builds the addon, the TypeScript and the command line. Without cmake-js it says so and ends well.
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";

try {
  createRequire(import.meta.url).resolve("cmake-js/bin/cmake-js");
} catch {
  console.log("palimpsest: cmake-js is not installed, the native addon is not built");
  process.exit(0);
}
for (const args of [["tools/build-native.mjs"], ["tools/build-typescript.mjs"]]) {
  const { status } = spawnSync(process.execPath, args, { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}
