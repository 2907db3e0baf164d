// Queries that show columns of one table and nothing else: their rows need an order and no engine of queries.
// Knows which queries these are, in the text and when they are bound; how rows are sorted, the caller says.
import type { Query } from "../../grammar/ast.js";
import type { Column, ColumnTable, NamedColumn, WordColumn } from "../columns/column.js";
import { slicedTable } from "../columns/slice.js";
import type { ScalarType } from "../columns/types.js";
import { type Bound, type BoundQuery, POSITION, type SelectTree, type TableSource } from "./bound.js";
import { withinStack } from "./problems.js";
import type { SchemaColumn } from "./schema.js";
import { scalarOf } from "./types.js";

/** One key of an order: a position among the columns that are sorted. Texts are ordered by code point. */
export interface ColumnSort {
  readonly column: number;
  readonly desc: boolean;
  readonly nullsFirst: boolean;
}

export interface SortRequest {
  readonly rowCount: number;
  /** Those that are shown, and behind them those that the rows are only ordered by. */
  readonly columns: readonly Column[];
  readonly shownCount: number;
  readonly order: readonly ColumnSort[];
}

export interface SortLimits {
  readonly signal: AbortSignal | undefined;
  /** By performance.now(); Infinity where there is none. */
  readonly deadlineMs: number;
  readonly memoryBytes: number;
}

/**
 * Gives the shown columns with all rows in order; of texts a dictionary of those that occur, by their first row. Null
 * where that would take more memory than it may, or texts are longer than it takes.
 */
export type ColumnSorter = (request: SortRequest, limits: SortLimits) => Promise<readonly Column[] | null>;

interface Projection {
  readonly source: TableSource;
  /** What is sorted, as the table's schema names it. */
  readonly columns: readonly SchemaColumn[];
  readonly shownCount: number;
  readonly order: readonly ColumnSort[];
  /** Of the rows in order, those that LIMIT and OFFSET leave. */
  readonly part: { readonly from: number; readonly to: number };
}

/**
 * Whether the query shows columns of one table and nothing else, whatever the types: its answer is then the same for
 * every order that the rows come in.
 */
export function readsInAnyOrder(query: Query): boolean {
  return withinStack(() => isProjectionText(query));
}

function isProjectionText({ with: steps, body, orderBy, limit, offset }: Query): boolean {
  if (steps.length > 0 || limit !== null || offset !== null || body.kind !== "select") return false;
  const { distinct, items, from, where, grouping } = body;
  if (distinct || where !== null || from.length !== 1) return false;
  const [{ table, joins }] = from as [(typeof from)[number]];
  if (table.kind !== "named" || joins.length > 0) return false;
  const { groupBy, having, windows, qualify } = grouping;
  if (groupBy !== null || having !== null || windows.length > 0 || qualify !== null) return false;
  return [...items, ...orderBy].every((item) => !("expr" in item) || COLUMN_EXPRESSIONS.has(item.expr.kind));
}

const COLUMN_EXPRESSIONS: ReadonlySet<string> = new Set(["name", "member", "index"]);

function isPlain(body: SelectTree): boolean {
  const { distinct, from, where, groupBy, having, qualify } = body;
  const isOne = from.length === 1 && from[0]!.joins.length === 0;
  return isOne && !distinct && where === null && groupBy === null && having === null && qualify === null;
}

/** The column of the table that an expression is; undefined for any other. */
function columnOf(node: Bound, source: TableSource): SchemaColumn | undefined {
  if (node.kind !== "column" || node.source !== source || node.column === POSITION) return undefined;
  const column = source.used[node.column]!;
  return column.type.kind === node.type.kind && SORTED_KINDS.has(column.type.kind) ? column : undefined;
}

/** Kinds whose columns hold their values as they are. */
const SORTED_KINDS: ReadonlySet<string> = new Set<ScalarType>([
  ...(["bool", "string", "int", "double", "instant", "instant_open", "duration", "json"] as const),
]);

/** What a bound query shows of its one table, all rows or some; null for a query that does more. */
export function projectionOf({ tree, sources, lists }: BoundQuery): Projection | null {
  const { body, orderBy, limit, offset, withTies } = tree;
  if (tree.with.length > 0 || withTies || body.kind !== "select" || !isPlain(body)) return null;
  const { source } = body.from[0]!;
  if (source.kind !== "table" || sources.length !== 1 || lists.length > 0) return null;
  const nodes = [...body.items, ...orderBy.flatMap((sort) => (sort.kind === "expr" ? [sort.expr] : []))];
  const columns = nodes.map((node) => columnOf(node, source));
  if (columns.length === 0 || columns.includes(undefined)) return null;
  const shownCount = body.items.length;
  let extra = shownCount;
  const written = orderBy.map((sort): ColumnSort => {
    const { desc, nullsFirst } = sort;
    return { column: sort.kind === "output" ? sort.column : extra++, desc, nullsFirst };
  });
  const isOrdered = new Set(written.map(({ column }) => column));
  const rest = body.items.flatMap((_, column): ColumnSort[] =>
    isOrdered.has(column) ? [] : [{ column, desc: false, nullsFirst: true }],
  );
  const from = Number(offset ?? 0n);
  const part = { from, to: limit === null ? Number.POSITIVE_INFINITY : from + Number(limit) };
  return { source, columns: columns as SchemaColumn[], shownCount, order: [...written, ...rest], part };
}

const isWords = ({ type }: Column): boolean =>
  type !== "double" && type !== "bool" && type !== "string" && type !== "json";

/** The column of a table as its schema has it; undefined where DuckDB would have to convert it, or to refuse it. */
function heldColumn({ columns }: ColumnTable, { name, type }: SchemaColumn): Column | undefined {
  const column = columns.find((each) => each.name === name)?.column;
  const wanted = scalarOf(type);
  if (column === undefined) return undefined;
  if (isWords(column) && isWords({ type: wanted } as Column)) return { ...column, type: wanted } as WordColumn;
  return column.type === wanted ? column : undefined;
}

const isWide = (column: Column | undefined): boolean => column?.type === "double" && column.wide !== undefined;

/**
 * The answer of a projection; null where the table holds other types than its schema says, or memory is short. A few rows
 * of many DuckDB finds sooner than a sort of all does, but it knows no integers among doubles.
 */
export async function sortedProjection(
  { columns: shown, shownCount, order, part }: Projection,
  table: ColumnTable,
  names: readonly string[],
  sort: ColumnSorter,
  limits: SortLimits,
): Promise<ColumnTable | null> {
  const columns = shown.map((column) => heldColumn(table, column));
  if (columns.includes(undefined)) return null;
  const { rowCount } = table;
  const isPart = part.from > 0 || part.to < Number.POSITIVE_INFINITY;
  if (isPart && !columns.some(isWide)) return null;
  const sorted = await sort({ rowCount, columns: columns as Column[], shownCount, order }, limits);
  if (sorted === null) return null;
  const all = { rowCount, columns: names.map((name, i): NamedColumn => ({ name, column: sorted[i]! })) };
  const from = Math.min(part.from, rowCount);
  return isPart ? slicedTable(all, from, Math.max(from, Math.min(part.to, rowCount))) : all;
}
