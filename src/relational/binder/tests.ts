// IS, IN and LIKE: tests of an expression against NULL, a truth value, a list, a query or a pattern of text.
import type { Expr, InTest, LikeTest, Query } from "../../../grammar/ast.js";
import type { Bound, QueryTree } from "../bound.js";
import { jsonValue, quoted } from "../functions/sql.js";
import { lowerSql } from "../functions/text.js";
import { call, constant, settled } from "../nodes.js";
import { problem, wrongType } from "../problems.js";
import { BOOL, isNull, listOf, shownType } from "../types.js";
import { distinctFrom, membersOf } from "./comparisons.js";
import type { BindExpression, Context } from "./context.js";
import type { Level } from "./level.js";
import { isUnknown } from "./literals.js";
import { inList, inQuery, inWritten } from "./membership.js";
import type { BindingState } from "./state.js";

export class TestBinder {
  constructor(
    private readonly state: BindingState,
    private readonly bind: BindExpression,
    private readonly subquery: (query: Query, context: Context) => QueryTree,
  ) {}

  isTest(expr: Extract<Expr, { kind: "is" }>, context: Context): Bound {
    const of = this.bind(expr.of, context);
    const not = expr.not ? " NOT" : "";
    if (typeof expr.what === "object")
      return distinctFrom(of, this.bind(expr.what.distinctFrom, context), expr.not, expr);
    if (expr.what !== "null") {
      if (of.type.kind !== "bool" && !isNull(of.type))
        throw wrongType(`IS ${expr.what.toUpperCase()} takes a condition`, expr);
      const word = expr.what.toUpperCase();
      return call(`is${not} ${word}`, BOOL, [of], ([x]) => `(${x} IS${not} ${word})`);
    }
    if (this.isStoredEnd(expr.of, of, context.level)) throw neverNull(expr.of, expr);
    const json = of.type.kind === "json" ? jsonValue : (x: string) => x;
    return call(`is${not} NULL`, BOOL, [settled(of)], ([x]) => `(${json(x!)} IS${not} NULL)`);
  }

  /** An end of a stored version: open is FOREVER. After an outer join it may be missing, so then the question has sense. */
  private isStoredEnd(expr: Expr, of: Bound, level: Level): boolean {
    if (of.kind !== "column" || of.type.kind !== "instant_open" || of.source.kind !== "table") return false;
    const name = this.state.references.get(expr)?.column;
    if (name !== "valid_to" && name !== "tx_to") return false;
    for (let each: Level | null = level; each !== null; each = each.parent) {
      if (each.sources.includes(of.source)) return !each.optional.has(of.source);
    }
    return true;
  }

  inTest(expr: InTest, context: Context): Bound {
    const of = this.bind(expr.of, context);
    if (expr.in.kind === "subquery_value") {
      const query = this.subquery(expr.in.query, context);
      const parts = of.type.kind === "row" ? membersOf(of) : [of];
      if (query.columns.length !== parts.length) checkWidth(query, expr.in, parts.length);
      return negated(expr.not, inQuery(parts, query, expr));
    }
    if (expr.in.kind === "list") {
      const members = expr.in.of.map((each) => this.bind(each, context));
      this.state.types.set(expr.in, listOf(of.type));
      return negated(expr.not, inWritten(of, members, expr, expr.in.of, this.state.lists));
    }
    const list = this.bind(expr.in, context);
    if (expr.in.kind === "parameter" && isUnknown(expr.in, this.state.scope)) return constant(null, BOOL);
    return negated(expr.not, inList(of, list, expr, this.state.lists));
  }

  like(expr: LikeTest, context: Context): Bound {
    const parts = [this.bind(expr.of, context), this.bind(expr.pattern, context)];
    for (const each of parts) {
      if (each.type.kind !== "string" && !isNull(each.type))
        throw wrongType(`LIKE compares texts, not ${shownType(each.type)}`, expr);
    }
    const mark = expr.escape;
    if (mark !== null && [...mark].length !== 1) {
      throw problem("escape", "ESCAPE takes one character", expr, { code: "E_INVALID_ARG" });
    }
    if (mark !== null && mark.length + Buffer.byteLength(mark) !== 2) {
      throw problem("escape", "ESCAPE takes a character of ASCII", expr, {
        code: "E_INVALID_ARG",
        hint: "write ESCAPE '!'",
      });
    }
    const suffix = mark === null ? "" : ` ESCAPE ${quoted(mark)}`;
    const node = call(`like ${expr.caseless} ${mark}`, BOOL, parts, ([x, y]) =>
      expr.caseless ? `(${lowerSql(x!)} LIKE ${lowerSql(y!)}${suffix})` : `(${x} LIKE ${y}${suffix})`,
    );
    return negated(expr.not, node);
  }
}

export function negated(isNot: boolean, node: Bound): Bound {
  return isNot ? call("not", BOOL, [node], ([x]) => `(NOT ${x})`) : node;
}

/** Refuses a query of another width than what it is compared with. */
export function checkWidth(query: QueryTree, at: Expr, width = 1): void {
  if (query.columns.length === width) return;
  throw problem("subquery_columns", `the query has ${query.columns.length} columns, and ${width} is compared`, at, {
    hint: "select what is compared",
  });
}

function neverNull(of: Expr, at: Expr): Error {
  const name =
    of.kind === "member" && of.of.kind === "name"
      ? `${of.of.name.text}.${of.name.text}`
      : of.kind === "name"
        ? of.name.text
        : "x.valid_to";
  return problem("never_null", `${name} is never NULL: an open end is FOREVER`, at, {
    hint: `write ${name} = FOREVER`,
  });
}
