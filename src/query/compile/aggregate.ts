// A SELECT of keys and aggregates over one EVENTS or ENDPOINTS source as `aggregate_events`, where that operator gives
// the same columns and rows; what goes beyond it stands in a `select` after it.
import type { BaseTable, Expr, FunctionCall, Item, Query, Select, Sort } from "../../../grammar/ast.js";
import { PalimpsestError } from "../../contract/errors.js";
import type { JsonObject, JsonValue } from "../../contract/values.js";
import { type BoundQuery, bindQuery, type TqlType } from "../../relational/index.js";
import {
  type Dimension,
  dimensionOf,
  EVENT_AGGREGATES,
  type EventColumn,
  type Measure,
  measureOf,
} from "./aggregate-parts.js";
import type { ScanSource } from "./base-tables.js";
import type { Compiler } from "./compiler.js";
import { constantForm } from "./constants.js";
import { zoneInForce } from "./context.js";
import { bothWheres, type ConstantReader, whereOf } from "./filters.js";
import { parameterValue, plainJson } from "./parameter-types.js";
import { givenValue } from "./parameters.js";
import { windowValue } from "./periods.js";
import type { Relation, RelationColumn } from "./relation.js";
import type { Scope } from "./scope.js";
import { castColumn } from "./select.js";
import { conjunction, conjuncts, member, nameOf, replaced, type TreeNode, visit } from "./tree.js";

const MOST_DIMENSIONS = 6;
const MOST_AGGREGATES = 16;
const MOST_CONDITIONS = 64;

interface Key {
  readonly expr: Expr;
  readonly dimension: Dimension;
  readonly type: TqlType;
}
interface Measured {
  readonly call: FunctionCall;
  readonly measure: Measure;
  readonly name: string;
  readonly type: TqlType;
}

/** Equal texts are equal expressions, wherever they stand. */
const textOf = (expr: Expr): string =>
  JSON.stringify(expr, (key, value: unknown) =>
    key === "at" ? undefined : typeof value === "bigint" ? `${value}n` : value,
  );

/** A query over the rows of steps, and where it finds their names. */
export interface Onward {
  readonly query: Query;
  readonly scope: Scope;
}
export type Aggregated = { readonly relation: Relation } | { readonly onward: Onward };

/** Undefined where the query is a `select` from the beginning. `isAnswer`: nobody reads its rows but the answer. */
export function aggregated(query: Query, scope: Scope, compiler: Compiler, isAnswer = false): Aggregated | undefined {
  const { body } = query;
  if (body.kind !== "select" || query.with.length > 0) return undefined;
  if (!isCandidate(body)) return undefined;
  return new Aggregation(query, body, scope, compiler, isAnswer).relation();
}

const table = (select: Select) => select.from[0]?.table;

function isCandidate(select: Select): boolean {
  const source = table(select);
  if (select.from.length !== 1 || select.from[0]!.joins.length > 0) return false;
  if (source?.kind !== "base" || (source.of !== "events" && source.of !== "endpoints")) return false;
  if (select.distinct || select.grouping.qualify !== null || select.grouping.windows.length > 0) return false;
  let isPlain = true;
  let hasAggregate = false;
  visit([select.items, select.where, select.grouping], (node) => {
    if (["star", "qualified_star", "query", "exists", "count_pattern", "subquery_value"].includes(node.kind))
      isPlain = false;
    if (node.kind === "function") {
      const call = node as unknown as FunctionCall;
      if (call.over !== null) isPlain = false;
      hasAggregate = true;
    }
    return isPlain;
  });
  return isPlain && hasAggregate;
}

class Aggregation {
  private readonly select: Select;
  private readonly scan: ScanSource;
  private bound!: BoundQuery;
  private readonly keys: Key[] = [];
  private readonly measured: Measured[] = [];
  private readonly names = new Set<string>();

  constructor(
    private readonly query: Query,
    body: Select,
    private readonly scope: Scope,
    private readonly compiler: Compiler,
    private readonly isAnswer: boolean,
  ) {
    this.select = replaced(body, (node) =>
      node.kind === "base" ? node : constantForm(node as unknown as Expr, compiler),
    );
    this.scan = compiler.scanOf(table(body) as BaseTable);
  }

  relation(): Aggregated | undefined {
    const bound = this.bind();
    if (bound === undefined) return undefined;
    this.bound = bound;
    const where = this.where();
    if (where === undefined || !this.readKeys() || !this.readMeasures()) return undefined;
    return this.build(where);
  }

  private bind(): BoundQuery | undefined {
    const { compiler } = this;
    const parameters: Record<string, ReturnType<typeof parameterValue>> = {};
    visit([this.select, this.query.orderBy], (node) => {
      if (node.kind !== "parameter") return true;
      const parameter = node as unknown as Extract<Expr, { kind: "parameter" }>;
      parameters[parameter.name] = parameterValue(givenValue(parameter, compiler.context), parameter);
      return true;
    });
    try {
      return bindQuery(
        { ...this.query, body: this.select, limit: null, offset: null, withTies: false },
        {
          table: (of) => (of === table(this.select) ? this.scan.schema : null),
          parameters,
          zone: zoneInForce(compiler.context),
          nowUs: compiler.context.nowUs,
          eventAggregates: true,
        },
      );
    } catch (error) {
      // Names of an outer query, and mistakes: whoever binds the whole text finds them.
      if (error instanceof PalimpsestError && error.code !== "E_INTERNAL") return undefined;
      throw error;
    }
  }

  private readonly column: EventColumn = (expr) => {
    const found = this.bound.referenceOf(expr);
    return found === undefined ? undefined : { name: found.column, type: this.bound.typeOf(expr)! };
  };

  private readonly constant: ConstantReader = (expr) => {
    switch (expr.kind) {
      case "string":
      case "boolean":
      case "number":
        return expr.value;
      case "integer":
        return Number.isSafeInteger(Number(expr.value)) ? Number(expr.value) : expr.value;
      case "unary": {
        const of = expr.op === "-" ? this.constant(expr.of) : undefined;
        return typeof of === "number" || typeof of === "bigint" ? -of : undefined;
      }
      case "list": {
        const of = expr.of.map(this.constant);
        return of.includes(undefined) ? undefined : (of as JsonValue[]);
      }
      case "parameter":
        return plainJson(givenValue(expr, this.compiler.context), expr);
      default:
        return undefined;
    }
  };

  private where(): JsonObject | undefined {
    let where = this.scan.where;
    if (this.scan.rest(() => ({ kind: "null" })).length > 0) return undefined;
    if (this.scan.names !== null) where = { ...where, types: [...this.scan.names] };
    for (const part of conjuncts(this.select.where)) {
      const one = whereOf(part, "edge", this.column, this.constant);
      const both = one === undefined ? undefined : bothWheres(where, one);
      if (both === undefined) return undefined;
      where = both;
    }
    return where;
  }

  private isEndpoints(): boolean {
    const of = table(this.select);
    return of?.kind === "base" && of.of === "endpoints";
  }

  /** The items that GROUP BY stands for; the names of items are looked through. */
  private keyExprs(): Expr[] {
    const { groupBy } = this.select.grouping;
    const items = this.select.items as Extract<Item, { kind: "expr" }>[];
    if (groupBy === "all") return items.map(({ expr }) => expr).filter((expr) => !this.holdsAggregate(expr));
    return (groupBy ?? []).map((expr) => {
      if (expr.kind !== "name" || this.bound.referenceOf(expr) !== undefined) return expr;
      return items.find(({ as }) => as?.text === expr.name.text)?.expr ?? expr;
    });
  }

  private readKeys(): boolean {
    for (const expr of this.keyExprs()) {
      const dimension = dimensionOf(expr, this.column, this.isEndpoints(), zoneInForce(this.compiler.context));
      const type = this.bound.typeOf(expr);
      if (dimension === undefined || type === undefined) return false;
      if (this.keys.some((key) => key.dimension.column === dimension.column)) {
        if (this.keys.some((key) => textOf(key.expr) === textOf(expr))) continue;
        return false;
      }
      this.keys.push({ expr, dimension, type });
    }
    const pairs = this.keys.filter(({ dimension }) => dimension.pair !== undefined);
    if (pairs.length === 1) return false;
    if (this.isEndpoints() && !this.keys.some(({ dimension }) => dimension.column === "node")) return false;
    return this.keys.length - (pairs.length > 0 ? 1 : 0) <= MOST_DIMENSIONS;
  }

  private isAggregate(node: TreeNode): node is FunctionCall {
    return node.kind === "function" && AGGREGATES.has((node as FunctionCall).name.text);
  }
  private holdsAggregate(expr: Expr): boolean {
    let holds = false;
    visit(expr, (node) => {
      holds ||= this.isAggregate(node);
      return !holds;
    });
    return holds;
  }

  private readMeasures(): boolean {
    let fits = true;
    const names = new Map<string, string>();
    for (const item of this.select.items) {
      if (item.kind === "expr" && this.isAggregate(item.expr) && item.as !== null)
        names.set(textOf(item.expr), item.as.text);
    }
    for (const { dimension } of this.keys) this.names.add(dimension.column);
    visit([this.select.items, this.select.grouping.having, this.query.orderBy], (node) => {
      if (!this.isAggregate(node)) return fits;
      if (this.measured.some(({ call }) => textOf(call) === textOf(node))) return false;
      const type = this.bound.typeOf(node);
      const measure = type === undefined ? undefined : measureOf(node, this.column, type, this.compiler.folder);
      if (measure === undefined || type === undefined) {
        fits = false;
        return false;
      }
      const name = this.unused(names.get(textOf(node)) ?? node.name.text.toLowerCase(), measure);
      this.measured.push({ call: node, measure, name, type });
      return false;
    });
    const uses = this.measured.filter(
      ({ measure }) => measure.aggregate.of === "other" || measure.aggregate.of === "distinct_other",
    );
    const nodes = this.keys.filter(({ dimension }) => dimension.dim.dim === "node");
    if (uses.length > 0 && nodes.length !== 1) return false;
    return fits && this.measured.length > 0 && this.measured.length <= MOST_AGGREGATES;
  }

  /** A column of the operator that none of its others has. */
  private unused(wanted: string, { aggregate }: Measure): string {
    const own = (name: string): string[] =>
      aggregate.fn === "max_in_span"
        ? [name, `${name}_at`]
        : aggregate.fn === "longest_session"
          ? [name, `${name}_events`]
          : [name];
    let name = wanted;
    for (let i = 2; own(name).some((each) => this.names.has(each)); i += 1) name = `${wanted}_${i}`;
    for (const each of own(name)) this.names.add(each);
    return name;
  }

  // ------------------------------------------------------------ the step

  /** The column of the operator that an expression is, or undefined. */
  private columnOf(expr: Expr): RelationColumn | undefined {
    const text = textOf(expr);
    const key = this.keys.find((each) => textOf(each.expr) === text);
    if (key !== undefined) {
      const isJson = key.dimension.dim.dim === "prop";
      const { column } = key.dimension;
      return { name: column, from: column, type: key.type, ...(isJson ? { declared: { kind: "json" } as const } : {}) };
    }
    const found = this.measured.find(({ call }) => textOf(call) === text);
    if (found === undefined) {
      // The name of an item, as in HAVING and ORDER BY.
      if (expr.kind !== "name" || this.bound.referenceOf(expr) !== undefined) return undefined;
      const item = this.select.items.find((each) => each.kind === "expr" && each.as?.text === expr.name.text);
      return item?.kind === "expr" && item.expr !== expr ? this.columnOf(item.expr) : undefined;
    }
    const { measure, name, type } = found;
    const isSame = measure.declared === type.kind;
    return { name, from: name, type, ...(isSame ? {} : { declared: { kind: measure.declared } as const }) };
  }

  private build(where: JsonObject): Aggregated | undefined {
    const items = this.select.items as Extract<Item, { kind: "expr" }>[];
    const columns = items.map(({ expr }) => this.columnOf(expr));
    const having = this.having();
    const order = this.order(columns);
    const isWhole = !columns.includes(undefined) && having.rest.length === 0 && order !== undefined;
    const isCut = this.query.limit !== null || this.query.offset !== null || this.query.withTies;
    const goesOn = !isWhole || isCut;
    // A whole number that the operator calls a double would lose its last digits on the way into a table.
    const isLossy = this.measured.some(({ measure, type }) => type.kind === "int" && measure.declared === "double");
    if ((goesOn || !this.isAnswer) && isLossy) return undefined;
    const args = this.args(where, having.conditions, goesOn ? [] : order!);
    const step = this.compiler.steps.add("aggregate_events", args);
    const named = (column: RelationColumn, i: number): RelationColumn => ({
      ...column,
      name: this.bound.columns[i]!.name,
    });
    const none = { fields: new Map(), lists: new Map() };
    if (goesOn) return { onward: this.after(step, having.rest) };
    return { relation: { table: step, kind: "rows", columns: (columns as RelationColumn[]).map(named), ...none } };
  }

  private args(where: JsonObject, having: JsonValue[], orderBy: JsonValue[]): JsonObject {
    const dims = this.keys.filter(({ dimension }, i) => dimension.pair === undefined || this.isFirstOfPair(i));
    const args: JsonObject = {
      group_by: dims.map(({ dimension }) => dimension.dim),
      aggregates: this.measured.map(({ measure, name }) => ({ ...measure.aggregate, as: name })),
      as_of_tt: this.scan.asOf,
    };
    const valid = this.scan.times?.valid;
    if (valid?.kind === "window") args.window = windowValue(valid);
    if (Object.keys(where).length > 0) args.where = where;
    if (having.length > 0) args.having = having;
    if (orderBy.length > 0) args.order_by = orderBy;
    return args;
  }

  private isFirstOfPair(i: number): boolean {
    return this.keys.findIndex(({ dimension }) => dimension.pair !== undefined) === i;
  }

  /** Conditions on columns go along; others are left for a `select`. */
  private having(): { readonly conditions: JsonValue[]; readonly rest: readonly Expr[] } {
    const conditions: JsonValue[] = [];
    const rest: Expr[] = [];
    for (const part of conjuncts(this.select.grouping.having)) {
      const one = this.condition(part);
      if (one === undefined || conditions.length === MOST_CONDITIONS) rest.push(part);
      else conditions.push(one);
    }
    return { conditions, rest };
  }

  private condition(expr: Expr): JsonObject | undefined {
    if (expr.kind !== "binary") return undefined;
    const op = ({ "=": "eq", "<>": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge" } as Record<string, string>)[
      expr.op
    ];
    const column = op === undefined ? undefined : this.columnOf(expr.left);
    if (op === undefined || column === undefined) return undefined;
    const value = this.comparand(expr.right, column.type);
    return value === undefined ? undefined : { column: column.from, op, value };
  }

  private comparand(expr: Expr, type: TqlType): JsonValue | undefined {
    if (type.kind === "duration" && expr.kind === "duration")
      return expr.text.kind === "string" ? expr.text.value : undefined;
    if (type.kind === "instant" && expr.kind === "instant")
      return expr.text.kind === "string" ? expr.text.value : undefined;
    const value = this.constant(expr);
    const isNumber = typeof value === "number" || typeof value === "bigint";
    if (type.kind === "int" || type.kind === "double") return isNumber ? value : undefined;
    return (type.kind === "string" && typeof value === "string") || (type.kind === "bool" && typeof value === "boolean")
      ? value
      : undefined;
  }

  /** The written order, then all columns of the answer, as a `select` orders; undefined where an item is no column. */
  private order(columns: readonly (RelationColumn | undefined)[]): JsonValue[] | undefined {
    const order: JsonValue[] = [];
    const seen = new Set<string>();
    const add = (column: RelationColumn | undefined, desc: boolean, nulls: "first" | "last"): boolean => {
      if (column === undefined) return false;
      if (!seen.has(column.from)) order.push({ column: column.from, desc, nulls });
      seen.add(column.from);
      return true;
    };
    const isWritten = this.query.orderBy.every(({ expr, desc, nulls }: Sort) =>
      add(this.columnOf(expr), desc, nulls ?? "last"),
    );
    if (!isWritten || !columns.every((column) => add(column, false, "first"))) return undefined;
    // The keys decide every tie, and come in their order anyway.
    return this.isStandingOrder(order) ? [] : order;
  }

  private isStandingOrder(order: readonly JsonValue[]): boolean {
    const dims = this.keys.map(({ dimension }) => dimension.column);
    return dims.every((name, i) => {
      const { column, desc, nulls } = (order[i] ?? {}) as JsonObject;
      return column === name && desc === false && nulls === "first";
    });
  }

  // ------------------------------------------------------------ what comes after it

  private after(step: string, rest: readonly Expr[]): Onward {
    const alias = "g";
    const columns = this.ownColumns();
    const relation: Relation = { table: step, kind: "rows", columns, fields: new Map(), lists: new Map() };
    const common = {
      name: nameOf(alias),
      query: this.query,
      scope: this.scope,
      relation,
    };
    const replace = (node: TreeNode): unknown => {
      const column = this.columnOf(node as unknown as Expr);
      return column === undefined ? undefined : castColumn(member(alias, column.from), column);
    };
    const items = this.select.items.map((item, i) => {
      const { expr } = item as Extract<Item, { kind: "expr" }>;
      return { kind: "expr", expr: replaced(expr, replace), as: nameOf(this.bound.columns[i]!.name) } as const;
    });
    const names = new Set(this.bound.columns.map(({ name }) => name));
    const orderBy = this.query.orderBy.map((sort) => {
      // The name of an item stays a name: what stands under it may be an expression.
      const isName =
        sort.expr.kind === "name" && names.has(sort.expr.name.text) && this.bound.referenceOf(sort.expr) === undefined;
      return isName ? sort : { ...sort, expr: replaced(sort.expr, replace) };
    });
    const body: Select = {
      kind: "select",
      distinct: false,
      items,
      from: [{ table: { kind: "named", path: [nameOf(alias)], alias: null }, joins: [] }],
      where: conjunction(rest.map((expr) => replaced(expr, replace))),
      grouping: { groupBy: null, having: null, windows: [], qualify: null },
    };
    return { query: { ...this.query, with: [], body, orderBy }, scope: this.scope.with(common) };
  }

  private ownColumns(): RelationColumn[] {
    return [...this.keys.map(({ expr }) => expr), ...this.measured.map(({ call }) => call)].map(
      (expr) => this.columnOf(expr)!,
    );
  }
}

const AGGREGATES: ReadonlySet<string> = new Set([
  ...["COUNT", "SUM", "AVG", "MIN", "MAX", "MEDIAN", "QUANTILE", "QUANTILE_DISC", "STDDEV_POP", "STDDEV_SAMP"],
  ...["BOOL_AND", "BOOL_OR", "ARG_MIN", "ARG_MAX", "LIST", "STRING_AGG"],
  ...EVENT_AGGREGATES,
]);
