// A tree without what does not change its meaning: places, and quotes around names.

export function meaningOf(tree: unknown): unknown {
  if (Array.isArray(tree)) return tree.map(meaningOf);
  if (typeof tree !== "object" || tree === null) return tree;
  const entries = Object.entries(tree).filter(([key]) => key !== "at" && key !== "quoted");
  return Object.fromEntries(entries.map(([key, value]) => [key, meaningOf(value)]));
}
