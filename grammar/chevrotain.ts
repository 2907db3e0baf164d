// Finds and loads Chevrotain at its first use: one CommonJS file, so that a synchronous call can bring it in within milliseconds.
// All other code of this folder imports types alone from it. It stands under the package's root, whether this file runs from
// its source, dist/ or a bundle.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type * as Whole from "chevrotain";

/** What tools/vendor.mjs bundles. */
export type Chevrotain = Pick<
  typeof Whole,
  | "Alternation"
  | "EmbeddedActionsParser"
  | "Lexer"
  | "NonTerminal"
  | "Option"
  | "Repetition"
  | "Terminal"
  | "VERSION"
  | "createToken"
>;

const BUNDLE_PATH = "dist/vendor/chevrotain.cjs";
/** The custom look-ahead and the token types lean on this version; tools/vendor.mjs bundles what is installed. */
const VERSION = "11.2.0";

function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, "package.json"))) {
    const parent = dirname(folder);
    if (parent === folder) break;
    folder = parent;
  }
  return folder;
}

let loaded: Chevrotain | null = null;

export function chevrotain(): Chevrotain {
  if (loaded !== null) return loaded;
  const path = join(packageRoot(), BUNDLE_PATH);
  if (!existsSync(path)) throw new Error(`the parser is not built: ${BUNDLE_PATH} is missing; run npm run build`);
  const found = createRequire(import.meta.url)(path) as Chevrotain;
  if (found.VERSION !== VERSION) {
    throw new Error(`${BUNDLE_PATH} holds Chevrotain ${found.VERSION}, not ${VERSION}; run npm ci, then npm run build`);
  }
  loaded = found;
  return found;
}
