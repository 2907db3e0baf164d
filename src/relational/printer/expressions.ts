// Prints bound expressions as SQL of DuckDB. Names are generated: sources t0, t1, …, their columns c0, c1, …
// What an earlier stage has computed is taken from there, by the key of the expression.
import {
  type AggregateNode,
  type Bound,
  type BoundSort,
  type FrameBound,
  type InQueryNode,
  type ListSource,
  POSITION,
  type QueryTree,
  type TableSource,
  type WindowNode,
} from "../bound.js";
import { int } from "../functions/sql.js";
import { SESSION_NO } from "../functions/windows.js";
import { keyOf, settled } from "../nodes.js";
import type { TqlType } from "../types.js";
import { isAmong, type Member, membership } from "./membership.js";
import { constantSql } from "./types.js";

/** What stages have computed, from the innermost query outwards. */
export class Environment {
  private readonly computed = new Map<string, string>();

  constructor(
    readonly parent: Environment | null,
    /** What tells the rows of this level apart. */
    readonly identity: readonly Bound[] = [],
  ) {}

  set(node: Bound, text: string): void {
    this.computed.set(keyOf(node), text);
  }

  get(node: Bound): string | undefined {
    for (let each: Environment | null = this; each !== null; each = each.parent) {
      const text = each.computed.get(keyOf(node));
      if (text !== undefined) return text;
    }
    return undefined;
  }
}

/** The table of DuckDB that stands for a source. */
export type TableName = (source: TableSource | ListSource) => string;

type PrintQuery = (query: QueryTree, around: Environment) => string;

/** Values of a list that are NULL stand before the others, as rows do. */
export const orderKey = (text: string, type: TqlType): string =>
  type.kind === "list" ? `list_transform(${text}, lambda member: {'k': member IS NOT NULL, 'v': member})` : text;

export class ExpressionPrinter {
  constructor(
    private readonly printQuery: PrintQuery,
    private readonly tableName: TableName,
  ) {}

  print(node: Bound, env: Environment): string {
    const computed =
      env.get(node) ?? ("unrounded" in node && node.unrounded === true ? env.get(settled(node)) : undefined);
    const isReference = computed !== undefined || node.kind === "column" || node.kind === "scalar_query";
    // A column of nothing but NULL is held as text; a bare NULL stands beside every type.
    if (isReference && node.type.kind === "null") return "NULL";
    if (computed !== undefined) return computed;
    switch (node.kind) {
      case "column":
        return `t${node.source.id}.${node.column === POSITION ? "p" : `c${node.column}`}`;
      case "constant":
        if (node.list === undefined) return constantSql(node.value, node.type);
        return `(SELECT list(s.c0 ORDER BY s.p) FROM ${this.tableName(node.list)} AS s)`;
      case "call":
        return node.sql(node.args.map((arg) => this.print(arg, env)));
      case "aggregate":
        return this.aggregate(node, env);
      case "window":
        return this.window(node, env);
      case "scalar_query":
        return `(${this.printQuery(node.query, env)})`;
      case "exists":
        return `EXISTS (${this.printQuery(node.query, env)})`;
      case "in_query":
        return this.inQuery(node, env, membership);
    }
  }

  sort({ expr, desc, nullsFirst }: BoundSort, env: Environment): string {
    return `${orderKey(this.print(expr, env), expr.type)} ${desc ? "DESC" : "ASC"} NULLS ${nullsFirst ? "FIRST" : "LAST"}`;
  }

  private sorts(sorts: readonly BoundSort[], env: Environment): string {
    return sorts.map((each) => this.sort(each, env)).join(", ");
  }

  private aggregate(node: AggregateNode, env: Environment): string {
    const filter = node.filter === null ? null : this.print(node.filter, env);
    return node.sql(
      node.args.map((arg) => this.print(arg, env)),
      {
        distinct: node.distinct,
        orderBy: this.sorts(node.orderBy, env),
        suffix: filter === null ? "" : ` FILTER (WHERE ${filter})`,
        filter,
        over: "",
      },
    );
  }

  /** A condition of which only the rows matter where it is true: what is unknown there may as well be false. */
  test(node: Bound, env: Environment): string {
    if (node.kind === "in_query") return this.inQuery(node, env, isAmong);
    if (node.kind !== "call" || node.name !== "and" || env.get(node) !== undefined) return this.print(node, env);
    return node.sql(node.args.map((arg) => this.test(arg, env)));
  }

  private inQuery({ of, query }: InQueryNode, env: Environment, form: typeof membership): string {
    const members = of.map(
      (each, i): Member => ({ text: this.print(each, env), type: each.type, column: query.columns[i]!.type }),
    );
    return form(members, this.printQuery(query, env));
  }

  // ------------------------------------------------------------ windows

  /** PARTITION BY and ORDER BY, with what tells ties apart. */
  private windowOrder(node: WindowNode, env: Environment): string {
    const partition = node.partitionBy.map((each) => this.print(each, env)).join(", ");
    const ties = node.breaksTies
      ? env.identity.map((expr): BoundSort => ({ expr, desc: false, nullsFirst: true }))
      : [];
    const order = this.sorts([...node.orderBy, ...ties], env);
    return [partition === "" ? "" : `PARTITION BY ${partition}`, order === "" ? "" : `ORDER BY ${order}`]
      .filter((part) => part !== "")
      .join(" ");
  }

  /** The condition that a row begins a session: its distance from the row before is more than the gap. */
  sessionBegins(node: WindowNode, env: Environment): string {
    const [at, gap] = node.args.map((arg) => this.print(arg, env));
    return `coalesce(${at} - lag(${at}) OVER (${this.windowOrder(node, env)}) > ${gap}, FALSE)`;
  }

  private window(node: WindowNode, env: Environment): string {
    const filter = node.filter === null ? null : this.print(node.filter, env);
    const frame = node.frame === null ? "" : this.frame(node);
    const order = this.windowOrder(node, env);
    const rows = node.name === SESSION_NO ? " ROWS UNBOUNDED PRECEDING" : "";
    const over = ` OVER (${order}${frame}${rows})`;
    const args = node.name === SESSION_NO ? [env.get(sessionKey(node))!] : node.args.map((arg) => this.print(arg, env));
    return node.sql(args, {
      distinct: node.distinct,
      orderBy: this.sorts(node.argumentOrder, env),
      suffix: `${filter === null ? "" : ` FILTER (WHERE ${filter})`}${over}`,
      filter,
      over,
      ignoreNulls: node.ignoreNulls,
    });
  }

  private frame({ frame, orderBy }: WindowNode): string {
    const { unit, from, to, exclude } = frame!;
    const cast = unit === "range" && orderBy[0]?.expr.type.kind === "double" ? "::DOUBLE" : "";
    const bound = (each: FrameBound): string => {
      if (each.kind === "current_row") return "CURRENT ROW";
      const size = each.kind === "unbounded" ? "UNBOUNDED" : `${int(each.by!)}${cast}`;
      return `${size} ${each.side.toUpperCase()}`;
    };
    const without = exclude === null ? "" : ` EXCLUDE ${exclude.replace("_", " ").toUpperCase()}`;
    return ` ${unit.toUpperCase()} BETWEEN ${bound(from)} AND ${bound(to)}${without}`;
  }
}

/** Stands for the condition of sessionBegins, which a stage computes before the numbers are counted. */
export const sessionKey = (node: WindowNode): Bound => ({ ...node, name: `begins ${SESSION_NO}` });
