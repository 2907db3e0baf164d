// A statement under way: awaited it is the whole answer, iterated it gives row after row without holding them all.
// `toArrow` and `recordBatches` give it as Arrow. A read begins when it is asked for one of these; a write has begun already.
import type { RecordBatch, Table } from "apache-arrow";
import { internalError, PalimpsestError } from "../../contract/errors.js";
import type { Answer, AnswerHead, AnswerRow } from "./answer.js";
import { type RecordBatchOptions, recordBatches, toArrow } from "./arrow-answer.js";
import { type TableAnswer, tableOfRows } from "./table-answer.js";

/** Rows in pieces, and what is known before the first. */
export interface RowStream {
  readonly head: AnswerHead;
  readonly pieces: AsyncIterable<readonly AnswerRow[]>;
}

export interface Work {
  whole(): Promise<Answer>;
  /** `stop` is given when nobody reads on. */
  stream(stop: AbortSignal): Promise<RowStream>;
  /** By columns. */
  table(stop: AbortSignal): Promise<TableAnswer>;
}

/** What an answer that was awaited can still become. */
interface ArrowSource {
  /** The rows as an Arrow table. */
  toArrow(): Promise<Table>;
}

const typed = (error: unknown): PalimpsestError => (error instanceof PalimpsestError ? error : internalError(error));

/** A row of an answer. What a caller's compiler knows of it, the engine does not: see row-types.ts. */
type RowIn<A extends Answer<unknown>> = A["rows"][number];

export class QueryRun<A extends Answer<unknown> = Answer>
  implements PromiseLike<A & ArrowSource>, AsyncIterable<RowIn<A>>, ArrowSource
{
  private answer: Promise<A & ArrowSource> | undefined;

  constructor(private readonly work: Work) {}

  /** Begins at once, for what must keep its place among other statements. */
  begin(): this {
    this.whole();
    return this;
  }

  // biome-ignore lint/suspicious/noThenProperty: a statement is awaited like a promise
  then<Fulfilled = A & ArrowSource, Rejected = never>(
    onFulfilled?: ((answer: A & ArrowSource) => Fulfilled | PromiseLike<Fulfilled>) | null,
    onRejected?: ((error: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Fulfilled | Rejected> {
    return this.whole().then(onFulfilled, onRejected);
  }
  catch<Rejected>(
    onRejected: (error: unknown) => Rejected | PromiseLike<Rejected>,
  ): Promise<(A & ArrowSource) | Rejected> {
    return this.whole().catch(onRejected);
  }
  finally(onEnd: () => void): Promise<A & ArrowSource> {
    return this.whole().finally(onEnd);
  }

  /** Columns and notices, and the rows as they come; leaving the loop early cancels the statement. */
  async stream(): Promise<AnswerHead & { readonly rows: AsyncIterable<RowIn<A>> }> {
    if (this.answer !== undefined) {
      const answer = await this.answer;
      return { ...answer, rows: oneByOne<RowIn<A>>(answer.rows) };
    }
    const stop = new AbortController();
    try {
      const { head, pieces } = await this.work.stream(stop.signal);
      return { ...head, rows: rowsOf<RowIn<A>>(pieces, stop) };
    } catch (error) {
      throw typed(error);
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<RowIn<A>, void, undefined> {
    const { rows } = await this.stream();
    yield* rows;
  }

  /** The whole answer as an Arrow table, over the columns that the statement ended with: no row is made. */
  async toArrow(): Promise<Table> {
    try {
      return await toArrow(await this.columnar(new AbortController()));
    } catch (error) {
      throw typed(error);
    }
  }

  /** The answer in Arrow record batches, each made when it is asked for; leaving the loop early ends it. */
  async *recordBatches(options: RecordBatchOptions = {}): AsyncGenerator<RecordBatch, void, undefined> {
    const stop = new AbortController();
    try {
      yield* recordBatches(() => this.columnar(stop), options);
    } catch (error) {
      throw typed(error);
    } finally {
      stop.abort();
    }
  }

  /** The whole answer by columns, with what is known of it: for who writes it out in a form of columns. */
  async byColumns(): Promise<TableAnswer> {
    try {
      return await this.columnar(new AbortController());
    } catch (error) {
      throw typed(error);
    }
  }

  private async columnar(stop: AbortController): Promise<TableAnswer> {
    if (this.answer === undefined) return this.work.table(stop.signal);
    const answer = await this.answer;
    return { head: answer, table: await tableOfRows(answer.columns, answer.rows as readonly AnswerRow[]) };
  }

  private whole(): Promise<A & ArrowSource> {
    this.answer ??= this.work.whole().then(
      // Not to be seen by who lists or prints the answer: it is no part of its data.
      (answer) =>
        Object.defineProperty(answer, "toArrow", { value: () => this.toArrow(), configurable: true }) as unknown as A &
          ArrowSource,
      (error: unknown) => {
        throw typed(error);
      },
    );
    return this.answer;
  }
}

async function* oneByOne<Row>(rows: readonly Row[]): AsyncGenerator<Row, void, undefined> {
  yield* rows;
}

async function* rowsOf<Row>(
  pieces: AsyncIterable<readonly AnswerRow[]>,
  stop: AbortController,
): AsyncGenerator<Row, void, undefined> {
  try {
    for await (const rows of pieces) yield* rows as readonly Row[];
  } catch (error) {
    throw typed(error);
  } finally {
    stop.abort();
  }
}
