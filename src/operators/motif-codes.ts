// The language of motifs: codes, the 36 cells of the grid, paper names, cycles, and the one form in which each is echoed.
// A code lists pattern edges in time order ("a>b,b>c,c>a"), nodes lettered by first appearance. Pure; knows no events.
import { nearestNames } from "../contract/nearest.js";

export const MOST_EDGES = 6;
const MOST_NODES = 6;
const LETTERS = "abcdef";

export interface CodeEdge {
  readonly src: string;
  readonly dst: string;
}

// Columns of the grid are third edges; its rows are the second edges after `a>b`, which are the same from last to first.
const THIRD_EDGES = ["a>b", "b>a", "a>c", "c>a", "b>c", "c>b"];
const SECOND_EDGES = [...THIRD_EDGES].reverse();

/** The 36 codes in the order of their cells, M11 first. */
export const GRID_CODES: readonly string[] = SECOND_EDGES.flatMap((second) =>
  THIRD_EDGES.map((third) => `a>b,${second},${third}`),
);
const CELL_OF = new Map(GRID_CODES.map((code, cell) => [code, `M${Math.floor(cell / 6) + 1}${(cell % 6) + 1}`]));

export const PAPER_NAMES: readonly (readonly [name: string, code: string])[] = [
  ["M_triangle_cyclic", "a>b,b>c,c>a"],
  ["M_triangle_acyclic_1", "a>b,a>c,b>c"],
  ["M_2node_pingpong", "a>b,b>a,a>b"],
  ["M_star_out_3", "a>b,a>c,a>d"],
  ["M_path_3", "a>b,b>c,c>d"],
];
const NAME_OF = new Map(PAPER_NAMES.map(([name, code]) => [code, name]));

/** `a>b,b>c,…,x>a` of k edges. */
function cycle(k: number): string {
  return Array.from({ length: k }, (_, i) => `${LETTERS[i]}>${LETTERS[(i + 1) % k]}`).join(",");
}

export const CYCLES = Array.from({ length: MOST_NODES - 1 }, (_, i): [string, string] => [
  `cycle:${i + 2}`,
  cycle(i + 2),
]);

/** Everything with a name of its own but "all". */
const CODE_OF_NAME: ReadonlyMap<string, string> = new Map([
  ...[...CELL_OF].map(([code, cell]): [string, string] => [cell, code]),
  ...PAPER_NAMES,
  ...CYCLES,
]);

export const gridCellOf = (code: string): string | null => CELL_OF.get(code) ?? null;
export const paperNameOf = (code: string): string | null => NAME_OF.get(code) ?? null;

export const codeOf = (edges: readonly CodeEdge[]): string => edges.map(({ src, dst }) => `${src}>${dst}`).join(",");
export const edgesOf = (code: string): CodeEdge[] => code.split(",").map((edge) => ({ src: edge[0]!, dst: edge[2]! }));

/** Letters in the order in which the edges name them, each with the one it is renamed to. */
export function lettersOf(edges: readonly CodeEdge[]): Map<string, string> {
  const seen = new Set(edges.flatMap(({ src, dst }) => [src, dst]));
  return new Map([...seen].map((letter, i) => [letter, LETTERS[i] ?? letter]));
}

/** The same edges, nodes lettered by first appearance. */
export function renamed<E extends CodeEdge>(edges: readonly E[]): E[] {
  const letters = lettersOf(edges);
  return edges.map((edge) => ({ ...edge, src: letters.get(edge.src)!, dst: letters.get(edge.dst)! }));
}

/** The edges that hang together with the first one. */
function connectedPart<E extends CodeEdge>(edges: readonly E[]): E[] {
  const reached = new Set(edges.slice(0, 1).flatMap(({ src, dst }) => [src, dst]));
  for (let size = 0; size < reached.size; ) {
    size = reached.size;
    for (const { src, dst } of edges) {
      if (reached.has(src)) reached.add(dst);
      else if (reached.has(dst)) reached.add(src);
    }
  }
  return edges.filter(({ src }) => reached.has(src));
}

const LETTER = /^[A-Za-z]$/;

/** What is wrong with these edges as a pattern, or undefined. */
export function faultOf(edges: readonly CodeEdge[]): string | undefined {
  const strange = edges.flatMap(({ src, dst }) => [src, dst]).find((letter) => !LETTER.test(letter));
  if (strange !== undefined) return `${JSON.stringify(strange)} is not one letter`;
  if (edges.length > MOST_EDGES) return `a motif has at most ${MOST_EDGES} edges, this has ${edges.length}`;
  const { size } = lettersOf(edges);
  if (size > MOST_NODES) return `a motif has at most ${MOST_NODES} nodes, this has ${size}`;
  return connectedPart(edges).length === edges.length ? undefined : "the edges do not hang together";
}

/** The legal code that most of the edges make. */
export function nearestCode(edges: readonly CodeEdge[]): string {
  const kept: CodeEdge[] = [];
  for (const edge of connectedPart(edges.filter(({ src, dst }) => LETTER.test(src) && LETTER.test(dst)))) {
    if (faultOf(connectedPart([...kept, edge])) === undefined) kept.push(edge);
  }
  return kept.length === 0 ? GRID_CODES[0]! : codeOf(renamed(connectedPart(kept)));
}

function nearestTo(text: string): string {
  const edges = [...text.matchAll(/([A-Za-z])[^A-Za-z,]*>[^A-Za-z,]*([A-Za-z])/g)].map((match) => ({
    src: match[1]!,
    dst: match[2]!,
  }));
  if (edges.length > 0) return nearestCode(edges);
  const names = [...CODE_OF_NAME.keys(), "all", "a>b", "a>b,b>a", ...GRID_CODES];
  const nearest = nearestNames(text, names, 1)[0] ?? GRID_CODES[0]!;
  return CODE_OF_NAME.get(nearest) ?? nearest;
}

export interface CodeFault {
  readonly fault: string;
  /** A legal code, or "all". */
  readonly nearest: string;
}

/** The code that a name or code stands for ("all" stands for itself), or what is wrong with it. */
export function readCode(text: string): string | CodeFault {
  if (text === "all") return text;
  const named = CODE_OF_NAME.get(text);
  if (named !== undefined) return named;
  if (!/^[A-Za-z]>[A-Za-z](,[A-Za-z]>[A-Za-z])*$/.test(text)) {
    const shown = text.length > 60 ? `${text.slice(0, 60)}…` : text;
    return { fault: `${JSON.stringify(shown)} is not a motif`, nearest: nearestTo(text.slice(0, 200)) };
  }
  const edges = edgesOf(text);
  const fault = faultOf(edges);
  return fault === undefined ? codeOf(renamed(edges)) : { fault, nearest: nearestCode(edges.slice(0, 64)) };
}
