// The passes of one system over one family and scale made one document: each cell from its quietest pass, as rounds within a run are.

import { type AnsweredCell, type Cell, isAnswered, type SystemDocument } from "../runner/document.js";

function mergeCells(cells: readonly Cell[]): Cell {
  const answered = cells.filter(isAnswered);
  const [first, ...more] = answered;
  // A question that failed once is not answered.
  if (first === undefined || answered.length < cells.length) return cells.find((cell) => !isAnswered(cell)) as Cell;
  const best = more.reduce<AnsweredCell>((a, b) => (b.median_ms < a.median_ms ? b : a), first);
  return { ...best, round_medians_ms: answered.flatMap((cell) => cell.round_medians_ms) };
}

const orNull = (values: readonly (number | null)[], choose: (...values: number[]) => number): number | null => {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : choose(...known);
};

/** The documents must be of one version and commit. */
export function mergePasses(passes: readonly SystemDocument[]): SystemDocument {
  const [first, ...more] = passes;
  if (first === undefined) throw new Error("no passes to merge");
  const other = more.find(({ version, commit }) => version !== first.version || commit !== first.commit);
  if (other !== undefined)
    throw new Error(`${first.peer}: passes of ${first.version} and ${other.version}, or of two commits`);
  const ids = [...new Set(passes.flatMap(({ queries }) => Object.keys(queries)))];
  const cellsOf = (id: string) => passes.flatMap(({ queries }) => queries[id] ?? []);
  return {
    ...first,
    load: passes.map(({ load }) => load).reduce((a, b) => (b.seconds < a.seconds ? b : a)),
    queries: Object.fromEntries(ids.map((id) => [id, mergeCells(cellsOf(id))])),
    peak_mb_after_queries: orNull(
      passes.map((pass) => pass.peak_mb_after_queries),
      Math.max,
    ),
  };
}
