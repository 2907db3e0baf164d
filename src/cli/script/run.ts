// A script: statements in order in one session, each answer printed as it comes.
// The first failure ends it, unless it is to keep going; knows neither terminal nor files.
import { PalimpsestError } from "../../contract/errors.js";
import type { Source } from "../error-text.js";
import type { AnswerFormat } from "../formats/names.js";
import {
  answerJson,
  answerLines,
  isRowFormat,
  printRows,
  type TextStyle,
  type Write,
} from "../formats/print-answer.js";
import type { Answer, StatementOptions, TqlSession } from "../session.js";
import { type ScriptStatement, splitScript } from "./split.js";

export interface ScriptOptions extends StatementOptions {
  readonly format: AnswerFormat;
  readonly style: TextStyle;
  readonly keepGoing: boolean;
  readonly write: Write;
  /** Status lines and remarks. */
  readonly note: (text: string) => void;
  readonly failed: (error: unknown, source: Source) => void;
  readonly status: (answer: Answer, tookMs: number) => string;
}

/** Dot commands are the REPL's own: in a script they are a mistake that deserves more than "unexpected dot". */
function refuseDotCommand({ text }: ScriptStatement): void {
  const command = /^\.[\w-]+/.exec(text)?.[0];
  if (command === undefined) return;
  throw new PalimpsestError("E_SYNTAX", `${command} is a command of the REPL and no statement`, {
    details: { kind: "dot_command", line: 1, column: 1, length: command.length },
    hint: "leave it out, or run the file in the REPL: .read FILE",
  });
}

interface Turn {
  readonly statement: ScriptStatement;
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

async function runOne(
  session: TqlSession,
  { statement, isFirst, isLast }: Turn,
  options: ScriptOptions,
): Promise<void> {
  refuseDotCommand(statement);
  const { format, style, write, note, params, signal } = options;
  if (isRowFormat(format)) {
    await printRows(await session.stream(statement.text, { params, signal }), format, write);
    return;
  }
  const started = performance.now();
  const answer = await session.query(statement.text, { params, signal });
  const tookMs = performance.now() - started;
  if (format === "json") {
    if (isLast) await write(answerJson(answer));
    return;
  }
  const { lines, remark } = answerLines(answer, format, style);
  if (remark !== null) note(remark);
  if (lines.length > 0) await write(`${isFirst ? "" : "\n"}${lines.join("\n")}\n`);
  note(options.status(answer, tookMs));
}

/** Whether every statement succeeded. */
export async function runScript(session: TqlSession, text: string, options: ScriptOptions): Promise<boolean> {
  const { statements, rest } = splitScript(text);
  const all = rest === null ? statements : [...statements, rest];
  let succeeded = true;
  for (const [i, statement] of all.entries()) {
    try {
      await runOne(session, { statement, isFirst: i === 0, isLast: i === all.length - 1 }, options);
    } catch (error) {
      options.failed(error, { text, line: statement.line, column: statement.column });
      succeeded = false;
      // After Ctrl-C nothing that was meant to follow is still wanted.
      if (!options.keepGoing || options.signal.aborted) return false;
    }
  }
  return succeeded;
}
