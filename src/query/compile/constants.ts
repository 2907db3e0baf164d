// Constants of time in expressions, in the form that means the same whatever the zone and the clock of who reads it,
// and which texts ask for a zone all the same.
import type { Expr, FunctionCall, Query } from "../../../grammar/ast.js";
import type { Compiler } from "./compiler.js";
import { strideText } from "./fold.js";
import { instantLiteral } from "./parameters.js";
import { visit } from "./tree.js";

/** Undefined where the expression is no constant of time. */
export function constantForm(expr: Expr, compiler: Compiler): Expr | undefined {
  const { folder } = compiler;
  switch (expr.kind) {
    case "named_instant":
      if (expr.name === "forever" || expr.name === "beginning") return undefined;
      return instantLiteral(folder.instant(expr));
    case "instant":
    case "epoch":
      return instantLiteral(folder.instant(expr));
    case "duration":
      return {
        kind: "duration",
        text: { kind: "string", value: strideText({ kind: "exact", us: folder.duration(expr) }) },
      };
    case "interval":
      return { kind: "interval", text: { kind: "string", value: strideText(folder.stride(expr)) } };
    default:
      return undefined;
  }
}

/** Functions of local time, and behind how many arguments they take a zone. */
const ZONED: Readonly<Record<string, number>> = {
  DATE_TRUNC: 2,
  DATE_PART: 2,
  DAY_NAME: 1,
  MONTH_NAME: 1,
  FORMAT_TIME: 2,
};

/** Whether a text over columns means another thing in another zone: it moves by the calendar, or reads local time. */
export function dependsOnZone(query: Query): boolean {
  let depends = false;
  visit(query, (node) => {
    if (node.kind === "interval") depends = true;
    if (node.kind === "function") {
      const { name, args } = node as FunctionCall;
      if (Object.hasOwn(ZONED, name.text) && args.length === ZONED[name.text]) depends = true;
    }
    return !depends;
  });
  return depends;
}
