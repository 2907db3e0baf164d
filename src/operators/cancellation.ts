// Cancellation by signal or deadline, between the stages of a call; kernels look at the same two while they run.
import { PalimpsestError } from "../contract/errors.js";

function cancelled(reason: "signal" | "deadline"): PalimpsestError {
  return new PalimpsestError("E_CANCELLED", `the call was cancelled by its ${reason}`, { details: { reason } });
}

/** E_CANCELLED when the signal was given or the deadline is over. */
export function checkCancelled(signal: AbortSignal | undefined, deadlineMs: number): void {
  if (signal?.aborted === true) throw cancelled("signal");
  if (deadlineMs !== Number.POSITIVE_INFINITY && performance.now() >= deadlineMs) throw cancelled("deadline");
}

/** Runs and then looks once more: an answer that came too late is none, and a kernel that stopped does not say why. */
export async function runCancellable<T>(
  signal: AbortSignal | undefined,
  deadlineMs: number,
  run: () => T | Promise<T>,
): Promise<T> {
  try {
    return await run();
  } finally {
    checkCancelled(signal, deadlineMs);
  }
}
