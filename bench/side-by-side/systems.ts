// The systems that can stand beside this one on this machine: the folder of the benchmark that runs them, a Python with their packages,
// and which of them load. What is missing is said in a line and left out; nothing here is needed to measure Palimpsest alone.

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";

export const OURSELVES = "palimpsest";
const OTHERS = ["tgms", "duckdb", "chdb", "ladybug", "raphtory"] as const;
const ROOT = join(import.meta.dirname, "..", "..");
const OWN_ENVIRONMENT = join(import.meta.dirname, "..", "results", "peers-venv");

export interface Peers {
  /** Where `run.py` and a module for each system lie. */
  readonly folder: string;
  readonly python: string;
}

export interface PeersOptions {
  readonly peers?: string | undefined;
  readonly python?: string | undefined;
}

type Say = (line: string) => void;

function succeeds(command: string, args: readonly string[], say: Say): boolean {
  const { status, stderr, error } = spawnSync(command, args, { encoding: "utf8" });
  if (status === 0) return true;
  const lines = (error?.message ?? stderr).trim().split("\n");
  say(`${command} ${args.join(" ")}: ${lines.at(-1)}`);
  return false;
}

/** A Python with the packages: the one that is named, or an environment that is made on first use; null where there is none. */
function findPython(folder: string, named: string | undefined, say: Say): string | null {
  if (named !== undefined) return resolve(named);
  const python = join(OWN_ENVIRONMENT, "bin", "python");
  if (existsSync(python)) return python;
  say("installing the packages of the other systems");
  const isMade =
    succeeds("python3", ["-m", "venv", OWN_ENVIRONMENT], say) &&
    succeeds(python, ["-m", "pip", "install", "--quiet", "-r", join(folder, "requirements.txt")], say);
  return isMade ? python : null;
}

/** The folder and the Python, by option, by environment variable or by default; null, and said why, where they are not there. */
export function findPeers(options: PeersOptions, say: Say): Peers | null {
  const named = options.peers ?? process.env.PALIMPSEST_PEERS;
  const folder = named === undefined ? join(ROOT, "..", "shared", "peers") : resolve(named);
  if (!existsSync(join(folder, "run.py"))) {
    say("other systems: skipped, no run.py in the folder that --peers or PALIMPSEST_PEERS names");
    return null;
  }
  const python = findPython(folder, options.python ?? process.env.PALIMPSEST_PEERS_PYTHON, say);
  if (python === null) {
    say("other systems: skipped, no Python with their packages");
    return null;
  }
  return { folder, python };
}

/** Environment in which nothing is written beside the modules. */
export const PYTHON_ENVIRONMENT = { ...process.env, PYTHONDONTWRITEBYTECODE: "1" };

/** Which of the wanted systems can be run, ourselves first. */
export function runnableSystems(peers: Peers | null, wanted: readonly string[] | null, say: Say): string[] {
  const unknown = wanted?.find((name) => name !== OURSELVES && !(OTHERS as readonly string[]).includes(name));
  if (unknown !== undefined) throw new Error(`no system "${unknown}"; there are ${[OURSELVES, ...OTHERS].join(", ")}`);
  const isWanted = (name: string) => wanted === null || wanted.includes(name);
  const others = peers === null ? [] : OTHERS.filter((name) => isWanted(name) && isInstalled(peers, name, say));
  return [...[OURSELVES].filter(isWanted), ...others];
}

function isInstalled({ folder, python }: Peers, name: string, say: Say): boolean {
  const script = `import sys; sys.path.insert(0, ${JSON.stringify(folder)}); import run, ${name}_peer`;
  const { status, stderr, error } = spawnSync(python, ["-c", script], { encoding: "utf8", env: PYTHON_ENVIRONMENT });
  if (status !== 0) say(`${name}: skipped, ${(error?.message ?? stderr).trim().split("\n").at(-1)}`);
  return status === 0;
}
