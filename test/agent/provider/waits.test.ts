// How long to wait before another attempt, and after which failures.
import { describe, expect, it } from "vitest";
import { AttemptFailure, isRetried, retryAfterOf, waitMs } from "../../../src/agent/provider/failure.js";

describe("waits", () => {
  it("double up to 20 s, with jitter of a half, and obey the server up to a minute", () => {
    const failed = new AttemptFailure("status", "", 500);
    expect([1, 2, 3, 6, 7, 12].map((attempt) => waitMs(failed, attempt, () => 1))).toEqual([
      500, 1000, 2000, 16000, 20000, 20000,
    ]);
    expect(waitMs(failed, 1, () => 0)).toBe(250);
    expect(waitMs(new AttemptFailure("status", "", 429, 3_000), 1, () => 1)).toBe(3_000);
    expect(waitMs(new AttemptFailure("status", "", 429, 300_000), 1, () => 1)).toBe(60_000);
  });

  it("read seconds and dates", () => {
    const now = Date.parse("2026-01-01T00:00:00Z");
    expect(retryAfterOf("2", now)).toBe(2_000);
    expect(retryAfterOf("Thu, 01 Jan 2026 00:00:05 GMT", now)).toBe(5_000);
    expect(retryAfterOf("soon", now)).toBeNull();
    expect(retryAfterOf(null, now)).toBeNull();
  });

  it("follow what another attempt may mend", () => {
    expect(isRetried(new AttemptFailure("too_large", ""))).toBe(false);
    expect(isRetried(new AttemptFailure("idle", ""))).toBe(true);
  });
});
