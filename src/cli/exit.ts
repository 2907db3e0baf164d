// Exit codes, and how an error is printed: `E_CODE: message` and a hint, on standard error.
// 0 is fine, 1 a typed error, 2 wrong usage.
import { randomUUID } from "node:crypto";
import { CommanderError } from "commander";
import pc from "picocolors";
import { PalimpsestError } from "../contract/errors.js";

const oneLine = (text: string): string => text.replaceAll(/\s*\n\s*/g, " ");
const colours = pc.createColors(pc.isColorSupported && process.stderr.isTTY === true);

function asTyped(error: unknown): PalimpsestError {
  if (error instanceof PalimpsestError) return error;
  const traceId = randomUUID();
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return new PalimpsestError("E_INTERNAL", `${text} (trace ${traceId})`, {
    details: { trace_id: traceId },
    hint: "this is a mistake of ours: please report it with this text",
    cause: error,
  });
}

/** Prints the error and gives the exit code. */
export function report(error: unknown): number {
  // Commander has printed its own message; help and version are no errors.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  const { code, message, hint } = asTyped(error);
  process.stderr.write(`${colours.red(code)}: ${oneLine(message)}\n`);
  if (hint !== "") process.stderr.write(`${colours.dim("hint:")} ${oneLine(hint)}\n`);
  return 1;
}
