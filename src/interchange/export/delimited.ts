// A table of a store as delimited text: RFC 4180 with LF, types of properties in the header (`props.amount:int`).
// No value is an empty cell, the empty text is "": both come back as what they were.
import type { Column, ColumnTable } from "../../columns/column.js";
import type { TypedName } from "../../columns/types.js";
import { PalimpsestError } from "../../contract/errors.js";
import { textOfLabels } from "../labels.js";
import { type CellText, plainTexts } from "./cell-texts.js";
import { PROPERTY_PREFIX } from "./columns.js";
import type { StoreTable } from "./tables.js";

function quotedIn(delimiter: string): (text: string, name: string) => string {
  const needsQuotes = new RegExp(`^$|["\r\n${delimiter}]`);
  return (text, name) => {
    if (text.includes("\0")) {
      throw new PalimpsestError(
        "E_INVALID_ARG",
        `column ${name}: ${JSON.stringify(text)} has a NUL, which no CSV holds`,
        {
          details: { column: name },
          hint: "export it with --format jsonl",
        },
      );
    }
    return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
}

function headerName({ name, type }: TypedName): string {
  return name.startsWith(PROPERTY_PREFIX) ? `${name}:${type}` : name;
}

/** Texts repeat, and quoting looks at each of their letters: what was made is kept for a piece. */
function quotedTexts(cell: CellText, quoted: (text: string) => string): CellText {
  const made = new Map<string, string>();
  return (row) => {
    const text = cell(row);
    if (text === null) return null;
    let found = made.get(text);
    if (found === undefined) {
      found = quoted(text);
      made.set(text, found);
    }
    return found;
  };
}

export function delimitedText(delimiter: "," | "\t") {
  const quoted = quotedIn(delimiter);

  const cellOf = (name: string, column: Column): CellText => {
    const plain = plainTexts(column);
    if (name === "labels") {
      const labels = (text: string) => quoted(textOfLabels(JSON.parse(text) as string[]), name);
      // A node without labels has an empty cell: there is no other empty set of labels.
      return quotedTexts((row) => (plain(row) === "[]" ? null : plain(row)), labels);
    }
    if (column.type !== "string" && column.type !== "json") return plain;
    return quotedTexts(plain, (text) => quoted(text, name));
  };

  return {
    header: ({ columns }: StoreTable): string =>
      `${columns.map((column) => quoted(headerName(column), column.name)).join(delimiter)}\n`,
    rows(_: StoreTable, { columns }: ColumnTable): (row: number) => string {
      const cells = columns.map(({ name, column }) => cellOf(name, column));
      return (row) => {
        let text = cells[0]!(row) ?? "";
        for (let i = 1; i < cells.length; i += 1) text += delimiter + (cells[i]!(row) ?? "");
        return `${text}\n`;
      };
    },
  };
}
