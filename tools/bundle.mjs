// Bundles the command line into one file: hundreds of small imports are most of its start-up.
// Used by the build and by tests that run it as a user does.
import { chmodSync } from "node:fs";
import { build } from "esbuild";

export async function bundleCommandLine(outfile) {
  await build({
    entryPoints: ["src/cli/main.ts"],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    external: ["*.node"],
    logLevel: "warning",
    banner: {
      js: '#!/usr/bin/env node\nimport { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
    },
  });
  chmodSync(outfile, 0o755);
}
