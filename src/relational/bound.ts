// The bound tree: a query whose names are resolved and whose expressions are typed. The binder makes it, the printer reads it.
// Plain data but for `sql`, which puts the texts of printed arguments together.
import type { CallQuery, Expr, MatchQuery, Table } from "../../grammar/ast.js";
import type { JsonValue } from "../contract/values.js";
import type { SchemaColumn, TableSchema } from "./schema.js";
import type { TqlType } from "./types.js";

/** A table, CALL or MATCH that the scope gave a schema for. */
export interface TableSource {
  readonly kind: "table";
  readonly id: number;
  readonly origin: Table | CallQuery | MatchQuery;
  /** The name that its columns are qualified by; null where it has none. */
  readonly name: string | null;
  readonly schema: TableSchema;
  /** The columns that the query reads, in the order in which they were met. Grows while the query is bound. */
  readonly used: SchemaColumn[];
}
/** A query in parentheses, or a use of a WITH name. */
interface QuerySource {
  readonly kind: "query";
  readonly id: number;
  readonly name: string | null;
  readonly query: QueryTree;
  /** The WITH name that it stands for; null for a query in parentheses. */
  readonly common: CommonTree | null;
  readonly columns: readonly SchemaColumn[];
}
interface UnnestSource {
  readonly kind: "unnest";
  readonly id: number;
  readonly name: string | null;
  readonly list: Bound;
  readonly ordinality: boolean;
  readonly columns: readonly SchemaColumn[];
}
/** A long list of the text or of a parameter, which DuckDB reads as a table: as a constant it would plan for seconds. */
export interface ListSource {
  readonly kind: "list";
  readonly id: number;
  readonly name: null;
  /** The members, in the form of columns. */
  readonly values: readonly JsonValue[];
  /** One column, of the members. */
  readonly columns: readonly SchemaColumn[];
}
export type Source = TableSource | QuerySource | UnnestSource | ListSource;

export interface CommonTree {
  readonly id: number;
  readonly name: string;
  readonly query: QueryTree;
}

export const POSITION = -1;

export type Bound =
  | ColumnNode
  | ConstantNode
  | CallNode
  | AggregateNode
  | WindowNode
  | ScalarQueryNode
  | ExistsNode
  | InQueryNode;

interface Typed {
  readonly type: TqlType;
}
/** `column` is a position in `used` of a table, in `columns` of another source; POSITION is the place of the row. */
export interface ColumnNode extends Typed {
  readonly kind: "column";
  readonly source: Source;
  readonly column: number;
}
/** A value in the form of a column. */
export interface ConstantNode extends Typed {
  readonly kind: "constant";
  readonly value: JsonValue;
  /** The parameter that it is the value of. */
  readonly parameter?: string;
  /** Where the members of a long list are. */
  readonly list?: ListSource;
}
export interface CallNode extends Typed {
  readonly kind: "call";
  /** Tells calls apart together with the arguments: everything that `sql` knows is in it. */
  readonly name: string;
  readonly args: readonly Bound[];
  readonly sql: (args: readonly string[]) => string;
  /** A double that is not rounded yet, as it is only part of a sum, a product and the like. */
  readonly unrounded?: boolean;
}
export interface BoundSort {
  readonly expr: Bound;
  readonly desc: boolean;
  readonly nullsFirst: boolean;
}
export interface AggregateNode extends Typed {
  readonly kind: "aggregate";
  readonly name: string;
  readonly args: readonly Bound[];
  readonly distinct: boolean;
  readonly orderBy: readonly BoundSort[];
  readonly filter: Bound | null;
  readonly sql: AggregateSql;
  readonly unrounded?: boolean;
}
/** Puts the printed arguments and what stands around them together. */
export type AggregateSql = (args: readonly string[], call: AggregateCall) => string;
interface AggregateCall {
  readonly distinct: boolean;
  /** Printed ORDER BY items, "" where there are none. */
  readonly orderBy: string;
  /** The whole ` FILTER (WHERE …) OVER (…)`, "" where there is neither. */
  readonly suffix: string;
  /** The condition of FILTER, null where there is none. */
  readonly filter: string | null;
  /** The whole ` OVER (…)`, "" where there is none. */
  readonly over: string;
  readonly ignoreNulls?: boolean;
}
export type FrameBound =
  | { readonly kind: "unbounded" | "offset"; readonly side: "preceding" | "following"; readonly by?: bigint }
  | { readonly kind: "current_row" };
export interface BoundFrame {
  readonly unit: "rows" | "range" | "groups";
  readonly from: FrameBound;
  readonly to: FrameBound;
  readonly exclude: "current_row" | "group" | "ties" | null;
}
export interface WindowNode extends Typed {
  readonly kind: "window";
  readonly name: string;
  readonly args: readonly Bound[];
  readonly distinct: boolean;
  readonly argumentOrder: readonly BoundSort[];
  readonly filter: Bound | null;
  readonly ignoreNulls: boolean;
  readonly partitionBy: readonly Bound[];
  readonly orderBy: readonly BoundSort[];
  readonly frame: BoundFrame | null;
  /** Whether rows that are equal under `orderBy` are told apart by where they come from. */
  readonly breaksTies: boolean;
  readonly sql: AggregateSql;
  readonly unrounded?: boolean;
}
interface ScalarQueryNode extends Typed {
  readonly kind: "scalar_query";
  readonly query: QueryTree;
}
interface ExistsNode extends Typed {
  readonly kind: "exists";
  readonly query: QueryTree;
}
export interface InQueryNode extends Typed {
  readonly kind: "in_query";
  /** The members of a row, or one value. */
  readonly of: readonly Bound[];
  readonly query: QueryTree;
}

export interface JoinTree {
  readonly how: "cross" | "inner" | "left" | "right" | "full" | "semi" | "anti";
  readonly source: Source;
  readonly on: Bound | null;
}
export interface FromTree {
  readonly source: Source;
  readonly joins: readonly JoinTree[];
}
export interface OutputColumn {
  readonly name: string;
  readonly type: TqlType;
}
export interface SelectTree {
  readonly kind: "select";
  readonly distinct: boolean;
  readonly from: readonly FromTree[];
  readonly where: Bound | null;
  readonly items: readonly Bound[];
  /** Null where the rows are not grouped; without keys all rows are one group. */
  readonly groupBy: readonly Bound[] | null;
  readonly having: Bound | null;
  readonly qualify: Bound | null;
  /** What tells the rows apart that windows see; [] where no window asks. */
  readonly identity: readonly Bound[];
  readonly columns: readonly OutputColumn[];
}
export interface SetTree {
  readonly kind: "set";
  readonly op: "union" | "except" | "intersect";
  readonly all: boolean;
  readonly left: BodyTree;
  readonly right: BodyTree;
  readonly columns: readonly OutputColumn[];
}
export type BodyTree = SelectTree | SetTree | QueryTree | HeadTree;
/** A CALL or MATCH as a whole, with the schema that the scope gave it. */
export interface HeadTree {
  readonly kind: "head";
  readonly source: TableSource;
  readonly columns: readonly OutputColumn[];
}
export type QuerySort =
  | { readonly kind: "output"; readonly column: number; readonly desc: boolean; readonly nullsFirst: boolean }
  | ({ readonly kind: "expr" } & BoundSort);
export interface QueryTree {
  readonly kind: "query";
  readonly with: readonly CommonTree[];
  readonly body: BodyTree;
  readonly orderBy: readonly QuerySort[];
  readonly limit: bigint | null;
  readonly withTies: boolean;
  readonly offset: bigint | null;
  readonly columns: readonly OutputColumn[];
}

/** Which column of which source an expression of the text stands for. */
export interface ColumnReference {
  readonly source: Source;
  /** As the source's schema names it: `uid`, `props.hours`. */
  readonly column: string;
}

export interface PeriodReference {
  readonly source: Source;
  readonly ends: readonly [string, string];
}

export interface BoundQuery {
  readonly columns: readonly OutputColumn[];
  /** Every table, CALL and MATCH that the query reads, at any depth, in the order in which they were met. */
  readonly sources: readonly TableSource[];
  /** Long lists that it reads as tables. */
  readonly lists: readonly ListSource[];
  readonly tree: QueryTree;
  /** The type of an expression of the text; undefined for what is not an expression on its own, as a bare alias. */
  typeOf(expr: Expr): TqlType | undefined;
  /** Of names, members and indexes that stand for a column. */
  referenceOf(expr: Expr): ColumnReference | undefined;
  /** Of what stands for a period that is made of two columns: `x.valid_time`, and an element where a period is taken. */
  periodOf(expr: Expr): PeriodReference | undefined;
}
