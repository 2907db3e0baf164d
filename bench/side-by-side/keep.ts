// From results to the README: `keep` takes what lies in bench/results over into bench/figures, which is under version control, and
// `table` writes the part of bench/README.md between the markers from there. A test holds the README to it.

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type SystemDocument, writeDocument } from "../runner/document.js";
import { mergePasses } from "./merge.js";
import { PASSES_FOLDER } from "./run.js";
import { renderFigures, type WorkloadResult } from "./table.js";

const BENCH = join(import.meta.dirname, "..");
const RESULTS = join(BENCH, "results");
const SYSTEMS = join(BENCH, "figures", "side-by-side");
const WORKLOADS = join(BENCH, "figures", "workloads");
const README = join(BENCH, "README.md");
const BEGIN = "<!-- figures: written by `npm run bench -- table` -->";
const END = "<!-- end of figures -->";
/** Told by the tables of the systems already. */
const TOLD_ELSEWHERE = ["queries-", "power-law-"];

function jsonFiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .sort();
}

function readJson<Value>(folder: string, name: string): Value {
  return JSON.parse(readFileSync(join(folder, name), "utf8")) as Value;
}

export function keepResults(): void {
  for (const folder of [SYSTEMS, WORKLOADS]) mkdirSync(folder, { recursive: true });
  const passes = new Map<string, SystemDocument[]>();
  for (const name of jsonFiles(PASSES_FOLDER)) {
    const system = name.replace(/-\d+\.json$/, "");
    passes.set(system, [...(passes.get(system) ?? []), readJson<SystemDocument>(PASSES_FOLDER, name)]);
  }
  for (const [system, documents] of passes) writeDocument(join(SYSTEMS, `${system}.json`), mergePasses(documents));
  for (const name of jsonFiles(RESULTS)) {
    if (TOLD_ELSEWHERE.some((prefix) => name.startsWith(prefix))) continue;
    writeFileSync(join(WORKLOADS, name), readFileSync(join(RESULTS, name)));
  }
}

/** The README with its figures as they are kept. */
export function withFigures(readme: string): string {
  const begin = readme.indexOf(BEGIN);
  const end = readme.indexOf(END);
  if (begin < 0 || end < begin) throw new Error("bench/README.md has lost its markers");
  const documents = jsonFiles(SYSTEMS).map((name) => readJson<SystemDocument>(SYSTEMS, name));
  const results = jsonFiles(WORKLOADS).map((name) => readJson<WorkloadResult>(WORKLOADS, name));
  return `${readme.slice(0, begin + BEGIN.length)}\n\n${renderFigures(documents, results)}\n\n${readme.slice(end)}`;
}

export function readReadme(): string {
  return readFileSync(README, "utf8");
}

export function writeTable(): void {
  writeFileSync(README, withFigures(readReadme()));
}
