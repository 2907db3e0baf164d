// The columns that a write reads: expressions asked of the MATCH, each once, and where its value stands in a row.
// Constants are not asked for: their values are known.
import type { Expr, Item } from "../../../grammar/ast.js";
import { printExpr } from "../../../grammar/index.js";
import type { JsonObject, JsonValue } from "../../contract/values.js";

/** Gives a value from a row of what was read. */
export type Value = (row: JsonObject) => JsonValue;

export const constantValue =
  (value: JsonValue): Value =>
  () =>
    value;

export class ReadColumns {
  private readonly names = new Map<string, string>();
  readonly items: Item[] = [];

  /** Asks for an expression; gives where its value stands. */
  add(expr: Expr): Value {
    const name = this.name(expr);
    return (row) => row[name] ?? null;
  }

  /** The name of the column that holds it. */
  name(expr: Expr): string {
    const text = printExpr(expr);
    let name = this.names.get(text);
    if (name === undefined) {
      name = `c${this.items.length + 1}`;
      this.names.set(text, name);
      this.items.push({ kind: "expr", expr, as: { text: name } });
    }
    return name;
  }
}
