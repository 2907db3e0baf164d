// Finds and loads the addon. It stands under the package's root, whether this file runs from src/, dist/ or a bundle.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { PalimpsestError } from "../contract/errors.js";
import type { NativeFiles } from "./files.js";
import type { NativeStatistics } from "./statistics.js";
import type { NativeCore } from "./store.js";

/** Cancels a running kernel; see native/core/base/stop.h. */
export interface StopToken {
  cancel(): void;
  /** What the kernels that ended under this token have counted. */
  readonly countedSteps: number;
}

export interface Addon {
  readonly files: NativeFiles;
  readonly statistics: NativeStatistics;
  /** `deadlineMs` from now; `stepCeiling` ends a run with E_COST, `memoryBytes` with E_LIMIT. */
  createStop(deadlineMs: number | null, stepCeiling: number | null, memoryBytes: number | null): StopToken;
  /** How many worker threads the engine shall have, 1 to 64; the first who says so decides, before any work began. */
  preferThreads(count: number): void;
  /** Whose instructions the innermost loops use: "v2", "v3" or "v4" of x86-64, else "base". */
  cpuLevel(): string;
  /** The process's core store of this key; a private one for null. */
  openCore(key: string | null): NativeCore;
}

const ADDON_PATH = "build/Release/palimpsest.node";

function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, "package.json"))) {
    const parent = dirname(folder);
    if (parent === folder) break;
    folder = parent;
  }
  return folder;
}

function load(): Addon {
  const path = join(packageRoot(), ADDON_PATH);
  if (!existsSync(path)) {
    throw new PalimpsestError("E_IO", `the native addon is not built: ${ADDON_PATH} is missing`, {
      hint: "run npm ci, which builds it",
    });
  }
  return createRequire(import.meta.url)(path) as Addon;
}

export const addon: Addon = load();
