// Runs a bound query over tables by columns, in the private DuckDB. The answer is a table by columns, too.
import type { ColumnTable } from "../columns/column.js";
import { rowMaker } from "../columns/rows-of-columns.js";
import type { JsonObject } from "../contract/values.js";
import { Pace } from "../event-loop/pace.js";
import type { BoundQuery, ListSource, OutputColumn, TableSource } from "./bound.js";
import { feedOf } from "./duckdb/feed.js";
import { duckInstance, type InstanceOptions } from "./duckdb/instance.js";
import { tableOfList } from "./duckdb/lists.js";
import { readResult } from "./duckdb/read.js";
import { toSql } from "./printer/queries.js";
import { withinStack } from "./problems.js";
import { type ColumnSorter, projectionOf, sortedProjection } from "./projection.js";

export interface RunOptions extends InstanceOptions {
  readonly signal?: AbortSignal | undefined;
  /** By performance.now(). */
  readonly deadlineMs?: number;
  /** Sorts the rows of a query that shows columns of one table and nothing else; left out: DuckDB does. */
  readonly sort?: ColumnSorter;
}

const ROWS_PER_BATCH = 500;

export class SelectResult {
  private readonly make: (from: number, to: number) => JsonObject[];

  constructor(
    readonly columns: readonly OutputColumn[],
    readonly table: ColumnTable,
  ) {
    this.make = rowMaker(table);
  }

  get rowCount(): number {
    return this.table.rowCount;
  }

  /** Rows `from` to `to` in the form of answers. */
  rows(from = 0, to = this.rowCount): JsonObject[] {
    return this.make(from, Math.min(to, this.rowCount));
  }

  /** All rows, in batches that do not hold the event loop. */
  async *batches(): AsyncGenerator<JsonObject[]> {
    const pace = new Pace();
    for (let from = 0; from < this.rowCount; from += ROWS_PER_BATCH) {
      yield this.rows(from, from + ROWS_PER_BATCH);
      if (pace.isDue) await pace.rest();
    }
  }
}

/** The answer of a query for which no DuckDB is needed; null for any other. */
async function projected(
  bound: BoundQuery,
  tableOf: (source: TableSource) => ColumnTable,
  { sort, signal, deadlineMs = Number.POSITIVE_INFINITY, memoryBytes = Number.POSITIVE_INFINITY }: RunOptions,
): Promise<ColumnTable | null> {
  const projection = sort === undefined ? null : projectionOf(bound);
  if (projection === null) return null;
  const names = bound.columns.map(({ name }) => name);
  return sortedProjection(projection, tableOf(projection.source), names, sort!, { signal, deadlineMs, memoryBytes });
}

/** `tableOf` gives the rows of each source of the query; they are read while this runs, and not changed. */
export async function runSelect(
  bound: BoundQuery,
  tableOf: (source: TableSource) => ColumnTable,
  options: RunOptions = {},
): Promise<SelectResult> {
  const stop = { signal: options.signal, deadlineMs: options.deadlineMs ?? Number.POSITIVE_INFINITY };
  const shown = await projected(bound, tableOf, options);
  if (shown !== null) return new SelectResult(bound.columns, shown);
  const instance = await duckInstance(options);
  const feeds = await Promise.all([
    ...bound.sources.map((source) => feedOf(instance.duck, tableOf(source), source.used)),
    ...bound.lists.map((list) => feedOf(instance.duck, tableOfList(list), list.columns)),
  ]);
  const table = await instance.with(stop, async (session) => {
    const all: readonly (TableSource | ListSource)[] = [...bound.sources, ...bound.lists];
    const slots = new Map(all.map((source, slot) => [source, slot]));
    const sql = withinStack(() => toSql(bound, (source) => session.tableName(slots.get(source)!)));
    const result = await session.run(sql, feeds, stop);
    return readResult(instance.duck, result, bound.columns);
  });
  return new SelectResult(bound.columns, table);
}
