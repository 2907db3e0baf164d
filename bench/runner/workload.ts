// The shape of a workload, and the folder in which its stores live while it runs.
// A workload gives figures or throws; it prints nothing but progress, to standard error.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Figure } from "./figures.js";

export interface Context {
  /** Number of edges. */
  readonly scale: number;
  /** An empty folder on a real file system; removed afterwards. */
  readonly folder: string;
  /** One line about what is going on. */
  readonly progress: (line: string) => void;
}

export interface Workload {
  readonly summary: string;
  readonly defaultScale: number;
  readonly run: (context: Context) => Promise<Figure[]>;
}

/** Runs a workload in a temporary folder, which goes away however it ends. */
export async function runIn(workload: Workload, scale: number, parent: string | undefined): Promise<Figure[]> {
  const folder = mkdtempSync(join(parent ?? tmpdir(), "palimpsest-bench-"));
  const begun = performance.now();
  const progress = (line: string) =>
    process.stderr.write(`${((performance.now() - begun) / 1e3).toFixed(1).padStart(7)} s  ${line}\n`);
  try {
    return await workload.run({ scale, folder, progress });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
