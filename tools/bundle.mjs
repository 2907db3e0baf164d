// Bundles programs: hundreds of small imports are most of their start-up.
// Used by the build for the command line, and by tests for it and for what else they start in processes of their own.
import { chmodSync } from "node:fs";
import { basename, dirname } from "node:path";
import { build } from "esbuild";

/**
 * `entryPoints` as esbuild takes them. Code that is imported when it is asked for becomes a file of its own beside the entry,
 * so that each command reads only its part.
 */
export async function bundle(entryPoints, outdir, firstLine = "") {
  await build({
    entryPoints,
    outdir,
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
      js: `${firstLine}import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);`,
    },
  });
}

export async function bundleCommandLine(outfile) {
  const entry = { in: "src/cli/main.ts", out: basename(outfile, ".js") };
  await bundle([entry], dirname(outfile), "#!/usr/bin/env node\n");
  chmodSync(outfile, 0o755);
}
