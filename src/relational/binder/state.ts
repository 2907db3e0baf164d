// What all parts of the binder share while one text is bound: the scope, numbers of sources, and what was found out.
// Filled while binding; read by the caller through BoundQuery.
import type { Expr } from "../../../grammar/ast.js";
import type { Bound, ColumnReference, CommonTree, PeriodReference, TableSource } from "../bound.js";
import type { Scope } from "../schema.js";
import type { TqlType } from "../types.js";

export class BindingState {
  readonly sources: TableSource[] = [];
  readonly types = new Map<Expr, TqlType>();
  readonly references = new Map<Expr, ColumnReference>();
  readonly periods = new Map<Expr, PeriodReference>();
  /** Where in the text a bound column was written. */
  readonly origins = new WeakMap<Bound, Expr>();
  private lastId = -1;

  constructor(readonly scope: Scope) {}

  nextId(): number {
    this.lastId += 1;
    return this.lastId;
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
