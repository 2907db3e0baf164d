// What a command that begins with a dot is, and what it is given when it runs.
import type { Repl } from "./repl.js";

export interface Invocation {
  /** The words behind the command. */
  readonly words: readonly string[];
  readonly signal: AbortSignal;
  /** All commands, which `.help` tells of. */
  readonly commands: readonly DotCommand[];
}

export interface DotCommand {
  readonly name: string;
  readonly usage: string;
  readonly summary: string;
  readonly run: (repl: Repl, invocation: Invocation) => Promise<void> | void;
}
