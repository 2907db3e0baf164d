// Prints bound queries as SQL of DuckDB, in stages that are queries in FROM: groups, sessions, items, order.
// The outermost query stands in the standing order of results; inner ones are ordered where a limit cuts them.

import type {
  BodyTree,
  Bound,
  BoundQuery,
  FromTree,
  JoinTree,
  QueryTree,
  SelectTree,
  SetTree,
  Source,
  WindowNode,
} from "../bound.js";
import { POSITION } from "../bound.js";
import { exactDouble, int } from "../functions/sql.js";
import { SESSION_NO } from "../functions/windows.js";
import { columnNode, keyOf, partsOf } from "../nodes.js";
import { INT, sameType, type TqlType } from "../types.js";
import { Environment, ExpressionPrinter, orderKey, sessionKey, type TableName } from "./expressions.js";
import { tableSql } from "./sources.js";
import { duckType } from "./types.js";

const JOIN_WORDS: Readonly<Record<JoinTree["how"], string>> = {
  cross: "CROSS JOIN",
  inner: "JOIN",
  left: "LEFT JOIN",
  right: "RIGHT JOIN",
  full: "FULL JOIN",
  semi: "SEMI JOIN",
  anti: "ANTI JOIN",
};

/** Every part of some expressions, subqueries apart. */
function* nodesOf(nodes: Iterable<Bound>): Generator<Bound> {
  for (const node of nodes) {
    yield node;
    yield* nodesOf(partsOf(node));
  }
}

/** Where rows come from at some stage, and what is computed already. */
interface Stage {
  readonly from: string;
  readonly where: string;
  readonly env: Environment;
}

class QueryPrinter {
  private readonly expressions = new ExpressionPrinter(
    (query, around) => this.query(query, around, false),
    (source) => this.tableName(source),
  );
  private stages = 0;

  constructor(private readonly tableName: TableName) {}

  query(query: QueryTree, around: Environment | null, isOutermost: boolean): string {
    const common = query.with.map(({ id, query: of }) => `w${id} AS (${this.query(of, around, false)})`);
    const prefix = common.length === 0 ? "" : `WITH ${common.join(", ")} `;
    const isCut = query.limit !== null || query.offset !== null;
    if (!isOutermost && !isCut) return prefix + this.body(query.body, around, []);
    const extra = query.orderBy.flatMap((sort) => (sort.kind === "expr" ? [sort.expr] : []));
    return `${prefix}${this.ordered(query, this.body(query.body, around, extra))}`;
  }

  /** The rows in the order that was written, then by all columns; cut by LIMIT. */
  private ordered(query: QueryTree, body: string): string {
    const columns = query.columns.map((_, i) => `q.c${i}`).join(", ");
    let extra = 0;
    const written = query.orderBy.map((sort) => {
      const type = sort.kind === "output" ? query.columns[sort.column]!.type : sort.expr.type;
      const name = sort.kind === "output" ? `q.c${sort.column}` : `q.x${extra++}`;
      return `${orderKey(name, type)} ${sort.desc ? "DESC" : "ASC"} NULLS ${sort.nullsFirst ? "FIRST" : "LAST"}`;
    });
    const isOrdered = new Set(query.orderBy.flatMap((sort) => (sort.kind === "output" ? [sort.column] : [])));
    const rest = query.columns.flatMap(({ type }, i) => (isOrdered.has(i) ? [] : standing(`q.c${i}`, type)));
    const order = [...written, ...rest].join(", ");
    if (!query.withTies) {
      const limit = query.limit === null ? "" : ` LIMIT ${query.limit}`;
      const offset = query.offset === null ? "" : ` OFFSET ${query.offset}`;
      return `SELECT ${columns} FROM (${body}) AS q${order === "" ? "" : ` ORDER BY ${order}`}${limit}${offset}`;
    }
    const offset = query.offset ?? 0n;
    const last = int(query.limit! + offset);
    const kept = `rank() OVER (ORDER BY ${written.join(", ")}) <= ${last} AND row_number() OVER (ORDER BY ${order}) > ${int(offset)}`;
    return `SELECT ${columns} FROM (${body}) AS q QUALIFY ${query.limit === 0n ? "FALSE AND " : ""}${kept} ORDER BY ${order}`;
  }

  // ------------------------------------------------------------ bodies

  private body(body: BodyTree, around: Environment | null, extra: readonly Bound[]): string {
    switch (body.kind) {
      case "select":
        return this.select(body, around, extra);
      case "set":
        return this.set(body, around);
      case "query":
        return this.query(body, around, false);
      case "head": {
        const items = body.columns.map((_, i) => `t.c${i}`).join(", ");
        return `SELECT ${items} FROM ${tableSql(this.tableName(body.source), "t", body.source.used)}`;
      }
    }
  }

  /** Sides are converted where a column has another type together; the others stand as they are, as chains are long. */
  private set(set: SetTree, around: Environment | null): string {
    const isLike = (body: BodyTree): boolean =>
      set.columns.every(({ type }, i) => sameType(body.columns[i]!.type, type));
    const side = (body: BodyTree): string => {
      const text = this.body(body, around, []);
      if (isLike(body)) return `(${text})`;
      const items = set.columns.map(({ type }, i) => `${converted(`q.c${i}`, body.columns[i]!.type, type)} AS c${i}`);
      return `(SELECT ${items.join(", ")} FROM (${text}) AS q)`;
    };
    const { left, op, all } = set;
    const isChain = left.kind === "set" && left.op === op && left.all === all && op !== "except" && isLike(left);
    const first = isChain ? this.set(left, around) : side(left);
    return `${first} ${op.toUpperCase()}${all ? " ALL" : ""} ${side(set.right)}`;
  }

  private select(select: SelectTree, around: Environment | null, extra: readonly Bound[]): string {
    const later = [...select.items, ...(select.qualify === null ? [] : [select.qualify]), ...extra];
    const env = new Environment(around, select.identity);
    const rows: Stage = { from: this.from(select.from, env), where: this.where(select.where, env), env };
    const folded = select.groupBy === null ? rows : this.groups(select, rows, select.groupBy, later);
    const stage = this.sessions(select, folded, later);
    const items = select.items.map((item, i) => `${this.typed(item, stage.env)} AS c${i}`);
    const sorts = extra.map((each, i) => `${this.expressions.print(each, stage.env)} AS x${i}`);
    const qualify = select.qualify === null ? "" : ` QUALIFY ${this.expressions.print(select.qualify, stage.env)}`;
    const distinct = select.distinct ? "DISTINCT " : "";
    return `SELECT ${distinct}${[...items, ...sorts].join(", ")}${stage.from}${stage.where}${qualify}`;
  }

  private typed(item: Bound, env: Environment): string {
    const text = this.expressions.print(item, env);
    return item.type.kind === "null" ? `NULL::VARCHAR` : text;
  }

  private where(condition: Bound | null, env: Environment): string {
    return condition === null ? "" : ` WHERE ${this.expressions.test(condition, env)}`;
  }

  private next(): string {
    this.stages += 1;
    return `g${this.stages}`;
  }

  /** One row per group: its keys and aggregates; HAVING is the condition of the next stage. */
  private groups(select: SelectTree, rows: Stage, keys: readonly Bound[], later: readonly Bound[]): Stage {
    const name = this.next();
    const env = new Environment(rows.env.parent, select.identity);
    const items = keys.map((key, i) => {
      env.set(key, `${name}.k${i}`);
      return `${this.expressions.print(key, rows.env)} AS k${i}`;
    });
    const seen = new Set<string>();
    for (const node of nodesOf([...later, ...(select.having === null ? [] : [select.having])])) {
      if (node.kind !== "aggregate" || seen.has(keyOf(node))) continue;
      env.set(node, `${name}.a${seen.size}`);
      items.push(`${this.expressions.print(node, rows.env)} AS a${seen.size}`);
      seen.add(keyOf(node));
    }
    if (items.length === 0) items.push("count(*) AS a");
    const groupBy = keys.length === 0 ? "" : ` GROUP BY ${keys.map((_, i) => i + 1).join(", ")}`;
    const from = ` FROM (SELECT ${items.join(", ")}${rows.from}${rows.where}${groupBy}) AS ${name}`;
    return { from, where: this.where(select.having, env), env };
  }

  /** A stage that says of each row whether it begins a session: the numbers are counted of that. */
  private sessions(select: SelectTree, stage: Stage, later: readonly Bound[]): Stage {
    const begins = new Map<string, WindowNode>();
    for (const node of nodesOf(later)) {
      if (node.kind === "window" && node.name === SESSION_NO) begins.set(keyOf(node), node);
    }
    if (begins.size === 0) return stage;
    const name = this.next();
    const env = new Environment(stage.env.parent, select.identity);
    const carried = select.groupBy === null ? columnsOf(select.from) : this.carriedGroups(select, later);
    const items = carried.map((node, i) => {
      env.set(node, `${name}.k${i}`);
      return `${this.expressions.print(node, stage.env)} AS k${i}`;
    });
    for (const [i, node] of [...begins.values()].entries()) {
      env.set(sessionKey(node), `${name}.b${i}`);
      items.push(`${this.expressions.sessionBegins(node, stage.env)} AS b${i}`);
    }
    return { from: ` FROM (SELECT ${items.join(", ")}${stage.from}${stage.where}) AS ${name}`, where: "", env };
  }

  private carriedGroups(select: SelectTree, later: readonly Bound[]): Bound[] {
    const aggregates = [...nodesOf(later)].filter(({ kind }) => kind === "aggregate");
    return [...select.groupBy!, ...aggregates];
  }

  // ------------------------------------------------------------ sources

  private from(from: readonly FromTree[], env: Environment): string {
    if (from.length === 0) return "";
    let text = "";
    for (const { source, joins } of from) {
      const first = this.source(source, env);
      // A join that keeps rows of its right side must not see the sources before the comma.
      const isApart = text !== "" && joins.some(({ how }) => how === "right" || how === "full");
      const chain = (start: string): string => joins.reduce((left, join) => this.join(left, join, env), start);
      if (text === "") text = chain(first);
      else text = isApart ? `${text} CROSS JOIN (${chain(first)})` : chain(`${text} CROSS JOIN ${first}`);
    }
    return ` FROM ${text}`;
  }

  private join(left: string, join: JoinTree, env: Environment): string {
    const on = join.on === null ? "" : ` ON ${this.expressions.print(join.on, env)}`;
    return `${left} ${JOIN_WORDS[join.how]} ${this.source(join.source, env)}${on}`;
  }

  private source(source: Source, env: Environment): string {
    const alias = `t${source.id}`;
    switch (source.kind) {
      case "table":
        return tableSql(this.tableName(source), alias, source.used);
      case "query":
        if (source.common !== null) return `w${source.common.id} AS ${alias}`;
        return `(${this.query(source.query, env.parent, false)}) AS ${alias}`;
      case "list":
        return `${this.tableName(source)} AS ${alias}`;
      case "unnest": {
        const held = source.list.kind === "constant" ? source.list.list : undefined;
        if (held !== undefined) {
          const place = source.ordinality ? ", s.p + 1 AS c1" : "";
          return `(SELECT s.c0${place}, s.p + 1 AS p FROM ${this.tableName(held)} AS s) AS ${alias}`;
        }
        const list = unnested(this.expressions.print(source.list, env), source.list.type);
        const places = `unnest(range(1, len(${list}) + 1))`;
        const ordinality = source.ordinality ? `, ${places} AS c1` : "";
        return `LATERAL (SELECT unnest(${list}) AS c0${ordinality}, ${places} AS p) AS ${alias}`;
      }
    }
  }
}

function unnested(text: string, type: TqlType): string {
  if (type.kind !== "json") return text;
  const members = `list_transform(from_json(${text}, '["JSON"]'), lambda member: nullif(member::VARCHAR, 'null'))`;
  return `(CASE WHEN json_type(${text}) = 'ARRAY' THEN ${members} END)`;
}

/** Every column that a later stage may ask for. */
function columnsOf(from: readonly FromTree[]): Bound[] {
  const sources = from.flatMap(({ source, joins }) => [
    source,
    ...joins.filter(({ how }) => how !== "semi" && how !== "anti").map((join) => join.source),
  ]);
  return sources.flatMap((source): Bound[] => {
    const columns = source.kind === "table" ? source.used : source.columns;
    const own = columns.map(({ type }, i): Bound => columnNode(source, i, type));
    return source.kind === "query" ? own : [...own, columnNode(source, POSITION, INT)];
  });
}

const standing = (text: string, type: TqlType): string[] => [`${orderKey(text, type)} ASC NULLS FIRST`];

/** A column of one side of a set operation, in the type that both have together. */
function converted(text: string, from: TqlType, to: TqlType): string {
  if (sameType(from, to)) return text;
  if (from.kind === "int" && to.kind === "double") return exactDouble(text);
  return from.kind === "null" || from.kind === "list" ? `${text}::${duckType(to)}` : text;
}

/** One SELECT statement of DuckDB whose columns c0, c1, … are those of the query. */
export function toSql(bound: BoundQuery, tableName: TableName): string {
  return new QueryPrinter(tableName).query(bound.tree, null, true);
}
