// What a workload hands back: named figures, each with its gate where there is one, and how they are printed and kept.
// Files go to bench/results, which is not under version control; nothing is written by hand.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pc from "picocolors";
import type { Json } from "../registry/normal-forms.js";
import { describeCommit, describeMachine } from "./machine.js";

export interface Gate {
  readonly limit: number;
  readonly better: "lower" | "higher";
}

export interface Figure {
  readonly name: string;
  readonly unit: string;
  /** The median where it was repeated. */
  readonly value: number;
  readonly p95?: number;
  readonly repetitions?: number;
  readonly gate?: Gate | undefined;
  readonly notes?: { readonly [name: string]: Json };
}

const RESULTS = join(import.meta.dirname, "..", "results");

export function atMost(limit: number): Gate {
  return { limit, better: "lower" };
}

export function atLeast(limit: number): Gate {
  return { limit, better: "higher" };
}

export function isMet({ value, gate }: Figure): boolean | null {
  if (gate === undefined) return null;
  return gate.better === "lower" ? value <= gate.limit : value >= gate.limit;
}

/** Writes bench/results/<name>.json and returns its path. */
export function keepResult(workload: string, scale: number, figures: readonly Figure[]): string {
  mkdirSync(RESULTS, { recursive: true });
  const path = join(RESULTS, `${workload}-${scale}.json`);
  const document = {
    workload,
    scale,
    measured_at: new Date().toISOString(),
    machine: describeMachine(),
    ...describeCommit(),
    figures: figures.map((figure) => ({ ...figure, is_met: isMet(figure) })),
  };
  writeFileSync(path, `${JSON.stringify(document, null, 1)}\n`);
  return path;
}

export function printTable(title: string, figures: readonly Figure[]): void {
  const lines = [["figure", "value", "p95", "unit", "gate", ""], ...figures.map(cells)];
  const widths = [0, 1, 2, 3, 4, 5].map((column) => Math.max(...lines.map((line) => (line[column] as string).length)));
  console.log(pc.bold(title));
  for (const [row, line] of lines.entries()) {
    const padded = line.map((cell, column) =>
      column === 1 || column === 2 || column === 4
        ? cell.padStart(widths[column] as number)
        : cell.padEnd(widths[column] as number),
    );
    const text = `  ${padded.join("  ")}`.trimEnd();
    const verdict = line[5];
    console.log(row === 0 ? pc.dim(text) : verdict === "missed" ? pc.red(text) : text);
  }
}

function cells(figure: Figure): string[] {
  const { name, value, p95, unit, gate } = figure;
  const bound = gate === undefined ? "" : `${gate.better === "lower" ? "<=" : ">="} ${shown(gate.limit)}`;
  const verdict = isMet(figure);
  return [
    name,
    shown(value),
    p95 === undefined ? "" : shown(p95),
    unit,
    bound,
    verdict === null ? "" : verdict ? "met" : "missed",
  ];
}

/** Four significant digits, whole numbers in groups of three. */
function shown(value: number): string {
  if (Math.abs(value) >= 1_000) return Math.round(value).toLocaleString("en-US");
  return String(Number(value.toPrecision(4)));
}
