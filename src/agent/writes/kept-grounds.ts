// What the last answers of an agent stand on, for proposals that name their trace. Plans and claims, no rows; none outlives an
// erasure, as both may name what was erased.
import type { AskedSince } from "../asked-since.js";
import type { AskResult } from "../types.js";
import type { WriteGrounds } from "./types.js";

const MOST_KEPT = 64;

export class KeptGrounds {
  private readonly byTrace = new Map<string, WriteGrounds>();
  /** The newest erasure when they were kept. */
  private erasure: number | null = 0;

  constructor(private readonly since: AskedSince) {}

  private forget(): void {
    const { erasure } = this.since;
    if (erasure !== this.erasure) this.byTrace.clear();
    this.erasure = erasure;
  }

  /** Of a question that goes on: nothing, where something was erased since it began. */
  keep(question: string, { answer, trace, mentions }: AskResult): void {
    this.forget();
    if (trace === null || this.erasure === null) return;
    const { plan, ask_pin, trace_digest } = trace;
    this.byTrace.delete(trace_digest);
    this.byTrace.set(trace_digest, {
      trace: { plan, ask_pin, trace_digest },
      claims: answer.claims,
      mentions,
      question,
    });
    for (const oldest of this.byTrace.keys()) {
      if (this.byTrace.size <= MOST_KEPT) break;
      this.byTrace.delete(oldest);
    }
  }

  of(traceDigest: string): WriteGrounds | undefined {
    this.forget();
    return this.byTrace.get(traceDigest);
  }
}
