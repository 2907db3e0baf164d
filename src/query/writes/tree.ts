// Walks over expressions of the syntax tree that writes need: which names they mention, and parts put in place of others.
// Plain data in, plain data out.
import type { Expr } from "../../../grammar/ast.js";

const nameExpr = (text: string): Expr => ({ kind: "name", name: { text } });
export const memberExpr = (of: string, name: string): Expr => ({
  kind: "member",
  of: nameExpr(of),
  name: { text: name },
});

/** A property by its name, whatever the name means elsewhere. */
export const propertyExpr = (of: string, name: string): Expr => ({
  kind: "index",
  of: memberExpr(of, "props"),
  index: { kind: "string", value: name },
});

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/** Whether any bare name in the tree passes. */
export function mentions(tree: unknown, test: (name: string) => boolean): boolean {
  if (!isObject(tree)) return false;
  const { kind, name } = tree as { kind?: unknown; name?: { text?: unknown } };
  if (kind === "name" && typeof name?.text === "string") return test(name.text);
  return Object.values(tree).some((member) => mentions(member, test));
}

/** A copy in which `replace` had a say on every expression, the outermost first; undefined leaves it to its parts. */
export function mapTree<T>(tree: T, replace: (expr: Expr) => Expr | undefined): T {
  if (Array.isArray(tree)) return tree.map((member) => mapTree(member, replace)) as T;
  if (!isObject(tree)) return tree;
  if ("kind" in tree) {
    const found = replace(tree as unknown as Expr);
    if (found !== undefined) return found as T;
  }
  return Object.fromEntries(Object.entries(tree).map(([key, member]) => [key, mapTree(member, replace)])) as T;
}
