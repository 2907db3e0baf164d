// npm run bench -- NAME [--scale N] …: runs one workload, prints its table and keeps it in bench/results.
// Without a name it lists the workloads; `all` runs each in a process of its own, so that none inherits the memory of another.

import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { writeDocument } from "./runner/document.js";
import { keepResult, printTable } from "./runner/figures.js";
import { takePriority } from "./runner/priority.js";
import { runIn, type Workload } from "./runner/workload.js";

const WORKLOADS: { readonly [name: string]: () => Promise<{ workload: Workload }> } = {
  ingest: () => import("./workloads/ingest.js"),
  "load-csv": () => import("./workloads/load-csv.js"),
  corrections: () => import("./workloads/corrections.js"),
  "durable-write": () => import("./workloads/durable-write.js"),
  "group-commit": () => import("./workloads/group-commit.js"),
  queries: () => import("./workloads/queries.js"),
  "power-law": () => import("./workloads/power-law.js"),
  corrected: () => import("./workloads/corrected.js"),
  readers: () => import("./workloads/readers.js"),
  cancel: () => import("./workloads/cancel.js"),
  "point-reads": () => import("./workloads/point-reads.js"),
  tql: () => import("./workloads/tql.js"),
  erase: () => import("./workloads/erase.js"),
  agent: () => import("./workloads/agent.js"),
  "log-bytes": () => import("./workloads/log-bytes.js"),
  reopen: () => import("./workloads/reopen.js"),
  "event-loop": () => import("./workloads/event-loop.js"),
  columns: () => import("./workloads/columns.js"),
  interchange: () => import("./workloads/interchange.js"),
  calibration: () => import("./workloads/calibration.js"),
};

/** How often each question of the registry is timed. */
const ROUNDS = 3;

async function list(): Promise<void> {
  console.log("npm run bench -- NAME [--scale N] [--folder DIR] [--rounds N] [--only ID,ID]\n");
  for (const [name, load] of Object.entries(WORKLOADS)) {
    console.log(`  ${name.padEnd(14)} ${(await load()).workload.summary}`);
  }
  console.log(`  ${"all".padEnd(14)} each of them in a process of its own`);
  console.log(`  ${"side-by-side".padEnd(14)} the questions asked of other systems in turn with this one`);
  console.log(`  ${"keep".padEnd(14)} takes the results over into bench/figures and writes the table`);
  console.log(`  ${"table".padEnd(14)} writes the table in bench/README.md from bench/figures`);
}

/** Exit code: 1 when any of them failed. A missed gate is a result, not a failure. */
function runAll(options: readonly string[]): number {
  let failed = 0;
  for (const name of Object.keys(WORKLOADS)) {
    const { status } = spawnSync(
      process.execPath,
      [...process.execArgv, fileURLToPath(import.meta.url), name, ...options],
      { stdio: "inherit" },
    );
    if (status !== 0) failed = 1;
  }
  return failed;
}

function numberOf(name: string, text: string, least: number): number {
  const value = Number(text.replaceAll("_", ""));
  if (!Number.isSafeInteger(value) || value < least)
    throw new Error(`--${name} ${text}: a whole number from ${least} on`);
  return value;
}

interface Options {
  readonly scale?: string;
  readonly folder?: string;
  readonly rounds?: string;
  readonly only?: string;
  readonly document?: string;
  readonly family?: string;
  readonly passes?: string;
  readonly systems?: string;
  readonly lock?: string;
  readonly peers?: string;
  readonly python?: string;
}

async function runOne(name: string, options: Options): Promise<void> {
  const load = WORKLOADS[name];
  if (load === undefined) throw new Error(`no workload "${name}"; there are ${Object.keys(WORKLOADS).join(", ")}`);
  const { workload } = await load();
  const scale = options.scale === undefined ? workload.defaultScale : numberOf("scale", options.scale, 1_000);
  takePriority();
  const { figures, document } = await runIn(workload, {
    scale,
    parent: options.folder,
    rounds: options.rounds === undefined ? ROUNDS : numberOf("rounds", options.rounds, 1),
    only: options.only === undefined ? null : new Set(options.only.split(",")),
  });
  printTable(`${name}, ${scale.toLocaleString("en-US")} edges`, figures);
  console.log(`  kept in ${keepResult(name, scale, figures)}`);
  if (options.document !== undefined && document !== undefined) writeDocument(options.document, document);
}

async function compare(options: Options): Promise<void> {
  const { runSideBySide } = await import("./side-by-side/run.js");
  const family = options.family ?? "intervals";
  if (family !== "intervals" && family !== "powerlaw") throw new Error(`--family ${family}: intervals or powerlaw`);
  takePriority();
  process.exitCode = runSideBySide({
    scale: numberOf("scale", options.scale ?? "1000000", 1_000),
    family,
    passes: numberOf("passes", options.passes ?? "1", 1),
    rounds: numberOf("rounds", options.rounds ?? String(ROUNDS), 1),
    systems: options.systems?.split(",") ?? null,
    only: options.only,
    lock: options.lock,
    folder: options.folder,
    peers: options.peers,
    python: options.python,
  });
}

const TEXT = { type: "string" } as const;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    scale: TEXT,
    folder: TEXT,
    rounds: TEXT,
    only: TEXT,
    document: TEXT,
    family: TEXT,
    passes: TEXT,
    systems: TEXT,
    lock: TEXT,
    peers: TEXT,
    python: TEXT,
  },
});
const [name] = positionals;
switch (name) {
  case undefined:
    await list();
    break;
  case "all":
    process.exitCode = runAll(Object.entries(values).flatMap(([option, value]) => [`--${option}`, value]));
    break;
  case "side-by-side":
    await compare(values);
    break;
  case "keep":
  case "table": {
    const { keepResults, writeTable } = await import("./side-by-side/keep.js");
    if (name === "keep") keepResults();
    writeTable();
    break;
  }
  default:
    await runOne(name, values);
}
