// Answers of steps that have run, by what a step is and at which commit, so that a plan that is run again, or mended,
// computes only what changed.
// Bounded by the rows it holds; what was used longest ago goes first.
import type { KnownAnswers } from "./executor.js";
import { rowsIn, type StepAnswer } from "./step-answer.js";

const DEFAULT_MOST_ROWS = 200_000;

/** An answer without rows takes room, too. */
const sizeOf = (answer: StepAnswer): number => 1 + rowsIn(answer);

export class ResultStore {
  /** What was used last stands last. */
  private readonly answers = new Map<string, StepAnswer>();
  private held = 0;
  /** No answer that is held is of a later commit. */
  private newestTx = 0;

  constructor(private readonly mostRows = DEFAULT_MOST_ROWS) {}

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
        const answer = this.answers.get(call);
        if (answer !== undefined) this.put(call, answer);
        return answer;
      },
      keep: (identity, answer) => this.put(`${identity}@${tx} ${at}`, answer),
    };
  }

  private clear(): void {
    this.answers.clear();
    this.held = 0;
    this.newestTx = 0;
  }

  private put(call: string, answer: StepAnswer): void {
    if (sizeOf(answer) * 4 > this.mostRows) return;
    this.drop(call);
    this.answers.set(call, answer);
    this.held += sizeOf(answer);
    for (const oldest of this.answers.keys()) {
      if (this.held <= this.mostRows) break;
      this.drop(oldest);
    }
  }

  private drop(call: string): void {
    const answer = this.answers.get(call);
    if (answer === undefined) return;
    this.answers.delete(call);
    this.held -= sizeOf(answer);
  }
}
