// What native code throws, as the contract's error: the one place where codes cross.
import { type ErrorCode, PalimpsestError } from "../contract/errors.js";

interface NativeError extends Error {
  readonly code?: string;
  /** The operation or row at fault. */
  readonly position?: number;
}

/** What helps where a kernel gave up: the question took more than its estimate, or than one call may hold or count. */
const RUN_HINTS: Readonly<Record<string, string>> = {
  E_COST: "it takes more than was estimated: shorten the window, name types or nodes, or raise the ceiling",
  E_LIMIT: "ask for less at once: shorten the window, or name types or nodes",
};

/** `positionName` is the key under which the position stands in `details`. */
export function fromNative(error: unknown, positionName = "position", at?: "run"): PalimpsestError {
  if (error instanceof PalimpsestError) return error;
  const { code, message, position } = error as NativeError;
  const isCoded = typeof code === "string" && code.startsWith("E_");
  const details = {
    ...(position === undefined ? {} : { [positionName]: position }),
    ...(code === "E_COST" && at !== undefined ? { at } : {}),
  };
  return new PalimpsestError(isCoded ? (code as ErrorCode) : "E_INTERNAL", message, {
    details,
    hint: at === undefined ? "" : (RUN_HINTS[code ?? ""] ?? ""),
    cause: error,
  });
}
