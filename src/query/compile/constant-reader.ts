// Constants as JSON, as steps take them in their arguments: literals, their negatives, lists, and what is looked up.
// Gives undefined for everything else, and for instants, which have a form of their own in every argument.
import type { Expr, Parameter } from "../../../grammar/ast.js";
import type { JsonValue } from "../../contract/values.js";

/** The value of a constant; undefined for everything else, and for instants. */
export type ConstantReader = (expr: Expr) => JsonValue | undefined;

interface LookedUp {
  parameter(expr: Parameter): JsonValue | undefined;
  /** A query that stands for a list of an earlier step. */
  list?(expr: Expr): JsonValue | undefined;
}

export function constantReader(found: LookedUp): ConstantReader {
  const read: ConstantReader = (expr) => {
    switch (expr.kind) {
      case "string":
      case "boolean":
      case "number":
        return expr.value;
      case "integer":
        return Number.isSafeInteger(Number(expr.value)) ? Number(expr.value) : expr.value;
      case "unary": {
        const of = expr.op === "-" ? read(expr.of) : undefined;
        return typeof of === "number" || typeof of === "bigint" ? -of : undefined;
      }
      case "list": {
        const of = expr.of.map(read);
        return of.includes(undefined) ? undefined : (of as JsonValue[]);
      }
      case "subquery_value":
        return found.list?.(expr);
      case "parameter":
        return found.parameter(expr);
      default:
        return undefined;
    }
  };
  return read;
}
