// One system, one family of data, one scale: the document in which this project and the systems beside it report the same cells.
// Its shape is that of the benchmark that the others are run by, so that one table can hold them all.

import { writeFileSync } from "node:fs";
import type { Machine } from "./machine.js";

export type Family = "intervals" | "powerlaw";

export interface AnsweredCell {
  readonly median_ms: number;
  readonly p95_ms: number;
  readonly repetitions: number;
  readonly rows: number;
  /** SHA-256 of the whole answer in normal form. */
  readonly digest: string;
  readonly agrees: boolean;
  /** The first place where the answer is not the expected one. */
  readonly difference?: string;
  /** Parts of the answer that the system cannot hand over whole. */
  readonly withheld?: readonly string[];
  readonly others_cores: number;
  readonly loop_ms: number;
  readonly round_medians_ms: readonly number[];
}

export interface UnansweredCell {
  /** Why not. */
  readonly unsupported: string;
}

export type Cell = AnsweredCell | UnansweredCell;

export interface LoadFacts {
  readonly seconds: number;
  readonly events_per_s: number;
  readonly durable: boolean;
  readonly bytes_on_disk: number | null;
  readonly resident_mb: number | null;
  readonly resident_before_mb?: number | null;
  readonly peak_mb?: number | null;
}

export interface SystemDocument {
  readonly peer: string;
  readonly version: string;
  readonly commit?: string;
  readonly is_modified?: boolean;
  readonly machine: Omit<Machine, "node"> & { readonly node?: string; readonly python?: string };
  readonly scale: number;
  readonly family: Family;
  readonly load: LoadFacts;
  readonly queries: { readonly [id: string]: Cell };
  readonly peak_mb_after_queries: number | null;
}

export function isAnswered(cell: Cell | undefined): cell is AnsweredCell {
  return cell !== undefined && !("unsupported" in cell);
}

export function writeDocument(path: string, document: SystemDocument): void {
  writeFileSync(path, `${JSON.stringify(document, null, 1)}\n`);
}
