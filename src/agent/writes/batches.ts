// How many batches an agent has written on each trace, while it lives.
import { refused } from "./refusal.js";

export class Batches {
  /** By trace, the proposals that are written or on their way, and how many calls say so. */
  private readonly byTrace = new Map<string, Map<string, number>>();

  private proposals(traceDigest: string): Map<string, number> {
    const proposals = this.byTrace.get(traceDigest) ?? new Map<string, number>();
    this.byTrace.set(traceDigest, proposals);
    return proposals;
  }

  /** E_STATE where as many others have been written as a policy allows. */
  check(traceDigest: string, digest: string, most: number): void {
    const proposals = this.proposals(traceDigest);
    if (proposals.has(digest) || proposals.size < most) return;
    const hint = "ask again: another answer is another trace";
    throw refused("max_batches", `${proposals.size} batches were written on this trace, and ${most} is the most`, hint);
  }

  /** Counts one; gives what takes it back where nothing is written. */
  take(traceDigest: string, digest: string, most: number): () => void {
    this.check(traceDigest, digest, most);
    const proposals = this.proposals(traceDigest);
    proposals.set(digest, (proposals.get(digest) ?? 0) + 1);
    return () => {
      const left = proposals.get(digest)! - 1;
      if (left === 0) proposals.delete(digest);
      else proposals.set(digest, left);
    };
  }
}
