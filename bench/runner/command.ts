// The command line as it is shipped, for workloads that run it in a process of its own.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..", "..");

/** The built command: benchmarks measure what is shipped. */
export function commandPath(): string {
  const { bin } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { bin: { palimpsest: string } };
  const path = join(ROOT, bin.palimpsest);
  if (!existsSync(path)) throw new Error(`${bin.palimpsest} is not built: run npm run build`);
  return path;
}

const TICKS_PER_SECOND = 100;

/** The processor time of all processes that this one started and that have ended, in ms. */
export function childrenCpuMs(): number {
  const stat = readFileSync("/proc/self/stat", "latin1");
  // Behind the name, which may hold spaces: the state is field 3, user and system time of children are 16 and 17.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return ((Number(fields[13]) + Number(fields[14])) * 1e3) / TICKS_PER_SECOND;
}
