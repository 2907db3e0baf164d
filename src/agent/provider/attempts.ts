// Attempts at a model's server: so many at once, again after what may pass, and all of them quiet while the server wants it.
import { setTimeout as sleep } from "node:timers/promises";
import { PalimpsestError } from "../../contract/errors.js";
import { runCancellable } from "../../operators/cancellation.js";
import type { ReadConfig } from "./config.js";
import { AttemptFailure, type FailureKind, isRetried, waitMs } from "./failure.js";
import { InFlight } from "./in-flight.js";

/** Kinds of failures that an address that is no model's server gives. */
const OF_ADDRESS: readonly FailureKind[] = ["connection", "redirect", "bad_stream"];

/** Where to look. Neither the address nor the key stands in it: who asks over a network may not know them. */
function cureOf({ kind, status }: AttemptFailure): string {
  if (kind === "web_page") return "the address should end in /v1 (model.base_url, or --url)";
  if (OF_ADDRESS.includes(kind))
    return "is the server up, and the address right, up to /v1? (model.base_url, or --url)";
  if (kind === "timeout") return "is the server busy? an attempt may take model.timeout_ms";
  if (status === 401 || status === 403) return "is the key right? (model.api_key, or PALIMPSEST_LLM_KEY)";
  if (status === 404) return "is the name of the model right, and the address, up to /v1? (--model, --url)";
  return "look at the log of the model's server";
}

/** E_MODEL, for a server that failed for good. */
export function failed(failure: AttemptFailure, attempts: number): PalimpsestError {
  const { kind, status, message } = failure;
  return new PalimpsestError("E_MODEL", message, { details: { kind, status, attempts }, hint: cureOf(failure) });
}

export interface AttemptOptions {
  /** What is thrown for the last failure; `failed` if left out. */
  readonly thrown?: (failure: AttemptFailure, attempts: number) => Error;
  readonly onRetry?: ((attempt: number, kind: string) => void) | undefined;
}

export interface Given<T> {
  readonly given: T;
  readonly retries: number;
}

export class Attempts {
  private readonly inFlight: InFlight;
  private readonly mostRetries: number;
  /** Until when the server asked everybody to wait, on the clock of `performance.now()`. */
  private quietUntilMs = 0;

  constructor(
    { in_flight: places, retries }: Pick<ReadConfig, "in_flight" | "retries">,
    private readonly random: () => number,
  ) {
    this.inFlight = new InFlight(places);
    this.mostRetries = retries;
  }

  /** Attempts until one succeeds, the retries are spent, or the signal ends them (E_CANCELLED). */
  at<T>(work: () => Promise<T>, signal: AbortSignal, options: AttemptOptions = {}): Promise<Given<T>> {
    return runCancellable(signal, Number.POSITIVE_INFINITY, () => this.again(work, signal, options));
  }

  private async again<T>(
    work: () => Promise<T>,
    signal: AbortSignal,
    { thrown = failed, onRetry }: AttemptOptions,
  ): Promise<Given<T>> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const given = await this.inFlight.through(async () => {
          await this.quiet(signal);
          return work();
        });
        return { given, retries: attempt - 1 };
      } catch (error) {
        if (!(error instanceof AttemptFailure)) throw error;
        if (!isRetried(error) || attempt > this.mostRetries) throw thrown(error, attempt);
        const waitsMs = waitMs(error, attempt, this.random);
        if (error.retryAfterMs !== null) this.quietUntilMs = Math.max(this.quietUntilMs, performance.now() + waitsMs);
        onRetry?.(attempt, error.kind);
        await sleep(waitsMs, undefined, { signal });
      }
    }
  }

  /** Everybody waits while the server wants quiet. */
  private async quiet(signal: AbortSignal): Promise<void> {
    const leftMs = this.quietUntilMs - performance.now();
    if (leftMs > 0) await sleep(leftMs, undefined, { signal });
  }
}
