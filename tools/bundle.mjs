// Bundles the command line: hundreds of small imports are most of its start-up.
// Code that is imported when it is asked for becomes a file of its own beside the entry, so that each command reads only its part.
// Used by the build and by tests that run it as a user does.
import { chmodSync } from "node:fs";
import { basename, dirname } from "node:path";
import { build } from "esbuild";

export async function bundleCommandLine(outfile) {
  await build({
    entryPoints: [{ in: "src/cli/main.ts", out: basename(outfile, ".js") }],
    outdir: dirname(outfile),
    chunkNames: "parts/[name]-[hash]",
    bundle: true,
    splitting: true,
    platform: "node",
    format: "esm",
    target: "node20",
    // DuckDB brings a library of its own, and is loaded when a statement needs it.
    external: ["*.node", "@duckdb/node-api"],
    logLevel: "warning",
    banner: {
      js: '#!/usr/bin/env node\nimport { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
    },
  });
  chmodSync(outfile, 0o755);
}
