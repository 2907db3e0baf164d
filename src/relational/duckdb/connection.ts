// A connection: runs one statement at a time over tables that it is given, and keeps statements prepared.
// Tables are functions r<connection>_s<slot> of DuckDB, whose rows come from feeds; a slot holds another table each time.

import type { ZoneFunction } from "../functions/zones.js";
import {
  type Bindings,
  type DuckConnection,
  type DuckResult,
  type PreparedStatement,
  TYPE,
  VECTOR_ROWS,
} from "./bindings.js";
import { cancelled, failure } from "./failures.js";
import { type Feed, Scan } from "./feed.js";

export interface Stop {
  readonly signal?: AbortSignal | undefined;
  readonly deadlineMs: number;
}

const KEPT_STATEMENTS = 64;
/** An interrupt that comes before DuckDB has begun is lost, so it is said again. */
const INTERRUPT_EVERY_MS = 20;
/** Statements planned for tables of other sizes may join the wrong way round: sizes are alike within this factor. */
const SIZE_STEP_BITS = 3;

export class DuckSession {
  private readonly prepared = new Map<string, PreparedStatement>();
  private feeds: readonly Feed[] = [];
  private slots = 0;

  constructor(
    private readonly duck: Bindings,
    private readonly connection: DuckConnection,
    private readonly number: number,
  ) {}

  tableName(slot: number): string {
    return `r${this.number}_s${slot}()`;
  }

  async execute(sql: string): Promise<void> {
    await this.duck.query(this.connection, sql);
  }

  /** Runs a statement of our own printing. The feeds stay in place until the next run: a result may point into them. */
  async run(sql: string, feeds: readonly Feed[], stop: Stop): Promise<DuckResult> {
    while (this.slots < feeds.length) this.addSlot();
    this.feeds = feeds;
    const key = `${feeds.map(shapeOf).join(";")} ${sql}`;
    try {
      return await this.stoppable(async () => this.duck.execute_prepared(await this.statement(key, sql)), stop);
    } catch (error) {
      this.drop(key);
      throw failure(error);
    }
  }

  /** A statement that failed holds on to what it had collected until then. */
  private drop(key: string): void {
    const statement = this.prepared.get(key);
    if (statement === undefined) return;
    this.prepared.delete(key);
    this.duck.destroy_prepare_sync(statement);
  }

  /** Lets the tables of the last run go. */
  forget(): void {
    this.feeds = [];
  }

  private async statement(key: string, sql: string): Promise<PreparedStatement> {
    const known = this.prepared.get(key);
    if (known !== undefined) {
      this.prepared.delete(key);
      this.prepared.set(key, known);
      return known;
    }
    const statement = await this.duck.prepare(this.connection, sql);
    this.prepared.set(key, statement);
    if (this.prepared.size > KEPT_STATEMENTS) this.drop(this.prepared.keys().next().value!);
    return statement;
  }

  private async stoppable<T>(work: () => Promise<T>, { signal, deadlineMs }: Stop): Promise<T> {
    const isOver = (): boolean => signal?.aborted === true || performance.now() >= deadlineMs;
    if (isOver()) throw cancelled();
    if (signal === undefined && deadlineMs === Number.POSITIVE_INFINITY) return work();
    const interrupt = (): void => {
      if (isOver()) this.duck.interrupt(this.connection);
    };
    const timer = setInterval(interrupt, INTERRUPT_EVERY_MS);
    signal?.addEventListener("abort", interrupt);
    try {
      return await work();
    } catch (error) {
      throw isOver() ? cancelled() : error;
    } finally {
      clearInterval(timer);
      signal?.removeEventListener("abort", interrupt);
    }
  }

  /** Registers a function from int64 to int64; what it gives for a row without a value is not looked at. */
  addFunction({ name, apply }: ZoneFunction): void {
    const { duck } = this;
    const bigint = duck.create_logical_type(TYPE.bigint);
    const scalar = duck.create_scalar_function();
    duck.scalar_function_set_name(scalar, name);
    duck.scalar_function_add_parameter(scalar, bigint);
    duck.scalar_function_set_return_type(scalar, bigint);
    duck.scalar_function_set_function(scalar, (_, input, output) => {
      const count = duck.data_chunk_get_size(input);
      const bytes = duck.vector_get_data(duck.data_chunk_get_vector(input, 0), count * 8);
      const results = new BigInt64Array(count);
      apply(new BigInt64Array(bytes.buffer, bytes.byteOffset, count), results);
      duck.copy_data_to_vector(output, 0, results.buffer, 0, count * 8);
    });
    duck.register_scalar_function(this.connection, scalar);
  }

  private addSlot(): void {
    const { duck } = this;
    const slot = this.slots;
    this.slots += 1;
    const table = duck.create_table_function();
    duck.table_function_set_name(table, `r${this.number}_s${slot}`);
    duck.table_function_supports_projection_pushdown(table, true);
    duck.table_function_set_bind(table, (info) => {
      const { typeIds, rowCount } = this.feeds[slot]!;
      const last = typeIds.length - 1;
      for (const [i, id] of typeIds.entries()) {
        duck.bind_add_result_column(info, i === last ? "p" : `c${i}`, duck.create_logical_type(id));
      }
      duck.bind_set_cardinality(info, rowCount, true);
    });
    duck.table_function_set_init(table, (info) => {
      const asked = Array.from({ length: duck.init_get_column_count(info) }, (_, i) =>
        duck.init_get_column_index(info, i),
      );
      duck.init_set_init_data(info, new Scan(duck, this.feeds[slot]!, asked));
      duck.init_set_max_threads(info, 1);
    });
    duck.table_function_set_function(table, (info, chunk) => {
      try {
        (duck.function_get_init_data(info) as Scan).fill(chunk);
      } catch (error) {
        duck.data_chunk_set_size(chunk, 0);
        duck.function_set_error(info, shownToDuck(error));
      }
    });
    duck.register_table_function(this.connection, table);
  }
}

/** An error of a feed, in the words that failure() reads. */
function shownToDuck(error: unknown): string {
  const { code, message } = failure(error);
  return code === "E_INTERNAL" ? message : `@${code} ${message}`;
}

const shapeOf = ({ typeIds, rowCount }: Feed): string =>
  `${typeIds.join(",")}/${Math.ceil(Math.log2(Math.max(rowCount, VECTOR_ROWS)) / SIZE_STEP_BITS)}`;
