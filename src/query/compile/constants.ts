// Constants of time in expressions, in the form that means the same whatever the zone and the clock of who reads it.
import type { Expr } from "../../../grammar/ast.js";
import type { Compiler } from "./compiler.js";
import { strideText } from "./fold.js";
import { instantLiteral } from "./parameters.js";
import { text } from "./tree.js";

/** Functions that take a zone behind these arguments. */
const ZONED: Readonly<Record<string, number>> = {
  DATE_TRUNC: 2,
  DATE_PART: 2,
  DAY_NAME: 1,
  MONTH_NAME: 1,
  FORMAT_TIME: 2,
};

/** Undefined where the expression is no constant of time. */
export function constantForm(expr: Expr, compiler: Compiler): Expr | undefined {
  const { folder, context } = compiler;
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
    case "function": {
      const places = ZONED[expr.name.text];
      if (places === undefined || context.zone === null || expr.args.length !== places) return undefined;
      const zoned: Expr = { ...expr, args: [...expr.args, text(context.zone)] };
      // Its own arguments are still to be looked at, and then it has its zone.
      const args = zoned.args.map((arg) => constantForm(arg, compiler) ?? arg);
      return { ...zoned, args };
    }
    default:
      return undefined;
  }
}
