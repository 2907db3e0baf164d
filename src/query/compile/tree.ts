// Walks over syntax trees: copies with some nodes replaced, and the members of conditions.
// Trees are never changed: what nobody replaces stays the same object, so that what was bound to it still holds.
import type { Expr, Position } from "../../../grammar/ast.js";

export interface TreeNode {
  readonly at?: Position;
  readonly kind: string;
}

/** Gives what stands in place of a node; undefined: the node, with its own parts looked at. */
type Replace = (node: TreeNode) => unknown;

export function replaced<T>(tree: T, replace: Replace): T {
  return walk(tree, replace) as T;
}

function walk(tree: unknown, replace: Replace): unknown {
  if (Array.isArray(tree)) {
    let copy: unknown[] | null = null;
    for (let i = 0; i < tree.length; i += 1) {
      const member = walk(tree[i], replace);
      if (member === tree[i]) continue;
      copy ??= [...tree];
      copy[i] = member;
    }
    return copy ?? tree;
  }
  if (typeof tree !== "object" || tree === null) return tree;
  if (typeof (tree as TreeNode).kind === "string") {
    const found = replace(tree as TreeNode);
    if (found !== undefined) return found;
  }
  return inner(tree, replace);
}

/** The same node with its parts replaced, the node itself not asked about. */
export function inner<T extends object>(tree: T, replace: Replace): T {
  let copy: Record<string, unknown> | null = null;
  for (const key in tree) {
    if (key === "at") continue;
    const value = tree[key];
    if (typeof value !== "object" || value === null) continue;
    const member = walk(value, replace);
    if (member === value) continue;
    copy ??= { ...(tree as Record<string, unknown>) };
    copy[key] = member;
  }
  return (copy ?? tree) as unknown as T;
}

/** Sees every node, from the outside in; false: its parts are not looked at. */
export function visit(tree: unknown, see: (node: TreeNode) => boolean): void {
  if (Array.isArray(tree)) {
    for (const member of tree) visit(member, see);
  } else if (typeof tree === "object" && tree !== null) {
    if (typeof (tree as TreeNode).kind === "string" && !see(tree as TreeNode)) return;
    for (const key in tree) {
      if (key !== "at") visit((tree as Record<string, unknown>)[key], see);
    }
  }
}

/** The members of a conjunction. */
export function conjuncts(expr: Expr | null): readonly Expr[] {
  if (expr === null) return [];
  return expr.kind === "logical" && expr.op === "and" ? expr.of.flatMap(conjuncts) : [expr];
}
