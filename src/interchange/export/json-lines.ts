// A table of a store as lines of canonical JSON: the lines of which the store digest is made.
// Of a whole history, the lines of nodes and those of edges behind them have that digest as their SHA-256.
import type { ColumnTable, NamedColumn } from "../../columns/column.js";
import { canonicalString } from "../../contract/canonical.js";
import { type CellText, jsonTexts } from "./cell-texts.js";
import { PROPERTY_PREFIX } from "./columns.js";
import type { StoreTable } from "./tables.js";

const TIMES = ["valid_from", "valid_to", "tx_from", "tx_to", "ended_by", "ended_reason"];
const ATTRIBUTION = ["source", "provenance_ref", "reason"];
const KEYS = {
  nodes: ["kind", "uid", "labels", "props", ...TIMES, ...ATTRIBUTION].sort(),
  edges: ["kind", "src", "dst", "type", "key", "props", ...TIMES, ...ATTRIBUTION].sort(),
} as const;

/** Properties in the order of their names by UTF-16 unit, as canonical JSON wants. */
function propsText(columns: readonly NamedColumn[]): CellText {
  const properties = columns
    .filter(({ name }) => name.startsWith(PROPERTY_PREFIX))
    .map(({ name, column }) => ({ name: name.slice(PROPERTY_PREFIX.length), cell: jsonTexts(column) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, cell }) => ({ key: `${canonicalString(name)}:`, cell }));
  return (row) => {
    let text = "";
    for (const { key, cell } of properties) {
      const value = cell(row);
      if (value !== null) text += text === "" ? key + value : `,${key}${value}`;
    }
    return `{${text}}`;
  };
}

function lineOf(table: StoreTable, { columns }: ColumnTable): (row: number) => string {
  const kind = table.name === "nodes" ? '"node"' : '"edge"';
  const byName = new Map(columns.map(({ name, column }) => [name, column]));
  const cells = KEYS[table.name].map((key): { before: string; cell: CellText } => {
    const before = `"${key}":`;
    if (key === "kind") return { before, cell: () => kind };
    if (key === "props") return { before, cell: propsText(columns) };
    const column = byName.get(key);
    return { before, cell: column === undefined ? () => null : jsonTexts(column) };
  });
  return (row) => {
    let text = "";
    for (const { before, cell } of cells) text += `${text === "" ? "{" : ","}${before}${cell(row) ?? "null"}`;
    return `${text}}\n`;
  };
}

/** Lines of JSON have no header. */
export const jsonLines = {
  header: (): string => "",
  rows: lineOf,
};
