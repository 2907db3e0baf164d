// A statement under way: awaited it is the whole answer, iterated it gives row after row without holding them all.
// A read begins when it is asked for one or the other; a write has begun already.
import { internalError, PalimpsestError } from "../../contract/errors.js";
import type { Answer, AnswerHead, AnswerRow } from "./answer.js";

/** Rows in pieces, and what is known before the first. */
export interface RowStream {
  readonly head: AnswerHead;
  readonly pieces: AsyncIterable<readonly AnswerRow[]>;
}

export interface Work<A extends Answer> {
  whole(): Promise<A>;
  /** `stop` is given when nobody reads on. */
  stream(stop: AbortSignal): Promise<RowStream>;
}

const typed = (error: unknown): PalimpsestError => (error instanceof PalimpsestError ? error : internalError(error));

export class QueryRun<A extends Answer = Answer> implements PromiseLike<A>, AsyncIterable<AnswerRow> {
  private answer: Promise<A> | undefined;

  constructor(private readonly work: Work<A>) {}

  /** Begins at once, for what must keep its place among other statements. */
  begin(): this {
    this.whole();
    return this;
  }

  // biome-ignore lint/suspicious/noThenProperty: a statement is awaited like a promise
  then<Fulfilled = A, Rejected = never>(
    onFulfilled?: ((answer: A) => Fulfilled | PromiseLike<Fulfilled>) | null,
    onRejected?: ((error: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Fulfilled | Rejected> {
    return this.whole().then(onFulfilled, onRejected);
  }
  catch<Rejected>(onRejected: (error: unknown) => Rejected | PromiseLike<Rejected>): Promise<A | Rejected> {
    return this.whole().catch(onRejected);
  }
  finally(onEnd: () => void): Promise<A> {
    return this.whole().finally(onEnd);
  }

  /** Columns and notices, and the rows as they come; leaving the loop early cancels the statement. */
  async stream(): Promise<AnswerHead & { readonly rows: AsyncIterable<AnswerRow> }> {
    if (this.answer !== undefined) {
      const answer = await this.answer;
      return { ...answer, rows: oneByOne(answer.rows) };
    }
    const stop = new AbortController();
    try {
      const { head, pieces } = await this.work.stream(stop.signal);
      return { ...head, rows: rowsOf(pieces, stop) };
    } catch (error) {
      throw typed(error);
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<AnswerRow, void, undefined> {
    const { rows } = await this.stream();
    yield* rows;
  }

  private whole(): Promise<A> {
    this.answer ??= this.work.whole().catch((error: unknown) => {
      throw typed(error);
    });
    return this.answer;
  }
}

async function* oneByOne(rows: readonly AnswerRow[]): AsyncGenerator<AnswerRow, void, undefined> {
  yield* rows;
}

async function* rowsOf(
  pieces: AsyncIterable<readonly AnswerRow[]>,
  stop: AbortController,
): AsyncGenerator<AnswerRow, void, undefined> {
  try {
    for await (const rows of pieces) yield* rows;
  } catch (error) {
    throw typed(error);
  } finally {
    stop.abort();
  }
}
