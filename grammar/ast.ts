// The syntax tree of TQL: what the parser makes, the printer prints, and the compiler reads.
// Canonical already: aliases of the language are gone, only what a text means is left. Plain data, no methods.

/** Code points are counted for people (line, column from 1), UTF-16 units for slicing (offset, length). */
export interface Position {
  readonly line: number;
  readonly column: number;
  readonly offset: number;
  readonly length: number;
}
/** Every node knows where it was written; a node made by the compiler has no place. */
interface Node {
  readonly at?: Position;
}

/** A name as it was meant: quotes taken off. `quoted` keeps that it was written in quotes, which means nothing more. */
export interface Name extends Node {
  readonly text: string;
  readonly quoted?: boolean;
}

// ---------------------------------------------------------------- statements

export type Statement =
  | ReadStatement
  | WriteStatement
  | InsertStatement
  | ShowStatement
  | SetDefaults
  | SetZone
  | ResetDefaults
  | Begin
  | Commit
  | Rollback;

export type ExplainMode = "plan" | "estimate" | "analyze" | "verify";

export interface ReadStatement extends Node {
  readonly kind: "read";
  readonly explain: ExplainMode | null;
  readonly setting: readonly Default[];
  readonly query: Query;
}
/** MATCH … followed by writes. */
export interface WriteStatement extends Node {
  readonly kind: "write";
  readonly explain: ExplainMode | null;
  readonly setting: readonly Default[];
  readonly with: readonly CommonTable[];
  readonly clauses: readonly MatchClause[];
  readonly writes: readonly Write[];
}
export interface InsertStatement extends Node {
  readonly kind: "insert";
  readonly explain: ExplainMode | null;
  readonly insert: Insert;
}
export interface ShowStatement extends Node {
  readonly kind: "show";
  readonly what: "operators" | "operator" | "functions" | "types" | "labels" | "properties" | "stats" | "settings";
  readonly name: Name | null;
  readonly like: string | null;
}
export interface SetDefaults extends Node {
  readonly kind: "set_defaults";
  readonly defaults: readonly Default[];
}
export interface SetZone extends Node {
  readonly kind: "set_zone";
  readonly zone: string;
}
export interface ResetDefaults extends Node {
  readonly kind: "reset_defaults";
}
export interface Begin extends Node {
  readonly kind: "begin";
  readonly mode: "read_only" | "read_write";
  readonly times: readonly TimeClause[];
}
export interface Commit extends Node {
  readonly kind: "commit";
}
export interface Rollback extends Node {
  readonly kind: "rollback";
}

// ---------------------------------------------------------------- queries

/** A whole query: steps before it, a tree of heads joined by set operations, and what orders and cuts the result. */
export interface Query extends Node {
  readonly kind: "query";
  readonly with: readonly CommonTable[];
  readonly body: QueryBody;
  readonly orderBy: readonly Sort[];
  readonly limit: Count | null;
  readonly withTies: boolean;
  readonly offset: Count | null;
}
export interface CommonTable extends Node {
  readonly name: Name;
  readonly query: Query;
}
export type QueryBody = Select | CallQuery | MatchQuery | SetOperation | Query;
/** INTERSECT binds before UNION and EXCEPT, which go from left to right. */
export interface SetOperation extends Node {
  readonly kind: "set";
  readonly op: "union" | "except" | "intersect";
  readonly all: boolean;
  readonly left: QueryBody;
  readonly right: QueryBody;
}
export type Count = IntegerLiteral | Parameter;
export interface Sort extends Node {
  readonly expr: Expr;
  readonly desc: boolean;
  /** Null where it was not written: then last. */
  readonly nulls: "first" | "last" | null;
}

export interface Select extends Node {
  readonly kind: "select";
  readonly distinct: boolean;
  readonly items: readonly Item[];
  /** Comma-separated sources. */
  readonly from: readonly Source[];
  readonly where: Expr | null;
  readonly grouping: Grouping;
}
export interface Grouping {
  readonly groupBy: readonly Expr[] | "all" | null;
  readonly having: Expr | null;
  readonly windows: readonly { readonly name: Name; readonly window: Window }[];
  readonly qualify: Expr | null;
}
export type Item =
  | ({ readonly kind: "star" } & Node)
  | ({ readonly kind: "qualified_star"; readonly name: Name } & Node)
  | ({ readonly kind: "expr"; readonly expr: Expr; readonly as: Name | null } & Node);

export interface Source extends Node {
  readonly table: Table;
  readonly joins: readonly Join[];
}
export interface Join extends Node {
  readonly how: "cross" | "inner" | "left" | "right" | "full" | "semi" | "anti";
  readonly table: Table;
  readonly on: Expr | null;
  readonly using: readonly Name[] | null;
}
export interface Alias extends Node {
  readonly name: Name;
  readonly columns: readonly Name[];
}
export type Table =
  | BaseTable
  | VersionsTable
  | CommitsTable
  | BucketsTable
  | UnnestTable
  | CallTable
  | SubqueryTable
  | NamedTable;
export interface BaseTable extends Node {
  readonly kind: "base";
  readonly of: "nodes" | "edges" | "events" | "endpoints";
  readonly labels: Labels | null;
  readonly times: readonly TimeClause[];
  readonly alias: Alias | null;
}
export interface VersionsTable extends Node {
  readonly kind: "versions";
  readonly of: "nodes" | "edges";
  readonly labels: Labels | null;
  readonly times: readonly TimeClause[];
  readonly alias: Alias | null;
}
export interface CommitsTable extends Node {
  readonly kind: "commits";
  readonly times: readonly TimeClause[];
  readonly alias: Alias | null;
}
export interface BucketsTable extends Node {
  readonly kind: "buckets";
  readonly from: Expr;
  readonly to: Expr;
  readonly step: Expr;
  readonly zone: string | null;
  readonly alias: Alias | null;
}
export interface UnnestTable extends Node {
  readonly kind: "unnest";
  readonly expr: Expr;
  readonly ordinality: boolean;
  readonly alias: Alias | null;
}
export interface CallTable extends Node {
  readonly kind: "call_table";
  readonly call: Invocation;
  readonly alias: Alias | null;
}
export interface SubqueryTable extends Node {
  readonly kind: "subquery";
  readonly query: Query;
  readonly alias: Alias | null;
}
/** A WITH name, or a secondary list of one: `h.edges`. */
export interface NamedTable extends Node {
  readonly kind: "named";
  readonly path: readonly Name[];
  readonly alias: Alias | null;
}

export interface Invocation extends Node {
  readonly name: Name;
  readonly args: readonly { readonly name: Name; readonly value: Expr }[];
  readonly times: readonly TimeClause[];
}
export interface CallQuery extends Node {
  readonly kind: "call";
  readonly call: Invocation;
  /** Null where there is no YIELD. */
  readonly yields: "*" | readonly { readonly name: Name; readonly as: Name | null }[] | null;
  readonly where: Expr | null;
}

// ---------------------------------------------------------------- patterns

export interface MatchQuery extends Node {
  readonly kind: "match";
  readonly clauses: readonly MatchClause[];
  readonly distinct: boolean;
  readonly items: readonly Item[];
  readonly grouping: Grouping;
}
export interface MatchClause extends PatternBody {
  readonly optional: boolean;
}
export interface PatternBody extends Node {
  readonly repeatElements: boolean;
  readonly patterns: readonly Pattern[];
  readonly times: readonly TimeClause[];
  readonly where: Expr | null;
}
export interface Pattern extends Node {
  readonly variable: Name | null;
  readonly search: Search | null;
  readonly mode: "walk" | "trail" | "acyclic" | "simple" | null;
  readonly time: TimeMode | null;
  readonly chain: Chain;
}
export interface Search extends Node {
  readonly kind: "any" | "shortest" | "cheapest" | "earliest" | "latest_departure" | "fastest" | "longest";
  /** ALL SHORTEST, ALL CHEAPEST. */
  readonly all: boolean;
  /** Null where no number was written. */
  readonly count: Count | null;
}
export interface TimeMode extends Node {
  readonly kind: "co_valid" | "time_respecting";
  readonly ties: "strict" | "allow" | "by_seq" | null;
  readonly maxWait: Span | null;
  readonly within: Span | null;
  readonly arrival: "instant" | "end" | null;
}
export type Span = DurationLiteral | IntervalLiteral | Parameter;
/** Nodes and what lies between them: `nodes.length === links.length + 1`. */
export interface Chain extends Node {
  readonly nodes: readonly NodePattern[];
  readonly links: readonly (EdgePattern | GroupPattern)[];
}
export interface NodePattern extends Node {
  readonly kind: "node";
  readonly variable: Name | null;
  readonly labels: Labels | null;
  readonly in: Name | null;
  readonly map: MapLiteral | null;
  readonly where: Expr | null;
}
export interface EdgePattern extends Node {
  readonly kind: "edge";
  readonly direction: "out" | "in" | "any";
  readonly variable: Name | null;
  readonly labels: Labels | null;
  readonly in: Name | null;
  readonly map: MapLiteral | null;
  readonly where: Expr | null;
  readonly cost: Expr | null;
  readonly quantifier: Quantifier | null;
}
export interface GroupPattern extends Node {
  readonly kind: "group";
  readonly chain: Chain;
  readonly where: Expr | null;
  readonly quantifier: Quantifier;
}
export interface Quantifier extends Node {
  readonly min: number;
  readonly max: number | null;
}
export type Labels =
  | ({ readonly kind: "label"; readonly name: Name } & Node)
  | ({ readonly kind: "not"; readonly of: Labels } & Node)
  | ({ readonly kind: "and" | "or"; readonly of: readonly Labels[] } & Node);

// ---------------------------------------------------------------- writes

export type Write = SetWrite | RemoveWrite | DeleteWrite | EraseWrite | Insert;
/** Null where the text leaves it out, which the binder refuses. */
export interface Portion extends Node {
  readonly period: { readonly from: Expr; readonly to: Expr | null } | "all" | null;
  readonly correction: boolean;
  readonly because: StringLiteral | Parameter | null;
}
export type Assignment =
  | ({ readonly kind: "property"; readonly variable: Name; readonly property: Name; readonly value: Expr } & Node)
  | ({ readonly kind: "content"; readonly variable: Name; readonly map: MapLiteral } & Node)
  | ({ readonly kind: "label"; readonly variable: Name; readonly label: Name } & Node);
export interface SetWrite extends Node {
  readonly kind: "set";
  readonly assignments: readonly Assignment[];
  readonly portion: Portion;
}
export interface RemoveWrite extends Node {
  readonly kind: "remove";
  readonly removals: readonly ({
    readonly variable: Name;
    readonly what: "property" | "label";
    readonly name: Name;
  } & Node)[];
  readonly portion: Portion;
}
export interface DeleteWrite extends Node {
  readonly kind: "delete";
  readonly detach: boolean;
  readonly variables: readonly Name[];
  readonly portion: Portion;
}
export interface EraseWrite extends Node {
  readonly kind: "erase";
  readonly variables: readonly Name[];
  readonly because: StringLiteral | Parameter | null;
  readonly dryRun: boolean;
}
export interface Insert extends Node {
  readonly kind: "insert_chains";
  readonly chains: readonly Chain[];
  readonly time:
    | ({ readonly kind: "range"; readonly from: Expr; readonly to: Expr | null } & Node)
    | ({ readonly kind: "at"; readonly point: Expr } & Node)
    | ({ readonly kind: "all" } & Node)
    | null;
  readonly because: StringLiteral | Parameter | null;
}

// ---------------------------------------------------------------- time

export type Axis = "valid_time" | "transaction_time";
export interface TimeClause extends Node {
  readonly axis: Axis;
  readonly period: Period;
}
export interface Default extends Node {
  readonly axis: Axis;
  readonly period: Period;
}
export type Period =
  | ({ readonly kind: "as_of"; readonly point: Expr } & Node)
  | ({ readonly kind: "as_of_tx"; readonly tx: Count } & Node)
  | ({ readonly kind: "as_of_latest" } & Node)
  | ({ readonly kind: "from_to"; readonly from: Expr; readonly to: Expr; readonly only: boolean } & Node)
  | ({ readonly kind: "between"; readonly from: Expr; readonly to: Expr } & Node)
  | ({ readonly kind: "contained_in"; readonly from: Expr; readonly to: Expr } & Node)
  | ({ readonly kind: "all" } & Node);

// ---------------------------------------------------------------- expressions

export type Expr =
  | Literal
  | Parameter
  | ColumnName
  | Member
  | Index
  | Unary
  | Binary
  | Logical
  | IsTest
  | InTest
  | BetweenTest
  | LikeTest
  | Row
  | ListExpr
  | MapLiteral
  | Case
  | Cast
  | Exists
  | CountPattern
  | ScalarSubquery
  | FunctionCall;

export interface StringLiteral extends Node {
  readonly kind: "string";
  readonly value: string;
}
/** Within int64. The sign is an operator, but for -9223372036854775808, and inside EPOCH_S and its like. */
export interface IntegerLiteral extends Node {
  readonly kind: "integer";
  readonly value: bigint;
}
export interface NumberLiteral extends Node {
  readonly kind: "number";
  readonly value: number;
}
export interface BooleanLiteral extends Node {
  readonly kind: "boolean";
  readonly value: boolean;
}
export interface NullLiteral extends Node {
  readonly kind: "null";
}
/** FOREVER, BEGINNING, CURRENT_TIMESTAMP, CURRENT_DATE. */
export interface NamedInstant extends Node {
  readonly kind: "named_instant";
  readonly name: "forever" | "beginning" | "current_timestamp" | "current_date";
}
/** TIMESTAMP '…' and DATE '…'; the text is read by the binder, which knows the zone. */
export interface InstantLiteral extends Node {
  readonly kind: "instant";
  readonly form: "timestamp" | "date";
  readonly text: StringLiteral | Parameter;
}
export interface EpochLiteral extends Node {
  readonly kind: "epoch";
  readonly unit: "s" | "ms" | "us";
  readonly value: IntegerLiteral | Parameter;
}
export interface DurationLiteral extends Node {
  readonly kind: "duration";
  readonly text: StringLiteral | Parameter;
}
export interface IntervalLiteral extends Node {
  readonly kind: "interval";
  readonly text: StringLiteral | Parameter;
}
export type Literal =
  | StringLiteral
  | IntegerLiteral
  | NumberLiteral
  | BooleanLiteral
  | NullLiteral
  | NamedInstant
  | InstantLiteral
  | EpochLiteral
  | DurationLiteral
  | IntervalLiteral;
export interface Parameter extends Node {
  readonly kind: "parameter";
  readonly name: string;
}
/** A bare name: a column, a variable, a WITH name. */
export interface ColumnName extends Node {
  readonly kind: "name";
  readonly name: Name;
}
/** `x.y` */
export interface Member extends Node {
  readonly kind: "member";
  readonly of: Expr;
  readonly name: Name;
}
/** `x[0]`, `x['key']`, `x[*]` */
export interface Index extends Node {
  readonly kind: "index";
  readonly of: Expr;
  readonly index: IntegerLiteral | StringLiteral | Parameter | "*";
}
export interface Unary extends Node {
  readonly kind: "unary";
  readonly op: "-" | "+" | "not";
  readonly of: Expr;
}
export type BinaryOperator =
  | "+"
  | "-"
  | "*"
  | "/"
  | "%"
  | "||"
  | "="
  | "<>"
  | "<"
  | "<="
  | ">"
  | ">="
  | "overlaps"
  | "contains"
  | "equals"
  | "precedes"
  | "succeeds"
  | "immediately_precedes"
  | "immediately_succeeds"
  | "starts_with"
  | "ends_with";
/** `NOT` before a predicate word (`x NOT CONTAINS y`) is a `unary` "not" around it, printed in the short form. */
export interface Binary extends Node {
  readonly kind: "binary";
  readonly op: BinaryOperator;
  readonly left: Expr;
  readonly right: Expr;
}
export interface Logical extends Node {
  readonly kind: "logical";
  readonly op: "and" | "or";
  readonly of: readonly Expr[];
}
export interface IsTest extends Node {
  readonly kind: "is";
  readonly of: Expr;
  readonly not: boolean;
  readonly what: "null" | "true" | "false" | { readonly distinctFrom: Expr };
}
/** `x IN (1, 2)` is a `list` on the right. */
export interface InTest extends Node {
  readonly kind: "in";
  readonly of: Expr;
  readonly not: boolean;
  readonly in: Expr;
}
export interface BetweenTest extends Node {
  readonly kind: "between";
  readonly of: Expr;
  readonly not: boolean;
  readonly from: Expr;
  readonly to: Expr;
}
export interface LikeTest extends Node {
  readonly kind: "like";
  readonly of: Expr;
  readonly not: boolean;
  readonly caseless: boolean;
  readonly pattern: Expr;
  readonly escape: string | null;
}
/** `(a, b)`; one expression in parentheses is that expression. */
export interface Row extends Node {
  readonly kind: "row";
  readonly of: readonly Expr[];
}
export interface ListExpr extends Node {
  readonly kind: "list";
  readonly of: readonly Expr[];
}
export interface MapLiteral extends Node {
  readonly kind: "map";
  readonly entries: readonly { readonly key: Name; readonly value: Expr }[];
}
export interface Case extends Node {
  readonly kind: "case";
  readonly of: Expr | null;
  readonly when: readonly { readonly when: Expr; readonly then: Expr }[];
  readonly else: Expr | null;
}
export interface Cast extends Node {
  readonly kind: "cast";
  readonly try: boolean;
  readonly of: Expr;
  readonly type: Name;
  readonly list: boolean;
}
/** EXISTS { … } and EXISTS (SELECT …). */
export interface Exists extends Node {
  readonly kind: "exists";
  readonly of: PatternBody | Query;
}
export const isPatternBody = (of: PatternBody | Query): of is PatternBody => "patterns" in of;
export interface CountPattern extends Node {
  readonly kind: "count_pattern";
  readonly of: PatternBody;
}
export interface ScalarSubquery extends Node {
  readonly kind: "subquery_value";
  readonly query: Query;
}
/** EXTRACT(unit FROM t ZONE z) is DATE_PART('unit', t, z), PERCENTILE_CONT(q) WITHIN GROUP (ORDER BY x) is QUANTILE(x, q). */
export interface FunctionCall extends Node {
  readonly kind: "function";
  /** In capitals. */
  readonly name: Name;
  readonly distinct: boolean;
  /** COUNT(*). */
  readonly star: boolean;
  readonly args: readonly Expr[];
  /** Inside the parentheses, or WITHIN GROUP, which is read as the same. */
  readonly orderBy: readonly Sort[];
  readonly ignoreNulls: boolean;
  readonly filter: Expr | null;
  readonly over: Name | Window | null;
}
export interface Window extends Node {
  readonly kind: "window";
  readonly partitionBy: readonly Expr[];
  readonly orderBy: readonly Sort[];
  readonly frame: Frame | null;
}
export interface Frame extends Node {
  readonly unit: "rows" | "range" | "groups";
  readonly from: Bound;
  /** Null where only one bound was written: up to the current row. */
  readonly to: Bound | null;
  readonly exclude: "current_row" | "group" | "ties" | null;
}
export type Bound =
  | ({ readonly kind: "unbounded"; readonly side: "preceding" | "following" } & Node)
  | ({ readonly kind: "current_row" } & Node)
  | ({
      readonly kind: "offset";
      readonly by: IntegerLiteral | Span;
      readonly side: "preceding" | "following";
    } & Node);
