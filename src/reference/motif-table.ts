// Motifs by name: the grid of the 36 two- and three-node three-edge motifs, paper names, and what a resolved motif stands for.
// A code lists pattern edges in time order ("a>b,b>c,c>a"), nodes named by first appearance.

import type { NodeFilter, Pred } from "./filters.js";
import { compareText } from "./values.js";

export interface PatternEdge {
  readonly src: string;
  readonly dst: string;
  readonly types: readonly string[] | null;
  readonly edge: readonly Pred[];
}

export interface Motif {
  readonly code: string;
  readonly edges: readonly PatternEdge[];
  readonly nodes: Readonly<Record<string, NodeFilter>>;
}

/** What the motif argument may hold once it is resolved: a code, "all", or an object. */
export type MotifArgument = string | Omit<Motif, "code">;

const FIRST_TWO_EDGES = ["a>b,c>b", "a>b,b>c", "a>b,c>a", "a>b,a>c", "a>b,b>a", "a>b,a>b"];
const THIRD_EDGES = ["a>b", "b>a", "a>c", "c>a", "b>c", "c>b"];

/** M11 to M66 by code: the row of the cell fixes the first two edges, the column the third. */
const GRID: ReadonlyMap<string, string> = new Map(
  FIRST_TWO_EDGES.flatMap((firstTwo, row) =>
    THIRD_EDGES.map((third, column) => [`${firstTwo},${third}`, `M${row + 1}${column + 1}`] as const),
  ),
);

const PAPER_NAMES: Readonly<Record<string, string>> = {
  "a>b,b>c,c>a": "M_triangle_cyclic",
  "a>b,a>c,b>c": "M_triangle_acyclic_1",
  "a>b,b>a,a>b": "M_2node_pingpong",
  "a>b,a>c,a>d": "M_star_out_3",
  "a>b,b>c,c>d": "M_path_3",
};

export function gridOf(code: string): string | null {
  return GRID.get(code) ?? null;
}

export function nameOf(code: string): string | null {
  return PAPER_NAMES[code] ?? null;
}

function ofCode(code: string): Motif {
  const edges = code.split(",").map((edge) => {
    const [src, dst] = edge.split(">") as [string, string];
    return { src, dst, types: null, edge: [] };
  });
  return { code, edges, nodes: {} };
}

/** The motifs that are asked for, by code. */
export function motifsOf(motif: MotifArgument): Motif[] {
  if (motif === "all") return [...GRID.keys()].sort(compareText).map(ofCode);
  if (typeof motif === "string") return [ofCode(motif)];
  return [{ ...motif, code: motif.edges.map(({ src, dst }) => `${src}>${dst}`).join(",") }];
}
