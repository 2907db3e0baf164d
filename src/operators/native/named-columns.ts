// Columns that native code filled, in the form of src/columns: their arrays as they are, their dictionaries as strings.
// Dictionaries may be long and are made in slices.
import type { Column, NamedColumn, WordColumn } from "../../columns/column.js";
import { Utf8TextColumn } from "../../columns/utf8-dictionary.js";
import { Pace } from "../../event-loop/pace.js";
import {
  COLUMN_FORM,
  type NativeColumn,
  type NativePieceColumn,
  type NativeTextBytes,
  type NativeTexts,
  type NativeValues,
} from "../../native/columns.js";
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

/** A column that is not of texts. */
function valuesOf(native: NativeValues, wordType: WordColumn["type"]): Column {
  switch (native[0]) {
    case COLUMN_FORM.words:
      return { type: wordType, values: native[1], valid: native[2] };
    case COLUMN_FORM.doubles: {
      const [, values, valid] = native;
      const rows = native[4];
      const wide = rows === null ? {} : { wide: { rows, values: native[5]! } };
      return { type: "double", values, valid, ...wide };
    }
    default:
      return { type: "bool", values: native[1], valid: native[2] };
  }
}

const textType = (form: number): "string" | "json" => (form === COLUMN_FORM.json ? "json" : "string");

async function columnOf(native: NativeColumn, wordType: WordColumn["type"]): Promise<Column> {
  if (native[0] !== COLUMN_FORM.texts && native[0] !== COLUMN_FORM.json)
    return valuesOf(native as NativeValues, wordType);
  const [form, codes, , pack] = native as NativeTexts;
  return { type: textType(form), codes, dictionary: await textsOf(pack) };
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

/** The columns of a piece, whose texts stay bytes. */
export function pieceColumns(
  names: readonly string[],
  natives: readonly NativePieceColumn[],
  wordType: (name: string) => WordColumn["type"],
): NamedColumn[] {
  return names.map((name, i) => {
    const native = natives[i]!;
    if (native[0] !== COLUMN_FORM.texts && native[0] !== COLUMN_FORM.json) {
      return { name, column: valuesOf(native as NativeValues, wordType(name)) };
    }
    const [form, codes, , [bytes, offsets]] = native as NativeTextBytes;
    return { name, column: new Utf8TextColumn(textType(form), codes, { bytes, offsets }) };
  });
}
