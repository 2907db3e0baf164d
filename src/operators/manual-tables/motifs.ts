// The motifs that have a name, as tables for readers; all from the language of codes.
import type { ManualTable } from "../declaration.js";
import { CYCLES, GRID_CODES, gridCellOf, PAPER_NAMES } from "../motif-codes.js";

const COLUMNS = 6;
const shown = (code: string): string => `\`${code}\``;

const gridRows = Array.from({ length: GRID_CODES.length / COLUMNS }, (_, row) =>
  GRID_CODES.slice(row * COLUMNS, (row + 1) * COLUMNS),
);

export const MOTIF_TABLES: readonly ManualTable[] = [
  {
    title: "The 36 motifs of three edges and at most three nodes: the cell in row M2x and column 4 is `M24`",
    head: ["", ...gridRows[0]!.map((_, column) => `Mx${column + 1}`)],
    rows: gridRows.map((codes, row) => [`M${row + 1}x`, ...codes.map(shown)]),
  },
  {
    title: "Names of motifs",
    head: ["name", "code", "cell"],
    rows: [...PAPER_NAMES, ...CYCLES].map(([name, code]) => [shown(name), shown(code), gridCellOf(code) ?? ""]),
  },
];
