// What all parts of the binder share while one text is bound: the scope, numbers of sources, and what was found out.
// Filled while binding; read by the caller through BoundQuery.
import type { Expr, Query } from "../../../grammar/ast.js";
import type { Bound, ColumnReference, CommonTree, PeriodReference, TableSource } from "../bound.js";
import { problem } from "../problems.js";
import type { Scope } from "../schema.js";
import type { TqlType } from "../types.js";
import { LongLists } from "./long-lists.js";

/** Planning subqueries of expressions takes DuckDB twice as long for each level, and cannot be interrupted. */
const DEEPEST_SUBQUERY = 12;

export class BindingState {
  readonly sources: TableSource[] = [];
  readonly lists: LongLists = new LongLists(() => this.nextId());
  readonly types = new Map<Expr, TqlType>();
  readonly references = new Map<Expr, ColumnReference>();
  readonly periods = new Map<Expr, PeriodReference>();
  /** Where in the text a bound column was written. */
  readonly origins = new WeakMap<Bound, Expr>();
  private lastId = -1;
  private depth = 0;

  constructor(readonly scope: Scope) {}

  nextId(): number {
    this.lastId += 1;
    return this.lastId;
  }

  /** Binds a subquery of an expression. */
  deeper<T>(query: Query, bind: () => T): T {
    if (this.depth === DEEPEST_SUBQUERY) {
      throw problem("nesting", `more than ${DEEPEST_SUBQUERY} subqueries stand inside each other`, query, {
        code: "E_LIMIT",
        hint: "split it into WITH queries",
      });
    }
    this.depth += 1;
    const bound = bind();
    this.depth -= 1;
    return bound;
  }
}

/** The WITH names that are seen at some place, the inner ones first. */
export class CommonNames {
  private readonly own = new Map<string, CommonTree>();

  constructor(private readonly outer: CommonNames | null = null) {}

  get(name: string): CommonTree | undefined {
    return this.own.get(name) ?? this.outer?.get(name);
  }

  add(tree: CommonTree): void {
    this.own.set(tree.name, tree);
  }

  has(name: string): boolean {
    return this.own.has(name);
  }

  names(): string[] {
    return [...this.own.keys(), ...(this.outer?.names() ?? [])];
  }
}
