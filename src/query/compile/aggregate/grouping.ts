// The keys and aggregates that a SELECT asks of its one EVENTS or ENDPOINTS source, read as `aggregate_events` has them:
// what the step reads, its dimensions and measures, and the column of the operator that an expression is.
import type { BaseTable, Expr, FunctionCall, Item, Query, Select } from "../../../../grammar/ast.js";
import { PalimpsestError } from "../../../contract/errors.js";
import type { JsonObject } from "../../../contract/values.js";
import { type BoundQuery, bindQuery, type TqlType } from "../../../relational/index.js";
import { scanOf } from "../base-tables.js";
import type { Compiler } from "../compiler.js";
import { constantReader } from "../constant-reader.js";
import { constantForm } from "../constants.js";
import { zoneInForce } from "../context.js";
import { bothWheres, whereOf } from "../filters.js";
import { parameterValue, plainJson } from "../parameter-types.js";
import { givenValue } from "../parameters.js";
import type { RelationColumn } from "../relation.js";
import type { ScanSource } from "../scan-source.js";
import { conjuncts, replaced, type TreeNode, visit } from "../tree.js";
import { type Dimension, dimensionOf, EVENT_AGGREGATES, type EventColumn, type Measure, measureOf } from "./parts.js";

const MOST_DIMENSIONS = 6;
const MOST_AGGREGATES = 16;

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

const table = (select: Select) => select.from[0]?.table;

export class Grouping {
  readonly select: Select;
  readonly scan: ScanSource;
  readonly keys: Key[] = [];
  readonly measured: Measured[] = [];
  bound!: BoundQuery;
  private readonly names = new Set<string>();

  constructor(
    readonly query: Query,
    body: Select,
    private readonly compiler: Compiler,
  ) {
    this.select = replaced(body, (node) =>
      node.kind === "base" ? node : constantForm(node as unknown as Expr, compiler),
    );
    this.scan = scanOf(table(body) as BaseTable, compiler);
  }

  /** The `where` of the step; undefined where the operator cannot answer the query. */
  read(): JsonObject | undefined {
    const bound = this.bind();
    if (bound === undefined) return undefined;
    this.bound = bound;
    const where = this.where();
    return where !== undefined && this.readKeys() && this.readMeasures() ? where : undefined;
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

  readonly constant = constantReader({
    parameter: (expr) => plainJson(givenValue(expr, this.compiler.context), expr),
  });

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

  /** The column of the operator that an expression is, or undefined. */
  columnOf(expr: Expr): RelationColumn | undefined {
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

  /** The columns of the step: keys, then measures. */
  columns(): RelationColumn[] {
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
