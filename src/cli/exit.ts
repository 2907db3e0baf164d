// Exit codes, and errors on standard error.
// 0 is fine, 1 a typed error, 2 wrong usage.
import { randomUUID } from "node:crypto";
import { CommanderError } from "commander";
import pc from "picocolors";
import { PalimpsestError } from "../contract/errors.js";
import { errorLines, type Source } from "./error-text.js";

export const errorColours = pc.createColors(pc.isColorSupported && process.stderr.isTTY === true);

export function asTyped(error: unknown): PalimpsestError {
  if (error instanceof PalimpsestError) return error;
  const traceId = randomUUID();
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return new PalimpsestError("E_INTERNAL", `${text} (trace ${traceId})`, {
    details: { trace_id: traceId },
    hint: "this is a mistake of ours: please report it with this text",
    cause: error,
  });
}

/** Prints the error, with the place in the text that it means, and gives the exit code. */
export function report(error: unknown, source: Source | null = null): number {
  // Commander has printed its own message; help and version are no errors.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  process.stderr.write(`${errorLines(asTyped(error), errorColours, source).join("\n")}\n`);
  return 1;
}
