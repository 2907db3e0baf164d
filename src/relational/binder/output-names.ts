// Names of output columns: the one that was written, else that of the column or function; a second of the same gets a number.
import type { Expr, Item } from "../../../grammar/ast.js";

function plainName(expr: Expr): string | null {
  switch (expr.kind) {
    case "name":
    case "member":
      return expr.name.text;
    case "index":
      return expr.index !== "*" && expr.index.kind === "string" ? expr.index.value : plainName(expr.of);
    case "function":
      return expr.name.text.toLowerCase();
    case "cast":
      return plainName(expr.of);
    case "exists":
    case "case":
      return expr.kind;
    case "count_pattern":
      return "count";
    default:
      return null;
  }
}

/** The name of an item at a place among the items; the place counts where nothing else names it. */
export const itemName = (item: Extract<Item, { kind: "expr" }>, place: number): string =>
  item.as?.text ?? plainName(item.expr) ?? `column${place + 1}`;

/** The same names, no two alike: `src`, `src_2`. */
export function distinctNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  // Where the search of a name ended: thousands of the same would each begin anew.
  const numbers = new Map<string, number>();
  return names.map((name) => {
    let unique = name;
    let n = numbers.get(name) ?? 2;
    for (; taken.has(unique); n += 1) unique = `${name}_${n}`;
    numbers.set(name, n);
    taken.add(unique);
    return unique;
  });
}
