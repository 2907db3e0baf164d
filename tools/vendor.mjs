// Bundles Chevrotain into one CommonJS file: as it is published, hundreds of small modules are most of the time to a first parse.
// Run by the build and before the tests; grammar/chevrotain.ts loads what it makes.
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..");
const OUTFILE = join(ROOT, "dist/vendor/chevrotain.cjs");

/** What grammar/ uses. */
const NAMES = [
  "Alternation",
  "EmbeddedActionsParser",
  "Lexer",
  "NonTerminal",
  "Option",
  "Repetition",
  "Terminal",
  "VERSION",
  "createToken",
];

export async function bundleChevrotain(outfile = OUTFILE) {
  await build({
    stdin: { contents: `export { ${NAMES.join(", ")} } from "chevrotain";`, resolveDir: ROOT },
    outfile,
    bundle: true,
    minify: true,
    platform: "node",
    format: "cjs",
    target: "node20",
    logLevel: "warning",
  });
}

/** Whether the bundle is there and of the version that is installed. */
export function isChevrotainFresh() {
  if (!existsSync(OUTFILE)) return false;
  const installed = JSON.parse(readFileSync(join(ROOT, "node_modules/chevrotain/package.json"), "utf8"));
  return createRequire(import.meta.url)(OUTFILE).VERSION === installed.version;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await bundleChevrotain();
