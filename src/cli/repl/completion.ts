// Tab: dot commands and their words here, statements by the grammar behind the store.
// Gives readline what may stand at the cursor and the text that it would take the place of.
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { ANSWER_FORMATS } from "../formats/names.js";
import { DOT_COMMANDS } from "./dot-commands.js";
import type { Repl } from "./repl.js";
import { EXPLAIN_MODES } from "./settings.js";

type Completed = [candidates: string[], typed: string];

const WORDS_OF: Readonly<Record<string, readonly string[]>> = {
  ".format": ANSWER_FORMATS,
  ".explain": [...EXPLAIN_MODES, "off"],
  ".timer": ["on", "off"],
  ".pager": ["on", "off"],
  ".as-of": ["latest", "tx:"],
};
const FILE_COMMANDS: ReadonlySet<string> = new Set([".open", ".read", ".output", ".import"]);

const beginning = (words: readonly string[], typed: string): string[] =>
  words.filter((word) => word.toLowerCase().startsWith(typed.toLowerCase()));

/** Files and folders whose path begins so; a folder that cannot be read offers nothing. */
function paths(typed: string): string[] {
  const folder = typed.endsWith("/") ? typed : typed.includes("/") ? dirname(typed) : ".";
  try {
    return readdirSync(folder, { withFileTypes: true })
      .map((entry) => {
        const path = typed.startsWith("./") || typed.includes("/") ? join(folder, entry.name) : entry.name;
        const shown = typed.startsWith("./") ? `./${path}` : path;
        return entry.isDirectory() ? `${shown}/` : shown;
      })
      .filter((path) => path.startsWith(typed));
  } catch (error) {
    if (error instanceof Error && "code" in error) return [];
    throw error;
  }
}

function dotCompletion(line: string): Completed {
  const [, command = "", blank = "", typed = ""] = /^\s*(\.\S*)(\s*)(.*)$/.exec(line) ?? [];
  if (blank === "")
    return [
      beginning(
        DOT_COMMANDS.map(({ name }) => name),
        command,
      ),
      command,
    ];
  if (FILE_COMMANDS.has(command)) return [paths(typed), typed];
  if (command === ".help")
    return [
      beginning(
        DOT_COMMANDS.map(({ name }) => name),
        typed,
      ),
      typed,
    ];
  return [beginning(WORDS_OF[command] ?? [], typed), typed];
}

export async function complete(repl: Repl, line: string): Promise<Completed> {
  if (repl.pending === "" && line.trimStart().startsWith(".")) return dotCompletion(line);
  const { candidates, typed } = await repl.store.completions(repl.pending + line, [...repl.params.keys()]);
  return [[...candidates], typed];
}

type Answered = (error: Error | null, result?: Completed) => void;

/** The completer of node:readline, which shows on its own line what went wrong. */
export function completer(repl: Repl): (line: string, answered: Answered) => void {
  return (line, answered) => {
    complete(repl, line).then(
      (result) => answered(null, result),
      (error: Error) => answered(error),
    );
  };
}
