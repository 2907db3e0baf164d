// `palimpsest query`: statements from the command line, a file or standard input, answered in order.
// Answers go to standard output or a file, everything else to standard error.
import { readFileSync } from "node:fs";
import { text as readAll } from "node:stream/consumers";
import pc from "picocolors";
import { PalimpsestError } from "../contract/errors.js";
import { withSession } from "./engine-session.js";
import { report } from "./exit.js";
import type { AnswerFormat } from "./formats/names.js";
import { withInterrupt } from "./interrupt.js";
import { note } from "./output.js";
import { parameterOf } from "./script/parameters.js";
import { runScript } from "./script/run.js";
import { fileSink, standardOutput } from "./sink.js";
import { statusLine } from "./status-line.js";

export interface QueryFlags {
  readonly file?: string;
  readonly write?: true;
  readonly format: AnswerFormat;
  readonly output?: string;
  readonly param?: readonly string[];
  readonly keepGoing?: true;
}

const STANDARD_INPUT = "-";

function fileText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new PalimpsestError("E_IO", `${file} cannot be read: ${message}`, { details: { path: file }, cause: error });
  }
}

/** The text that is asked for; null: nothing was given, and somebody sits at a terminal. */
async function givenText(tql: string | undefined, file: string | undefined): Promise<string | null> {
  if (file !== undefined && file !== STANDARD_INPUT) return fileText(file);
  if (tql !== undefined && tql !== STANDARD_INPUT) return tql;
  if (tql === undefined && file === undefined && process.stdin.isTTY) return null;
  return await readAll(process.stdin);
}

async function answerAll(store: string, text: string, flags: QueryFlags): Promise<boolean> {
  const params = Object.fromEntries((flags.param ?? []).map(parameterOf));
  const isTerminal = flags.output === undefined && process.stdout.isTTY === true;
  const style = {
    width: isTerminal ? process.stdout.columns : null,
    colours: pc.createColors(isTerminal && pc.isColorSupported),
  };
  return await withInterrupt((signal) =>
    withSession(store, { write: flags.write === true }, async (session) => {
      const sink = flags.output === undefined ? standardOutput : await fileSink(flags.output);
      const succeeded = await runScript(session, text, {
        params,
        signal,
        format: flags.format,
        style,
        keepGoing: flags.keepGoing === true,
        write: sink.write,
        note,
        failed: report,
        status: (answer, tookMs) => statusLine(answer, { tookMs }),
      });
      if (session.state().block === "read_write") {
        note("the script ended inside BEGIN READ WRITE: nothing of that block was written");
      }
      await (succeeded || flags.keepGoing === true ? sink.keep() : sink.drop());
      return succeeded;
    }),
  );
}

export async function query(store: string, tql: string | undefined, flags: QueryFlags): Promise<void> {
  const text = await givenText(tql, flags.file);
  if (text === null) {
    const { repl } = await import("./repl/command.js");
    await repl(store, flags);
    return;
  }
  if (!(await answerAll(store, text, flags))) process.exitCode = 1;
}
