// The applications of examples/, run as a user runs them: by node alone, over the package as it is built.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.js";
import { ROOT } from "./command-line.js";

const folder = temporaryFolder();
const isBuilt = existsSync(join(ROOT, "dist/src/index.js"));
if (!isBuilt) console.log("skipped: the package is not built; npm run build");

const run = (name: string, ...args: string[]): string =>
  execFileSync(process.execPath, [join(ROOT, "examples", name), ...args], { cwd: folder(), encoding: "utf8" });

it.skipIf(!isBuilt)("an application of ES modules", () => {
  const said = "ana: 1 now\nana: 0.8 as we believed at tx:1\nrefused: E_NOT_FOUND\n";
  expect(run("esm-app.mjs")).toBe(said);
  expect(run("esm-app.mjs", join(folder(), "kept"))).toBe(said);
  expect(existsSync(join(folder(), "kept", "log"))).toBe(true);
});

it.skipIf(!isBuilt)("an application of CommonJS", () => {
  expect(run("commonjs-app.cjs")).toBe(
    "ana reaches ben at 2025-01-01T09:00:00Z\nana reaches cleo at 2025-01-01T10:00:00Z\n",
  );
});

it.skipIf(!isBuilt)("a worker thread beside the writer", () => {
  expect(run("worker-thread.mjs", join(folder(), "store"))).toBe("tx:1: 1 in the worker\ntx:2: 2 in the worker\n");
});
