// Pieces of syntax tree that the compiler writes itself: names, members, comparisons, calls, a SELECT of items.
// They have no place in the text, so errors about them point at what they were made from.
import type { Expr, Query, QueryBody, Select } from "../../../grammar/ast.js";

export const nameOf = (text: string) => ({ text }) as const;
const columnExpr = (name: string): Expr => ({ kind: "name", name: { text: name } });
export const member = (of: string, name: string): Expr => ({
  kind: "member",
  of: columnExpr(of),
  name: { text: name },
});
export const text = (value: string): Expr => ({ kind: "string", value });
export const compare = (op: "=" | "<>" | "<" | "<=" | ">" | ">=", left: Expr, right: Expr): Expr => ({
  kind: "binary",
  op,
  left,
  right,
});
export const func = (name: string, args: readonly Expr[]): Expr => ({
  kind: "function",
  name: { text: name },
  distinct: false,
  star: false,
  args,
  orderBy: [],
  ignoreNulls: false,
  filter: null,
  over: null,
});

/** CASE WHEN test THEN one ELSE other END */
export const either = (test: Expr, one: Expr, other: Expr): Expr => ({
  kind: "case",
  of: null,
  // biome-ignore lint/suspicious/noThenProperty: a branch of CASE, which nobody awaits
  when: [{ when: test, then: one }],
  else: other,
});

export function conjunction(of: readonly Expr[]): Expr | null {
  if (of.length === 0) return null;
  return of.length === 1 ? of[0]! : { kind: "logical", op: "and", of };
}

const NO_GROUPING = { groupBy: null, having: null, windows: [], qualify: null } as const;

export const selectOf = (items: Select["items"], from: Select["from"]): Select => ({
  kind: "select",
  distinct: false,
  items,
  from,
  where: null,
  grouping: NO_GROUPING,
});

export const queryOver = (body: QueryBody): Query => ({
  kind: "query",
  with: [],
  body,
  orderBy: [],
  limit: null,
  withTies: false,
  offset: null,
});
