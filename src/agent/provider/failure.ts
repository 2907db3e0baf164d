// How a request to a model's server can fail, and what that means for another attempt.

export type FailureKind =
  | "connection"
  | "timeout"
  | "idle"
  | "status"
  | "no_finish"
  | "too_large"
  | "bad_stream"
  | "redirect"
  | "web_page";

/** Why one attempt failed. The message holds nothing of the request. */
export class AttemptFailure extends Error {
  constructor(
    readonly kind: FailureKind,
    message: string,
    readonly status: number | null = null,
    /** What the server asked to wait, in milliseconds. */
    readonly retryAfterMs: number | null = null,
  ) {
    super(message);
  }
}

const RETRIED_STATUS: readonly number[] = [408, 409, 429];
const RETRIED_KINDS: readonly FailureKind[] = ["connection", "timeout", "idle", "no_finish", "bad_stream"];

export function isRetried({ kind, status }: AttemptFailure): boolean {
  if (kind !== "status") return RETRIED_KINDS.includes(kind);
  return status !== null && (RETRIED_STATUS.includes(status) || status >= 500);
}

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 20_000;
const LONGEST_RETRY_AFTER_MS = 60_000;

/** How long to wait before attempt `attempt` (from 1): doubling, with jitter of up to a half, or what the server asks. */
export function waitMs({ retryAfterMs }: AttemptFailure, attempt: number, random: () => number): number {
  if (retryAfterMs !== null) return Math.min(retryAfterMs, LONGEST_RETRY_AFTER_MS);
  const doubled = Math.min(FIRST_WAIT_MS * 2 ** (attempt - 1), LONGEST_WAIT_MS);
  return Math.round(doubled * (0.5 + random() / 2));
}

/** `retry-after`: seconds, or a date of HTTP. */
export function retryAfterOf(header: string | null, nowMs: number): number | null {
  if (header === null) return null;
  if (/^\d{1,9}(\.\d+)?$/.test(header.trim())) return Math.ceil(Number(header) * 1000);
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs);
}
