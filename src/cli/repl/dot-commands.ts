// The commands that begin with a dot: which there are, and which one a line means.
// What each does is in commands/, by subject.
import { PalimpsestError } from "../../contract/errors.js";
import { CATALOGUE_COMMANDS } from "./commands/catalogue.js";
import { FILE_COMMANDS } from "./commands/files.js";
import { OUTPUT_COMMANDS } from "./commands/output.js";
import { SESSION_COMMANDS } from "./commands/session.js";
import type { DotCommand } from "./dot-command.js";
import type { Repl } from "./repl.js";
import { wordsOf } from "./words.js";

export const DOT_COMMANDS: readonly DotCommand[] = [
  ...SESSION_COMMANDS,
  ...OUTPUT_COMMANDS,
  ...FILE_COMMANDS,
  ...CATALOGUE_COMMANDS,
];

/** The command of this name, or the only one that begins so. */
function commandOf(name: string): DotCommand {
  const exact = DOT_COMMANDS.find((command) => command.name === name);
  if (exact !== undefined) return exact;
  const near = DOT_COMMANDS.filter((command) => command.name.startsWith(name));
  if (near.length === 1 && name.length > 1) return near[0]!;
  throw new PalimpsestError("E_NOT_FOUND", `there is no command ${name}`, {
    details: { command: name },
    hint: near.length > 1 && name.length > 1 ? near.map((command) => command.name).join(", ") : ".help lists them",
  });
}

export async function runDotCommand(repl: Repl, line: string, signal: AbortSignal): Promise<void> {
  const [name = "", ...words] = wordsOf(line.replace(/;\s*$/, ""));
  await commandOf(name).run(repl, { words, signal, commands: DOT_COMMANDS });
}
