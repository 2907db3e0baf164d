// Bodies that are on their way: only so many at once, as each may be of some megabytes. Where one more comes, the one that has
// been on its way longest gives way, so that clients that send slowly hold no place that others need.
import type { IncomingMessage } from "node:http";
import { bodyOf } from "./http-exchange.js";

/** A body that gave way. */
export const LATE = "late";

export class ArrivingBodies {
  /** Oldest first. */
  private readonly giveWay = new Set<() => void>();

  constructor(private readonly most: number) {}

  /** The body; null where it is longer than it may be. Rejects where the client goes. */
  async of(request: IncomingMessage): Promise<Buffer | null | typeof LATE> {
    const late = new AbortController();
    const stop = (): void => late.abort();
    this.giveWay.add(stop);
    if (this.giveWay.size > this.most) {
      const [oldest] = this.giveWay;
      this.giveWay.delete(oldest!);
      oldest!();
    }
    try {
      return (await bodyOf(request, late.signal)) ?? (late.signal.aborted ? LATE : null);
    } finally {
      this.giveWay.delete(stop);
    }
  }
}
