// The edges of a path as the `where` of its operator: types, keys, and comparisons of a property with a constant.
import type { EdgePattern, Expr } from "../../../../grammar/ast.js";
import type { JsonObject, JsonValue } from "../../../contract/values.js";
import type { Compiler } from "../compiler.js";
import { COMPARISONS } from "../filters.js";
import { checkNames, labelParts } from "../labels.js";
import { refuse } from "../problem.js";
import { conjuncts } from "../tree.js";

/** Types, and equalities of the edge's map; other conditions are refused. */
export function edgeWhere(
  link: EdgePattern,
  json: (expr: Expr) => JsonValue,
  compiler: Compiler,
  tx: number,
): JsonObject {
  if (link.in !== null || link.cost !== null)
    refuse(
      "E_INVALID_ARG",
      "pattern_not_supported",
      link,
      "edges IN a table and COST cannot be answered yet",
      "leave them out",
    );
  checkNames(compiler, link.labels, "types", tx);
  const { any, all, rest } = labelParts(link.labels);
  if (rest.length > 0)
    refuse(
      "E_INVALID_ARG",
      "pattern_not_supported",
      rest[0]!,
      "such a path takes names of types with |",
      "leave ! out",
    );
  const where: JsonObject = {};
  if (any !== null)
    where.types = all.length === 0 ? [...any] : any.filter((name) => all.every((each) => each === name));
  const preds: JsonObject[] = [];
  for (const { key, value } of link.map?.entries ?? []) {
    const constant = json(value);
    if (key.text === "key") where.keys = [constant];
    else preds.push({ prop: key.text, op: "eq", value: constant });
  }
  for (const part of conjuncts(link.where)) {
    const pred = predicate(link, part, json);
    if (pred === undefined)
      refuse(
        "E_INVALID_ARG",
        "pattern_not_supported",
        part,
        "the edges of such a path take comparisons of a property with a constant",
        "write WHERE r.x >= 5",
      );
    preds.push(pred);
  }
  if (preds.length > 0) where.edge = preds;
  return where;
}

function predicate(link: EdgePattern, expr: Expr, json: (expr: Expr) => JsonValue): JsonObject | undefined {
  const op = expr.kind === "binary" ? COMPARISONS[expr.op] : undefined;
  if (expr.kind !== "binary" || op === undefined) return undefined;
  const { left, right } = expr;
  const own = link.variable?.text;
  if (left.kind !== "member" || left.of.kind !== "name" || left.of.name.text !== own) return undefined;
  return { prop: left.name.text, op, value: json(right) };
}
