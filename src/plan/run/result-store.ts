// Results by what they are: the digest over operator, arguments, pin and payload. What a step is, and at which commit,
// leads to its digest, so that a plan that is run again, or mended, computes only what changed.
// Bounded by the rows it holds; what was used longest ago goes first.
import type { KnownAnswers } from "./executor.js";
import type { StepAnswer } from "./step-answer.js";

const DEFAULT_MOST_ROWS = 200_000;

const rowsOf = ({ envelope }: StepAnswer): number => 1 + (envelope.rows?.length ?? 0);

export class ResultStore {
  private readonly byDigest = new Map<string, StepAnswer>();
  private readonly byCall = new Map<string, string>();
  private held = 0;
  /** No answer that is held is of a later commit. */
  private newestTx = 0;

  constructor(private readonly mostRows = DEFAULT_MOST_ROWS) {}

  /** The answer with a digest, if it is still held. */
  get(digest: string): StepAnswer | undefined {
    return this.byDigest.get(digest);
  }

  get rowCount(): number {
    return this.held;
  }

  /**
   * The answers as they are at a commit; `at` names everything else that decides an answer. Nothing is kept of a commit
   * from which something has been erased since.
   */
  at(tx: number, at: string, erasedSince: (pins: readonly number[]) => number): KnownAnswers {
    if (erasedSince([this.newestTx]) > 0) this.clear();
    this.newestTx = Math.max(this.newestTx, tx);
    return {
      find: (identity) => {
        const call = `${identity}@${tx} ${at}`;
        const digest = this.byCall.get(call);
        const answer = digest === undefined ? undefined : this.byDigest.get(digest);
        if (answer !== undefined) this.put(call, answer);
        return answer;
      },
      keep: (identity, answer) => this.put(`${identity}@${tx} ${at}`, answer),
    };
  }

  private clear(): void {
    this.byDigest.clear();
    this.byCall.clear();
    this.held = 0;
    this.newestTx = 0;
  }

  private put(call: string, answer: StepAnswer): void {
    const digest = answer.envelope.result_digest;
    if (rowsOf(answer) * 4 > this.mostRows) return;
    this.drop(digest);
    // Last in the order of a map is what was used last.
    this.byCall.delete(call);
    this.byCall.set(call, digest);
    this.byDigest.set(digest, answer);
    this.held += rowsOf(answer);
    for (const oldest of this.byDigest.keys()) {
      if (this.held <= this.mostRows) break;
      this.drop(oldest);
    }
    for (const oldest of this.byCall.keys()) {
      if (this.byCall.size <= this.mostRows / 10) break;
      this.byCall.delete(oldest);
    }
  }

  private drop(digest: string): void {
    const answer = this.byDigest.get(digest);
    if (answer === undefined) return;
    this.byDigest.delete(digest);
    this.held -= rowsOf(answer);
  }
}
