// `palimpsest repl`: one engine, one session, until somebody leaves.

import { openForSession } from "../engine-session.js";
import { note } from "../output.js";
import { packageVersion } from "../package-root.js";
import { runDotCommand } from "./dot-commands.js";
import { History, historyFile } from "./history.js";
import { Repl } from "./repl.js";
import { ownScreen } from "./screen.js";
import { runTerminal } from "./terminal.js";

export interface ReplFlags {
  readonly write?: true;
}

/** Without a history the REPL is still of use: why there is none is said once. */
function ownHistory(): History | null {
  try {
    return History.open(historyFile(process.env), (error) => note(`no history is kept any more: ${error.message}`));
  } catch (error) {
    note(`no history is kept: ${error instanceof Error ? error.message : String(error)}`);
    return null;
  }
}

export async function repl(path: string, flags: ReplFlags): Promise<void> {
  const write = flags.write === true;
  const openAnother = (store: string) => openForSession(store, { write });
  const screen = ownScreen();
  const session = new Repl(
    await openAnother(path),
    openAnother,
    screen,
    screen.isTerminal ? ownHistory() : null,
    runDotCommand,
  );
  if (screen.isTerminal) {
    const mode = write ? "writes allowed" : "read-only";
    session.remark(`palimpsest ${packageVersion()} · ${path} · ${mode} · .help explains, .quit leaves`);
  }
  try {
    await runTerminal(session);
  } finally {
    await session.leave();
  }
  if (!screen.isTerminal && session.hasFailed) process.exitCode = 1;
}
