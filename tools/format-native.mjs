// clang-format over native/: node tools/format-native.mjs [--check]
// With --check nothing is changed and a difference is an error.
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";

const files = readdirSync("native", { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.(?:h|cc)$/.test(entry.name))
  .map((entry) => join(entry.parentPath, entry.name));
const mode = process.argv.includes("--check") ? ["--dry-run", "--Werror"] : ["-i"];
const { error, status } = spawnSync("clang-format", [...mode, ...files], { stdio: "inherit" });
if (error !== undefined)
  console.error(`clang-format: ${error.message}; it is a package of the system (apt-get install clang-format)`);
process.exit(status ?? 1);
