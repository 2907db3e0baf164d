// Runs one of the scripts in children/ in a process of its own, so that a crash, a hang or an exit code can be seen.
import { spawn } from "node:child_process";
import { scriptProgram } from "../support/program-paths.js";

/** For vitest's own limit, which must not come first. */
export const PATIENCE_MS = 120_000;
const HANG_MS = 100_000;

export interface ChildEnd {
  readonly code: number | null;
  /** SIGSEGV, SIGABRT and their like; SIGKILL when it did not end by itself. */
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export const CLEAN = { code: 0, signal: null };

export function runChild(name: string, ...args: string[]): Promise<ChildEnd> {
  const child = spawn(process.execPath, ["--expose-gc", scriptProgram(name), ...args]);
  const output = { stdout: "", stderr: "" };
  child.stdout.on("data", (text) => (output.stdout += text));
  child.stderr.on("data", (text) => (output.stderr += text));
  const timer = setTimeout(() => child.kill("SIGKILL"), HANG_MS);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      resolve({ code, signal, ...output });
    });
  });
}
