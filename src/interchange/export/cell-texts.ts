// Cells of a table as texts, column by column: as JSON for lines of JSON, as they are for delimited text.
// Null where there is no value. Knows nothing of records or files.
import { type Column, isValid, type TextColumn, type WordColumn } from "../../columns/column.js";
import { cellReader } from "../../columns/rows-of-columns.js";
import { WordReader } from "../../columns/words.js";
import { canonicalNumber, canonicalString } from "../../contract/canonical.js";
import { formatInstant, OPEN_END_US } from "../../contract/instant.js";

export type CellText = (row: number) => string | null;

/** Many rows share one instant: its text is made once. */
function instants({ values, valid }: WordColumn, shown: (text: string) => string): CellText {
  let last = OPEN_END_US;
  let text = "";
  return (row) => {
    const us = values[row]!;
    if (us === OPEN_END_US || !isValid(valid, row)) return null;
    if (us !== last) {
      text = shown(formatInstant(us));
      last = us;
    }
    return text;
  };
}

function integers({ values, valid }: WordColumn): CellText {
  const reader = new WordReader(values);
  return (row) => (isValid(valid, row) ? String(reader.at(row)) : null);
}

function texts({ codes, dictionary }: TextColumn, shown: (text: string) => string): CellText {
  const made: string[] = [];
  return (row) => {
    const code = codes[row]!;
    if (code < 0) return null;
    made[code] ??= shown(dictionary[code]!);
    return made[code]!;
  };
}

/** `shown` makes of a text what stands in the file; JSON, numbers and booleans stand as they are. */
function cellTexts(column: Column, shown: (text: string) => string): CellText {
  switch (column.type) {
    case "instant":
    case "instant_open":
      return instants(column, shown);
    case "int":
    case "duration":
      return integers(column);
    case "string":
      return texts(column, shown);
    case "json":
      return texts(column, (text) => text);
    default: {
      const read = cellReader(column);
      return (row) => {
        const value = read(row);
        if (value === null) return null;
        return typeof value === "boolean" ? String(value) : canonicalNumber(value as number | bigint);
      };
    }
  }
}

export const jsonTexts = (column: Column): CellText => cellTexts(column, canonicalString);

export const plainTexts = (column: Column): CellText => cellTexts(column, (text) => text);
