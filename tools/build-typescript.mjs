// Compiles src/ and grammar/ to dist/ with tsc, bundles the parser's library and the command line.
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { createRequire } from "node:module";
import { bundleCommandLine } from "./bundle.mjs";
import { bundleChevrotain } from "./vendor.mjs";

const tsc = createRequire(import.meta.url).resolve("typescript/bin/tsc");
rmSync("dist", { recursive: true, force: true });
const { status } = spawnSync(process.execPath, [tsc, "-p", "tsconfig.build.json"], { stdio: "inherit" });
if (status !== 0) process.exit(status ?? 1);
await bundleChevrotain();
await bundleCommandLine("dist/cli/palimpsest.js");
