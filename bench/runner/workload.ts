// The shape of a workload, and the folder in which its stores live while it runs.
// A workload gives figures or throws; it prints nothing but progress, to standard error.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SystemDocument } from "./document.js";
import type { Figure } from "./figures.js";

export interface Context {
  /** Number of edges. */
  readonly scale: number;
  /** An empty folder on a real file system; removed afterwards. */
  readonly folder: string;
  /** One line about what is going on. */
  readonly progress: (line: string) => void;
  /** How often each question is timed; the quietest round counts. */
  readonly rounds: number;
  /** The questions that are asked; null for all. */
  readonly only: ReadonlySet<string> | null;
}

export interface Outcome {
  readonly figures: Figure[];
  /** The same cells in the form in which other systems report theirs. */
  readonly document?: SystemDocument;
}

export interface Workload {
  readonly summary: string;
  readonly defaultScale: number;
  readonly run: (context: Context) => Promise<Figure[] | Outcome>;
}

export interface RunOptions {
  readonly scale: number;
  /** Where the temporary folder is made; undefined for the system's own place. */
  readonly parent: string | undefined;
  readonly rounds: number;
  readonly only: ReadonlySet<string> | null;
}

/** Runs a workload in a temporary folder, which goes away however it ends. */
export async function runIn(workload: Workload, { scale, parent, rounds, only }: RunOptions): Promise<Outcome> {
  const folder = mkdtempSync(join(parent ?? tmpdir(), "palimpsest-bench-"));
  const begun = performance.now();
  const progress = (line: string) =>
    process.stderr.write(`${((performance.now() - begun) / 1e3).toFixed(1).padStart(7)} s  ${line}\n`);
  try {
    const outcome = await workload.run({ scale, folder, progress, rounds, only });
    return Array.isArray(outcome) ? { figures: outcome } : outcome;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
