// The screen of the REPL: the terminal that it runs in, or a pipe.
// The one place of the REPL that writes to standard output and standard error.
import pc from "picocolors";
import { standardOutput } from "../sink.js";
import { page } from "./pager.js";
import type { ReplScreen } from "./surroundings.js";

const ORDINARY = { width: 80, height: 24 } as const;

export function ownScreen(): ReplScreen {
  const isTerminal = process.stdin.isTTY === true && process.stdout.isTTY === true;
  return {
    isTerminal,
    colours: pc.createColors(isTerminal && pc.isColorSupported),
    width: () => process.stdout.columns ?? ORDINARY.width,
    height: () => process.stdout.rows ?? ORDINARY.height,
    write: standardOutput.write,
    complain: (text) => void process.stderr.write(`${text}\n`),
    page: (text) => page(text, process.env),
  };
}
