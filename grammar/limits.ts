// How long and how deep a statement may be, so that nothing that reads its tree runs out of stack.
import type { Fault } from "./errors/fault.js";

/** UTF-16 units of one statement. */
export const LONGEST_STATEMENT = 1 << 20;
/** Nodes inside nodes: chains of operators nest to the left, one level for each. */
const DEEPEST_TREE = 400;

export const TOO_DEEP: Fault = {
  code: "E_LIMIT",
  kind: "too_deep",
  message: "the statement is nested too deeply",
  hint: "break it into steps: WITH name AS (…); a long chain of operators is a list: x IN (…)",
};
export const TOO_LONG: Fault = {
  code: "E_LIMIT",
  kind: "too_long",
  message: `the statement is longer than ${LONGEST_STATEMENT} characters`,
  hint: "send values as parameters, or load data with palimpsest load",
};

/** Without recursion, since the depth is what is in doubt. */
export function isTooDeep(tree: unknown): boolean {
  let level: unknown[] = [tree];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEEPEST_TREE) return true;
    const next: unknown[] = [];
    for (const node of level) pushChildren(node, next);
    level = next;
  }
  return false;
}

/** Lists are not a level of their own, and places have no children. */
function pushChildren(node: unknown, children: unknown[]): void {
  if (Array.isArray(node)) {
    for (const item of node) if (typeof item === "object" && item !== null) children.push(item);
    return;
  }
  for (const [key, value] of Object.entries(node as object)) {
    if (key !== "at" && typeof value === "object" && value !== null) {
      if (Array.isArray(value)) pushChildren(value, children);
      else children.push(value);
    }
  }
}
