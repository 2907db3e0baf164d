// Runs on `npm ci` in a clone, and when npx first meets it: builds the addon, the TypeScript and the command line, as far as
// they are older than what they are made of. Without cmake-js it says so and ends well.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

/** The last file that the build of TypeScript writes. */
const WRITTEN_LAST = "dist/cli/palimpsest.js";
const MADE_OF = [
  "src",
  "grammar",
  "tools",
  "package.json",
  "package-lock.json",
  "tsconfig.json",
  "tsconfig.build.json",
];

const changedMs = (path) => statSync(path).mtimeMs;

/** When anything below was written, added or removed last. */
function newestMs(path) {
  const below = statSync(path).isDirectory() ? readdirSync(path, { recursive: true }) : [];
  return Math.max(changedMs(path), ...below.map((name) => changedMs(join(path, name))));
}

const isBuilt = () => existsSync(WRITTEN_LAST) && MADE_OF.every((path) => newestMs(path) < changedMs(WRITTEN_LAST));

function run(program) {
  const { status } = spawnSync(process.execPath, [program], { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}

try {
  createRequire(import.meta.url).resolve("cmake-js/bin/cmake-js");
} catch {
  console.log("palimpsest: cmake-js is not installed, the native addon is not built");
  process.exit(0);
}
// Compiles what has changed alone, by itself.
run("tools/build-native.mjs");
if (!isBuilt()) run("tools/build-typescript.mjs");
