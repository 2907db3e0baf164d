// Columns that native code filled, in the form of src/columns: their arrays as they are, their dictionaries as strings.
// Dictionaries may be long and are made in slices.
import type { Column, NamedColumn, WordColumn } from "../../columns/column.js";
import { Pace } from "../../event-loop/pace.js";
import { COLUMN_FORM, type NativeColumn } from "../../native/columns.js";
import type { RowPack } from "../../native/tables.js";

const TEXTS_AT_ONCE = 1000;

/** The texts of a pack that holds one in each cell. */
async function textsOf([text, lengths]: RowPack): Promise<string[]> {
  const texts: string[] = new Array(lengths.length);
  const pace = new Pace();
  let at = 0;
  for (let i = 0; i < lengths.length; i += 1) {
    const to = at + lengths[i]!;
    texts[i] = text.slice(at, to);
    at = to;
    if (i % TEXTS_AT_ONCE === 0 && pace.isDue) await pace.rest();
  }
  return texts;
}

async function columnOf(native: NativeColumn, wordType: WordColumn["type"]): Promise<Column> {
  switch (native[0]) {
    case COLUMN_FORM.words:
      return { type: wordType, values: native[1], valid: native[2] };
    case COLUMN_FORM.doubles: {
      const [, values, valid] = native;
      const rows = native[4];
      const wide = rows === null ? {} : { wide: { rows, values: native[5]! } };
      return { type: "double", values, valid, ...wide };
    }
    case COLUMN_FORM.bools:
      return { type: "bool", values: native[1], valid: native[2] };
    default: {
      const type = native[0] === COLUMN_FORM.json ? "json" : "string";
      return { type, codes: native[1], dictionary: await textsOf(native[3]) };
    }
  }
}

/** The columns by name; `wordType` says what the words of a column mean. */
export async function namedColumns(
  names: readonly string[],
  natives: readonly NativeColumn[],
  wordType: (name: string) => WordColumn["type"],
): Promise<NamedColumn[]> {
  const columns: NamedColumn[] = [];
  for (const [i, name] of names.entries()) {
    columns.push({ name, column: await columnOf(natives[i]!, wordType(name)) });
  }
  return columns;
}
