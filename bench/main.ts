// npm run bench -- NAME [--scale N] [--folder DIR]: runs one workload, prints its table and keeps it in bench/results.
// Without a name it lists the workloads; `all` runs each in a process of its own, so that none inherits the memory of another.

import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { keepResult, printTable } from "./runner/figures.js";
import { runIn, type Workload } from "./runner/workload.js";

const WORKLOADS: { readonly [name: string]: () => Promise<{ workload: Workload }> } = {
  ingest: () => import("./workloads/ingest.js"),
  "load-csv": () => import("./workloads/load-csv.js"),
  corrections: () => import("./workloads/corrections.js"),
  "durable-write": () => import("./workloads/durable-write.js"),
  "group-commit": () => import("./workloads/group-commit.js"),
  queries: () => import("./workloads/queries.js"),
  arrival: () => import("./workloads/arrival.js"),
  "point-reads": () => import("./workloads/point-reads.js"),
  "log-bytes": () => import("./workloads/log-bytes.js"),
  reopen: () => import("./workloads/reopen.js"),
  "event-loop": () => import("./workloads/event-loop.js"),
};

async function list(): Promise<void> {
  console.log("npm run bench -- NAME [--scale N] [--folder DIR]\n");
  for (const [name, load] of Object.entries(WORKLOADS)) {
    console.log(`  ${name.padEnd(14)} ${(await load()).workload.summary}`);
  }
  console.log(`  ${"all".padEnd(14)} each of them in a process of its own`);
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

async function runOne(name: string, scaleText: string | undefined, folder: string | undefined): Promise<void> {
  const load = WORKLOADS[name];
  if (load === undefined) throw new Error(`no workload "${name}"; there are ${Object.keys(WORKLOADS).join(", ")}`);
  const { workload } = await load();
  const scale = scaleText === undefined ? workload.defaultScale : Number(scaleText.replaceAll("_", ""));
  if (!Number.isSafeInteger(scale) || scale < 1_000)
    throw new Error(`--scale ${scaleText}: a whole number from 1000 on`);
  const figures = await runIn(workload, scale, folder);
  printTable(`${name}, ${scale.toLocaleString("en-US")} edges`, figures);
  console.log(`  kept in ${keepResult(name, scale, figures)}`);
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { scale: { type: "string" }, folder: { type: "string" } },
});
const [name] = positionals;
if (name === undefined) await list();
else if (name === "all") {
  const options = Object.entries(values).flatMap(([option, value]) => [`--${option}`, value]);
  process.exitCode = runAll(options);
} else await runOne(name, values.scale, values.folder);
