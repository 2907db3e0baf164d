// Bundles Chevrotain into one CommonJS file: as it is published, hundreds of small modules are most of the time to a first parse.
// Run by the build and before the tests; grammar/chevrotain.ts loads what it makes.
import { existsSync, readFileSync, statSync } from "node:fs";
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

/**
 * What Chevrotain calls for every production while it records the grammar. Lodash's own take half of the time to a first parse
 * with cases that do not occur here.
 */
const QUICK = `
export * from "lodash-es?whole";
export const assign = Object.assign;
export const has = (object, key) => object !== null && object !== undefined && Object.hasOwn(object, key);
export const isArray = Array.isArray;
export const isFunction = (value) => typeof value === "function";
export function pickBy(object, isWanted) {
  const picked = {};
  for (const key of Object.keys(object)) if (isWanted(object[key], key)) picked[key] = object[key];
  return picked;
}
export function forEach(items, visit) {
  for (const key of Object.keys(items ?? [])) {
    if (visit(items[key], Array.isArray(items) ? Number(key) : key, items) === false) break;
  }
  return items;
}
`;
const quickLodash = {
  name: "quick-lodash",
  setup({ onResolve, onLoad }) {
    const whole = createRequire(join(ROOT, "node_modules/chevrotain/package.json")).resolve("lodash-es");
    onResolve({ filter: /^lodash-es\?whole$/ }, () => ({ path: whole }));
    onResolve({ filter: /^lodash-es$/ }, () => ({ path: "quick", namespace: "quick-lodash" }));
    onLoad({ filter: /.*/, namespace: "quick-lodash" }, () => ({ contents: QUICK, resolveDir: ROOT }));
  },
};

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
    plugins: [quickLodash],
  });
}

/** Whether the bundle is there, younger than this file, and of the version that is installed. */
export function isChevrotainFresh() {
  if (!existsSync(OUTFILE) || statSync(OUTFILE).mtimeMs < statSync(fileURLToPath(import.meta.url)).mtimeMs)
    return false;
  const installed = JSON.parse(readFileSync(join(ROOT, "node_modules/chevrotain/package.json"), "utf8"));
  return createRequire(import.meta.url)(OUTFILE).VERSION === installed.version;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await bundleChevrotain();
