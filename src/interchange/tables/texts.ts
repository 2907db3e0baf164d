// Names in a table: uids, types, keys. Texts as they are, and whole numbers by their digits; checked once for each text.
import { isUtf8 } from "node:buffer";
import { textsByRow } from "../../columns/arrow/texts.js";
import { ByteWriter } from "../../columns/byte-writer.js";
import { isValid, type Utf8Texts } from "../../columns/column.js";
import type { GivenColumn } from "../../columns/given.js";
import { WordReader } from "../../columns/words.js";
import { PalimpsestError } from "../../contract/errors.js";
import type { TextValues } from "../text-column.js";
import { type PieceRows, picked } from "./rows.js";

export interface CodedTexts {
  readonly codes: Int32Array;
  readonly texts: Utf8Texts;
}

export interface NameRules {
  readonly mostBytes: number;
  readonly mayBeEmpty: boolean;
  /** What a row without a value is: refused, or left as it is. */
  readonly mayBeMissing: boolean;
}

/** The digits of whole numbers, a text a row. */
function digits({ values, valid }: Extract<GivenColumn, { values: BigInt64Array }>): CodedTexts {
  const out = new ByteWriter();
  const words = new WordReader(values);
  const codes = new Int32Array(values.length).fill(-1);
  const offsets = new Int32Array(values.length + 1);
  for (let row = 0; row < values.length; row += 1) {
    if (isValid(valid, row)) {
      const safe = words.safe(row);
      if (Number.isNaN(safe)) out.ascii(String(values[row]));
      else out.integer(safe);
      codes[row] = row;
    }
    offsets[row + 1] = out.length;
  }
  return { codes, texts: { bytes: out.written(), offsets } };
}

function coded(name: string, column: GivenColumn, rowCount: number): CodedTexts {
  switch (column.form) {
    case "text":
      return column;
    case "int":
      return digits(column);
    case "none":
      return {
        codes: new Int32Array(rowCount).fill(-1),
        texts: { bytes: new Uint8Array(0), offsets: new Int32Array(1) },
      };
    default:
      throw new PalimpsestError(
        "E_SCHEMA",
        `column ${JSON.stringify(name)}: its values are no texts and no whole numbers`,
        {
          details: { column: name, form: column.form },
          hint: "cast it to text",
        },
      );
  }
}

export const textOf = ({ bytes, offsets }: Utf8Texts, code: number): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset + offsets[code]!, offsets[code + 1]! - offsets[code]!).toString("utf8");

/** Whether every text is UTF-8; as a whole, where that is so. */
export function isAllUtf8({ bytes, offsets }: Utf8Texts): boolean {
  return isUtf8(bytes.subarray(offsets[0]!, offsets[offsets.length - 1]!));
}

function faultOf({ bytes, offsets }: Utf8Texts, code: number, { mostBytes, mayBeEmpty }: NameRules, isSure: boolean) {
  const length = offsets[code + 1]! - offsets[code]!;
  if (length === 0 && !mayBeEmpty) return "must not be empty";
  if (length > mostBytes) return `is ${length} bytes long, more than the ${mostBytes} allowed`;
  if (!isSure && !isUtf8(bytes.subarray(offsets[code]!, offsets[code + 1]!))) return "is not UTF-8";
  return null;
}

/** Names by code, every row judged. */
export function namesOf(name: string, column: GivenColumn, rules: NameRules, rows: PieceRows): CodedTexts {
  const { codes, texts } = coded(name, column, rows.rowCount);
  const isSure = isAllUtf8(texts);
  for (let row = 0; row < codes.length; row += 1) {
    const code = codes[row]!;
    if (code < 0) {
      if (!rules.mayBeMissing) rows.refuse({ row, column: name, value: "", reason: "is missing" });
      continue;
    }
    const reason = faultOf(texts, code, rules, isSure);
    if (reason !== null) rows.refuse({ row, column: name, value: textOf(texts, code), reason });
  }
  return { codes, texts };
}

/** A text for each row that is kept, end to end; a row without one has an empty text. */
export function textValues({ codes, texts }: CodedTexts, kept: Uint32Array | null): TextValues {
  const { bytes, offsets } = textsByRow(picked(codes, kept), texts);
  return { bytes, ends: new Uint32Array(offsets.buffer, offsets.byteOffset + 4, offsets.length - 1) };
}
