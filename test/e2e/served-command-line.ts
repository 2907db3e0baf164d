// The command line, of which one process serves all commands of a test file: for what commands say and do. How a process
// of it begins, ends and stands in a pipe is for command-line.ts.
import { type ChildProcess, fork } from "node:child_process";
import { afterAll } from "vitest";
import type { Answered, Asked } from "../support/command-line-child.js";
import { scriptProgram } from "../support/program-paths.js";
import { type CommandLine, commandLine, jsonOf, type Ran } from "./command-line.js";

const environment = () => ({ ...process.env, NO_COLOR: "1" });

/** `own`: whose folder it works in, for a file that starts some commands as processes too. */
export function servedCommandLine(own: CommandLine = commandLine()): CommandLine {
  const waiting: { resolve(ran: Ran): void; reject(error: Error): void }[] = [];
  let child: ChildProcess | undefined;
  afterAll(() => void child?.kill());

  function started(): ChildProcess {
    const served = fork(scriptProgram("command-line-child"), { cwd: own.folder, env: environment(), execArgv: [] });
    served.on("message", (answered: Answered) => waiting.shift()!.resolve(answered));
    served.once("exit", (code, signal) => {
      child = undefined;
      for (const { reject } of waiting.splice(0)) reject(new Error(`the command line ended: ${code ?? signal}`));
    });
    return served;
  }

  const runWith = (input: string, ...args: string[]) =>
    new Promise<Ran>((resolve, reject) => {
      child ??= started();
      waiting.push({ resolve, reject });
      child.send({ args, input, env: environment() } satisfies Asked);
    });
  const run = (...args: string[]) => runWith("", ...args);
  return { ...own, run, runWith, json: async (...args) => jsonOf(args, await run(...args)) };
}
