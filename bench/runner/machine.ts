// Where and of what a figure was measured: processor, memory, Node, and the commit of the working tree.
// Part of every result, because a figure without its machine says nothing.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { availableParallelism, cpus, release, totalmem, type } from "node:os";
import { join } from "node:path";

export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memory_gb: number;
  readonly system: string;
  readonly node: string;
}

export interface Commit {
  readonly commit: string;
  /** Whether tracked files differed from the commit. */
  readonly is_modified: boolean;
}

export function describeMachine(): Machine {
  return {
    cpu: cpus()[0]?.model.trim() ?? "unknown",
    cores: availableParallelism(),
    memory_gb: Math.round(totalmem() / 1e8) / 10,
    system: `${type()} ${release()}`,
    node: process.version,
  };
}

/** This project among the systems of a table. */
export function describePackage(): { peer: string; version: string } {
  const text = readFileSync(join(import.meta.dirname, "..", "..", "package.json"), "utf8");
  return { peer: "Palimpsest", version: (JSON.parse(text) as { version: string }).version };
}

export function describeCommit(): Commit {
  const git = (...args: string[]) =>
    execFileSync("git", args, { encoding: "utf8", cwd: import.meta.dirname, stdio: "pipe" }).trim();
  try {
    const changes = git("status", "--porcelain", "--untracked-files=no");
    return { commit: git("rev-parse", "HEAD"), is_modified: changes !== "" };
  } catch (cause) {
    // A packed copy has no history; anything else that fails here is worth seeing in the result.
    return { commit: `unknown (${(cause as Error).message.split("\n")[0]})`, is_modified: false };
  }
}
