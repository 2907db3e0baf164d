// Runs the command line as a user does: bundled, in a process of its own, in an empty folder.
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll } from "vitest";
import { commandLineProgram } from "../support/program-paths.js";

export const ROOT = resolve(import.meta.dirname, "../..");

export interface Ran {
  readonly exitCode: number;
  readonly out: string;
  readonly err: string;
}

export interface CommandLine {
  /** The program's file. */
  readonly program: string;
  /** A folder that is removed after the tests. */
  readonly folder: string;
  run(...args: string[]): Promise<Ran>;
  /** The same with this on standard input. */
  runWith(input: string, ...args: string[]): Promise<Ran>;
  /** Runs and expects exit code 0; gives standard output as JSON. */
  json(...args: string[]): Promise<Record<string, unknown>>;
  /** Writes a file into the folder; gives its path. */
  file(name: string, content: string | Uint8Array): string;
  path(name: string): string;
}

export function jsonOf(args: readonly string[], { exitCode, out, err }: Ran): Record<string, unknown> {
  if (exitCode !== 0) throw new Error(`palimpsest ${args.join(" ")} ended with ${exitCode}: ${err}`);
  return JSON.parse(out) as Record<string, unknown>;
}

export function commandLine(): CommandLine {
  const folder = mkdtempSync(join(tmpdir(), "palimpsest-cli-"));
  const program = commandLineProgram();
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const runWith = (input: string, ...args: string[]) =>
    new Promise<Ran>((done) => {
      const options = { cwd: folder, maxBuffer: 256 << 20, env: { ...process.env, NO_COLOR: "1" } };
      const child = execFile(process.execPath, [program, ...args], options, (error, out, err) => {
        done({ exitCode: error === null ? 0 : Number(error.code ?? -1), out, err });
      });
      // A program that refuses its arguments may have ended before its input is written.
      child.stdin!.on("error", (error: NodeJS.ErrnoException) => {
        if (error.code !== "EPIPE") throw error;
      });
      child.stdin!.end(input);
    });
  const run = (...args: string[]) => runWith("", ...args);
  return {
    program,
    folder,
    run,
    runWith,
    json: async (...args) => jsonOf(args, await run(...args)),
    file: (name, content) => {
      writeFileSync(join(folder, name), content);
      return join(folder, name);
    },
    path: (name) => join(folder, name),
  };
}
