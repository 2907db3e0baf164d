// Binds whole queries: WITH names, SELECTs, set operations, order and limits. The entrance of the binder is bindQuery.
import type {
  CallQuery,
  Expr,
  MatchQuery,
  Query,
  QueryBody,
  Select,
  SetOperation,
  Sort,
} from "../../../grammar/ast.js";
import type {
  BodyTree,
  BoundQuery,
  HeadTree,
  OutputColumn,
  QuerySort,
  QueryTree,
  SelectTree,
  SetTree,
  TableSource,
} from "../bound.js";
import { keyOf, settled } from "../nodes.js";
import { problem, withinStack, wrongType } from "../problems.js";
import type { Scope } from "../schema.js";
import { mixedType, shownType } from "../types.js";
import { ExpressionBinder } from "./expressions.js";
import type { Level } from "./level.js";
import { count } from "./literals.js";
import { type BoundSelect, SelectBinder } from "./select.js";
import { SourceBinder } from "./sources.js";
import { BindingState, CommonNames } from "./state.js";

interface BoundBody {
  readonly tree: BodyTree;
  /** Null for what is no single SELECT: then only output names can order it. */
  readonly select: BoundSelect | null;
}

class QueryBinder {
  private readonly expressions: ExpressionBinder;
  private readonly selects: SelectBinder;

  constructor(private readonly state: BindingState) {
    const bind = (query: Query, around: Level | null, common: CommonNames): QueryTree =>
      this.query(query, around, common);
    this.expressions = new ExpressionBinder(state, bind);
    this.selects = new SelectBinder(state, this.expressions, new SourceBinder(state, this.expressions, bind));
  }

  query(query: Query, around: Level | null, outer: CommonNames): QueryTree {
    const common = query.with.length === 0 ? outer : new CommonNames(outer);
    const withTrees = query.with.map(({ name, query: of }) => {
      if (common.has(name.text)) throw problem("same_name", `two WITH queries are named ${name.text}`, name);
      const tree = { id: this.state.nextId(), name: name.text, query: this.query(of, around, common) };
      common.add(tree);
      return tree;
    });
    const body = this.body(query.body, around, common);
    const { columns } = body.tree;
    const orderBy = query.orderBy.map((sort) => this.sort(sort, body, columns));
    const limit = query.limit === null ? null : count(query.limit, this.state.scope);
    if (query.withTies && query.orderBy.length === 0) {
      throw problem("no_order", "WITH TIES needs an ORDER BY", query, { hint: "without one no two rows tie" });
    }
    return {
      kind: "query",
      with: withTrees,
      body: body.tree,
      orderBy,
      limit,
      withTies: query.withTies && limit !== null,
      offset: query.offset === null ? null : count(query.offset, this.state.scope),
      columns,
    };
  }

  private body(body: QueryBody, around: Level | null, common: CommonNames): BoundBody {
    switch (body.kind) {
      case "select":
        return this.select(body, around, common);
      case "set":
        return { tree: this.set(body, around, common), select: null };
      case "query":
        return { tree: this.query(body, around, common), select: null };
      default:
        return { tree: this.head(body), select: null };
    }
  }

  private select(select: Select, around: Level | null, common: CommonNames): BoundBody {
    const bound = this.selects.bind(select, around, common);
    return { tree: bound.tree, select: bound };
  }

  private head(body: CallQuery | MatchQuery): HeadTree {
    const schema = this.state.scope.head?.(body) ?? null;
    if (schema === null) {
      throw problem("no_source", "only SELECT can stand here", body, {
        hint: "read operators and patterns in steps of their own",
      });
    }
    const used = [...schema.columns];
    const source: TableSource = { kind: "table", id: this.state.nextId(), origin: body, name: null, schema, used };
    this.state.sources.push(source);
    return { kind: "head", source, columns: schema.columns };
  }

  private set(set: SetOperation, around: Level | null, common: CommonNames): SetTree {
    const [left, right] = [this.body(set.left, around, common).tree, this.body(set.right, around, common).tree];
    const word = set.op.toUpperCase();
    if (left.columns.length !== right.columns.length) {
      const message = `${word} joins ${left.columns.length} columns with ${right.columns.length}`;
      throw problem("set_columns", message, set, { hint: "select the same columns on both sides" });
    }
    const columns = left.columns.map(({ name, type }, i): OutputColumn => {
      const other = right.columns[i]!.type;
      const mixed = mixedType(type, other);
      if (mixed !== undefined) return { name, type: mixed };
      throw wrongType(
        `${word}: column ${name} is ${shownType(type)} on the left and ${shownType(other)} on the right`,
        set,
      );
    });
    return { kind: "set", op: set.op, all: set.all, left, right, columns };
  }

  // ------------------------------------------------------------ order

  private sort({ expr, desc, nulls }: Sort, { tree, select }: BoundBody, columns: readonly OutputColumn[]): QuerySort {
    const nullsFirst = nulls === "first";
    if (expr.kind === "integer") {
      throw problem("position", "ORDER BY takes columns, not places", expr, {
        hint: "name the column or its output name",
      });
    }
    if (select === null) return { kind: "output", column: this.outputColumn(expr, columns), desc, nullsFirst };
    const node = settled(this.expressions.bind(expr, select.context));
    if (["row", "interval", "period"].includes(node.type.kind))
      throw wrongType(`${shownType(node.type)} has no order`, expr);
    const items = (tree as SelectTree).items;
    const key = keyOf(node);
    const item = items.findIndex((each) => keyOf(each) === key);
    if (item >= 0) return { kind: "output", column: item, desc, nullsFirst };
    select.check(node);
    select.demandIdentity(node);
    if ((tree as SelectTree).distinct) {
      throw problem("distinct_order", "rows of SELECT DISTINCT are ordered by what is selected", expr, {
        hint: "select it, too",
      });
    }
    return { kind: "expr", expr: node, desc, nullsFirst };
  }

  private outputColumn(expr: Expr, columns: readonly OutputColumn[]): number {
    const name = expr.kind === "name" ? expr.name.text : null;
    const column = columns.findIndex((each) => each.name === name);
    if (column >= 0) {
      this.state.types.set(expr, columns[column]!.type);
      return column;
    }
    throw problem(
      "unknown_name",
      `the result has no column ${name === null ? "like this" : JSON.stringify(name)}`,
      expr,
      {
        hint: `its columns are ${columns.map((each) => each.name).join(", ")}`,
      },
    );
  }
}

/** Resolves every name and types every expression of a query. Throws the first mistake, with its place in the text. */
export function bindQuery(query: Query, scope: Scope): BoundQuery {
  const state = new BindingState(scope);
  const tree = withinStack(() => new QueryBinder(state).query(query, null, new CommonNames()));
  return {
    columns: tree.columns,
    sources: state.sources,
    lists: state.lists.all(),
    tree,
    typeOf: (expr) => state.types.get(expr),
    referenceOf: (expr) => state.references.get(expr),
    periodOf: (expr) => state.periods.get(expr),
  };
}
