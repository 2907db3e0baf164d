// An end of a path: the uid that names it, in its map or in a condition, and what its node must be beside that.
import type { Expr, NodePattern } from "../../../../grammar/ast.js";
import type { JsonObject, JsonValue } from "../../../contract/values.js";
import { labelParts } from "../labels.js";
import { type Placed, refuse } from "../problem.js";
import { conjuncts } from "../tree.js";

export interface End {
  readonly node: NodePattern;
  /** What it is named by; null for a free end. */
  readonly uid: JsonValue;
  /** Conditions beside that. */
  readonly filter: JsonObject | null;
}

interface ReadEnd {
  readonly end: End;
  /** Conditions of the node that say something else. */
  readonly rest: readonly Expr[];
}

/** How constants beside a path are read. */
interface ConstantsOfPath {
  json(expr: Expr): JsonValue;
  /** Whether it is a path into the rows of a WITH query. */
  isPath(expr: Expr): boolean;
}

/** Takes what names the node out of the conditions; `{name: 'x'}` stays as a filter. */
export function readEnd(node: NodePattern, conditions: Expr[], read: ConstantsOfPath): ReadEnd {
  let uid: JsonValue = null;
  const props: JsonObject[] = [];
  for (const { key, value } of node.map?.entries ?? []) {
    if (key.text === "uid") uid = read.json(value);
    else props.push({ prop: key.text, op: "eq", value: read.json(value) });
  }
  const own = [...conjuncts(node.where)];
  for (const list of [own, conditions]) {
    const i = list.findIndex((expr) => uidOf(expr, node, read) !== undefined);
    if (i < 0 || uid !== null) continue;
    uid = read.json(uidOf(list[i]!, node, read)!);
    list.splice(i, 1);
  }
  const { any, all, rest } = labelParts(node.labels);
  if (rest.length > 0)
    refuse(
      "E_INVALID_ARG",
      "pattern_not_supported",
      rest[0]!,
      "an end of such a path takes names of labels with & and |",
      "leave ! out",
    );
  const labels = [...(any?.length === 1 ? any : []), ...all];
  const filter: JsonObject = {
    ...(labels.length > 0 ? { labels } : {}),
    ...(any !== null && any.length > 1 ? { any_labels: [...any] } : {}),
    ...(props.length > 0 ? { props } : {}),
  };
  return { end: { node, uid, filter: Object.keys(filter).length === 0 ? null : filter }, rest: own };
}

/** The other side of `a.uid = …`. */
function uidOf(expr: Expr, node: NodePattern, read: ConstantsOfPath): Expr | undefined {
  if (expr.kind !== "binary" || expr.op !== "=" || node.variable === null) return undefined;
  const isUid = (side: Expr): boolean =>
    side.kind === "member" &&
    side.of.kind === "name" &&
    side.of.name.text === node.variable!.text &&
    side.name.text === "uid";
  const isConstant = (side: Expr): boolean => side.kind === "string" || side.kind === "parameter" || read.isPath(side);
  if (isUid(expr.left) && isConstant(expr.right)) return expr.right;
  return isUid(expr.right) && isConstant(expr.left) ? expr.left : undefined;
}

export const freeEnd = (node: Placed, message: string): never =>
  refuse(
    "E_INVALID_ARG",
    "free_end",
    node,
    message,
    "one end is free: best values over walks: EARLIEST WALK TIME_RESPECTING (ARRIVAL …) …->+…; or name both ends by uid",
  );
