// Runs the benchmarks as built code: what transpiles on the fly names every function anew, which costs the short calls a
// part of their time. Bundled into build/bench; files see the folder that they were written in.
import { readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

const ROOT = resolve(import.meta.dirname, "..");
const OUT = join(ROOT, "build/bench");

const ownFolders = {
  name: "own-folders",
  setup(bundle) {
    bundle.onLoad({ filter: /\/bench\/.*\.ts$/ }, async ({ path }) => ({
      contents: (await readFile(path, "utf8")).replaceAll("import.meta.dirname", JSON.stringify(dirname(path))),
      loader: "ts",
    }));
  },
};

await build({
  entryPoints: [join(ROOT, "bench/main.ts")],
  outdir: OUT,
  bundle: true,
  splitting: true,
  platform: "node",
  format: "esm",
  target: "node20",
  packages: "external",
  external: ["*.node"],
  logLevel: "warning",
  plugins: [ownFolders],
});
process.argv[1] = join(OUT, "main.js");
await import(pathToFileURL(process.argv[1]).href);
