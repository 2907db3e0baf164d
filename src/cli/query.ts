// `palimpsest query`: statements from the command line, a file or standard input, answered in order.
// Answers go to standard output or a file, everything else to standard error.
import { text as readAll } from "node:stream/consumers";
import pc from "picocolors";
import { PalimpsestError } from "../contract/errors.js";
import type { QueryRun } from "../index.js";
import { withRawSession, withSession } from "./engine-session.js";
import { report } from "./exit.js";
import { contentOfFile } from "./file-content.js";
import type { AnswerFormat, TypedFormat } from "./formats/names.js";
import { withInterrupt } from "./interrupt.js";
import { note } from "./output.js";
import { parameterOf } from "./script/parameters.js";
import { runScript } from "./script/run.js";
import { splitScript } from "./script/split.js";
import { fileSink, standardOutput } from "./sink.js";
import { statusLine } from "./status-line.js";

export interface QueryFlags {
  readonly file?: string;
  readonly write?: true;
  readonly format: AnswerFormat | TypedFormat;
  readonly output?: string;
  readonly param?: readonly string[];
  readonly keepGoing?: true;
}

const STANDARD_INPUT = "-";

/** The text that is asked for; null: nothing was given, and somebody sits at a terminal. */
async function givenText(tql: string | undefined, file: string | undefined): Promise<string | null> {
  if (file !== undefined && file !== STANDARD_INPUT) return contentOfFile(file);
  if (tql !== undefined && tql !== STANDARD_INPUT) return tql;
  if (tql === undefined && file === undefined && process.stdin.isTTY) return null;
  return await readAll(process.stdin);
}

/** Runs all statements; `use` makes something of the last one. */
async function onLast(
  store: string,
  text: string,
  flags: QueryFlags,
  use: (run: QueryRun) => Promise<void>,
): Promise<void> {
  const params = Object.fromEntries((flags.param ?? []).map(parameterOf));
  const { statements, rest } = splitScript(text);
  const all = rest === null ? statements : [...statements, rest];
  const last = all.at(-1);
  if (last === undefined) throw new PalimpsestError("E_SYNTAX", "there is no statement", { hint: "give a SELECT" });
  await withInterrupt((signal) =>
    withRawSession(store, { write: flags.write === true }, async (session) => {
      for (const statement of all.slice(0, -1)) await session.query(statement.text, { params, signal });
      await use(session.query(last.text, { params, signal }));
    }),
  );
}

/** The answer of the last statement becomes Arrow or Parquet, which a terminal would show as noise. */
async function answerTyped(store: string, text: string, flags: QueryFlags): Promise<void> {
  const { output, format } = flags;
  if (output === undefined && (format === "parquet" || process.stdout.isTTY)) {
    throw new PalimpsestError("E_INVALID_ARG", `${format} is written to a file`, { hint: "give --output FILE" });
  }
  const { writeArrow, writeParquetAnswer } = await import("./formats/typed-answer.js");
  if (format === "parquet") {
    await onLast(store, text, flags, (run) => writeParquetAnswer(run, output!));
    return;
  }
  const sink = output === undefined ? standardOutput : await fileSink(output);
  const isFile = output !== undefined && !output.toLowerCase().endsWith(".arrows");
  try {
    await onLast(store, text, flags, (run) => writeArrow(run, sink, { isFile }));
  } catch (error) {
    await sink.drop();
    throw error;
  }
  await sink.keep();
}

async function answerAll(
  store: string,
  text: string,
  flags: QueryFlags & { readonly format: AnswerFormat },
): Promise<boolean> {
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
  const { format } = flags;
  if (format === "arrow" || format === "parquet") await answerTyped(store, text, flags);
  else if (!(await answerAll(store, text, { ...flags, format }))) process.exitCode = 1;
}
