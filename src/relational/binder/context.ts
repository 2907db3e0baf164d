// What binding an expression takes along: where its names are looked up, and how its parts are bound.
import type { Expr, Query } from "../../../grammar/ast.js";
import type { Bound, QueryTree } from "../bound.js";
import type { Place } from "./functions.js";
import type { Level } from "./level.js";
import type { CommonNames } from "./state.js";

/** Binds a query inside an expression, seeing the names around it. */
export type BindSubquery = (query: Query, around: Level, common: CommonNames) => QueryTree;

/** What an expression may hold at its place, and where its names are looked up. */
export interface Context extends Place {
  readonly level: Level;
  readonly common: CommonNames;
  /** Whether a bare name may be an output name. */
  readonly seesOutputs: boolean;
}

/** The binders of parts of expressions are given this, so that none knows the whole. */
export type BindExpression = (expr: Expr, context: Context) => Bound;
