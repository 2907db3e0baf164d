// Runs systems in turn over the same data and questions, pass by pass, so that what disturbs the machine for a while meets all alike.
// One process a system and pass; each writes its document into bench/results/side-by-side.

import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Family } from "../runner/document.js";
import { findPeers, OURSELVES, type Peers, type PeersOptions, PYTHON_ENVIRONMENT, runnableSystems } from "./systems.js";

export const PASSES_FOLDER = join(import.meta.dirname, "..", "results", "side-by-side");
const ROOT = join(import.meta.dirname, "..", "..");

export interface SideBySideOptions extends PeersOptions {
  readonly scale: number;
  readonly family: Family;
  readonly passes: number;
  /** Rounds within a pass. */
  readonly rounds: number;
  readonly systems: readonly string[] | null;
  readonly only: string | undefined;
  /** A file that every run locks from load to last timing. */
  readonly lock: string | undefined;
  readonly folder: string | undefined;
}

type Command = readonly [string, ...string[]];

const given = (option: string, value: string | undefined): string[] => (value === undefined ? [] : [option, value]);

function commandOf(system: string, peers: Peers | null, options: SideBySideOptions, document: string): Command {
  const { scale, family, rounds, only, lock, folder } = options;
  const shared = ["--scale", String(scale), "--rounds", String(rounds), ...given("--only", only)];
  if (system === OURSELVES) {
    const workload = family === "intervals" ? "queries" : "power-law";
    const main = join(ROOT, "bench", "main.ts");
    const node = [process.execPath, "--import", "tsx", main, workload, ...shared, "--document", document];
    return [
      ...(lock === undefined ? [] : ["flock", lock]),
      ...node,
      ...given("--folder", folder),
    ] as unknown as Command;
  }
  const { python, folder: peersFolder } = peers as Peers;
  const familyOption = family === "powerlaw" ? ["--powerlaw"] : [];
  const run = [join(peersFolder, "run.py"), system, ...shared, ...familyOption, "--out", document];
  return [python, ...run, ...given("--lock", lock), ...given("--dir", folder)];
}

/** Removes what earlier runs of a system left for this family and scale. */
function forget(prefix: string): void {
  for (const name of readdirSync(PASSES_FOLDER)) if (name.startsWith(prefix)) rmSync(join(PASSES_FOLDER, name));
}

/** Exit code: 1 when a system failed. An answer that differs is a result. */
export function runSideBySide(options: SideBySideOptions): number {
  const say = (line: string) => console.log(line);
  const { scale, family, passes, systems: wanted } = options;
  const asksOthers = wanted === null || wanted.some((name) => name !== OURSELVES);
  const peers = asksOthers ? findPeers(options, say) : null;
  const systems = runnableSystems(peers, wanted, say);
  mkdirSync(PASSES_FOLDER, { recursive: true });
  const prefixOf = (system: string) => `${system}-${family}-${scale}-`;
  for (const system of systems) forget(prefixOf(system));
  let failed = 0;
  for (let pass = 1; pass <= passes; pass++) {
    for (const system of systems) {
      say(`pass ${pass} of ${passes}: ${system}, ${family}, ${scale.toLocaleString("en-US")} edges`);
      const document = join(PASSES_FOLDER, `${prefixOf(system)}${pass}.json`);
      const [command, ...args] = commandOf(system, peers, options, document);
      const { status } = spawnSync(command, args, { cwd: ROOT, stdio: "inherit", env: PYTHON_ENVIRONMENT });
      if (status !== 0) {
        say(`${system}: failed`);
        failed = 1;
      }
    }
  }
  return failed;
}
