// What the last answers of an agent stand on, for proposals that name their trace. Plans and claims, no rows.
import type { AskResult } from "../types.js";
import type { WriteGrounds } from "./types.js";

const MOST_KEPT = 64;

export class KeptGrounds {
  private readonly byTrace = new Map<string, WriteGrounds>();

  keep(question: string, { answer, trace, mentions }: AskResult): void {
    if (trace === null) return;
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
    return this.byTrace.get(traceDigest);
  }
}
