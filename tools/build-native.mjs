// Builds the addon through cmake-js, found by resolution so that hoisting does not matter.
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";

const cmakeJs = createRequire(import.meta.url).resolve("cmake-js/bin/cmake-js");
const { status } = spawnSync(process.execPath, [cmakeJs, "compile", ...process.argv.slice(2)], { stdio: "inherit" });
process.exit(status ?? 1);
