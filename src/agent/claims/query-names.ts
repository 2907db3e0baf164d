// The names that a query gives to its tables and columns, as far as they are written.
import type { Expr, Table } from "../../../grammar/index.js";

/** What a table is called in its query; null for one without a name. */
export const aliasOf = (table: Table): string | null => {
  if (table.alias !== null) return table.alias.name.text;
  return table.kind === "named" ? table.path.at(-1)!.text : null;
};

/** The name that a column has of itself, without AS; null for an expression that has none. */
export const nameOf = (expr: Expr): string | null =>
  expr.kind === "member" || expr.kind === "name" ? expr.name.text : null;
