// Compiles src/ to dist/ with tsc and bundles the command line into one file: hundreds of small imports are most of its start-up.
import { spawnSync } from "node:child_process";
import { chmodSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { build } from "esbuild";

const tsc = createRequire(import.meta.url).resolve("typescript/bin/tsc");
rmSync("dist", { recursive: true, force: true });
const { status } = spawnSync(process.execPath, [tsc, "-p", "tsconfig.build.json"], { stdio: "inherit" });
if (status !== 0) process.exit(status ?? 1);

await build({
  entryPoints: ["src/cli/main.ts"],
  outfile: "dist/cli/palimpsest.js",
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  external: ["*.node"],
  banner: {
    js: '#!/usr/bin/env node\nimport { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
  },
});
chmodSync("dist/cli/palimpsest.js", 0o755);
