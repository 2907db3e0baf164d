// Values that an expression puts together: lists, maps, and the choice of CASE.
import type { Case, Expr, MapLiteral } from "../../../grammar/ast.js";
import type { Bound, ConstantNode } from "../bound.js";
import { jsonObject } from "../functions/json.js";
import { commonType } from "../functions/numbers.js";
import { asType, call, constant } from "../nodes.js";
import { problem } from "../problems.js";
import { JSON_TYPE, listOf } from "../types.js";
import { comparison } from "./comparisons.js";
import type { BindExpression, Context } from "./context.js";

export function boundList(of: readonly Expr[], context: Context, at: Expr, bind: BindExpression): Bound {
  const parts = of.map((each) => bind(each, context));
  const type = commonType(parts, { ast: { ...at, args: of } as never, name: "a list" });
  const members = parts.map((each) => asType(each, type));
  return call("list", listOf(type), members, (texts) => `[${texts.join(", ")}]`);
}

/** A map of constants is a constant itself, which may stand for the argument of an operator. */
export function boundMap(expr: MapLiteral, context: Context, bind: BindExpression): Bound {
  const members = new Map(expr.entries.map(({ key, value }) => [key.text, bind(value, context)]));
  const isPlain = [...members.values()].every(
    ({ kind, type }) => kind === "constant" && !["instant", "instant_open", "duration", "interval"].includes(type.kind),
  );
  if (isPlain) {
    const values = [...members].map(([key, node]) => [key, (node as ConstantNode).value] as const);
    return constant(Object.fromEntries(values), JSON_TYPE);
  }
  const object = jsonObject(members);
  if (object !== undefined) return object;
  throw problem("map_value", "a map holds no row and no calendar step", expr, {
    hint: "name the parts of a row as members of their own",
  });
}

/** How CASE binds what it chooses among, and its conditions. */
interface CaseParts {
  readonly bind: BindExpression;
  readonly test: (expr: Expr, context: Context, clause: string) => Bound;
}

export function boundCase(expr: Case, context: Context, { bind, test }: CaseParts): Bound {
  const of = expr.of === null ? null : bind(expr.of, context);
  const whens = expr.when.map(({ when }) =>
    of === null ? test(when, context, "WHEN") : comparison("=", of, bind(when, context), when),
  );
  const branches = [...expr.when.map(({ then }) => then), ...(expr.else === null ? [] : [expr.else])];
  const values = branches.map((each) => bind(each, context));
  const type = commonType(values, { ast: { ...expr, args: branches } as never, name: "CASE" });
  const results = values.map((each) => asType(each, type));
  const count = whens.length;
  return call(`case${count}`, type, [...whens, ...results], (texts) => {
    const cases = whens.map((_, i) => `WHEN ${texts[i]} THEN ${texts[count + i]}`).join(" ");
    const last = texts.length > 2 * count ? ` ELSE ${texts.at(-1)}` : "";
    return `CASE ${cases}${last} END`;
  });
}
