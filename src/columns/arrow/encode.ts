// One column as Arrow data: words and doubles over the arrays that are there, texts by their dictionary.
// Only booleans (a bit a row there) and texts that stand one behind the other are written anew.
import { type Data, type DataType, type Dictionary, type List, makeData, Type, Utf8, Vector } from "apache-arrow";
import { canonicalNumber } from "../../contract/canonical.js";
import { internalError } from "../../contract/errors.js";
import {
  type BoolColumn,
  type Column,
  type DoubleColumn,
  isValid,
  type TextColumn,
  type Utf8Texts,
  type Validity,
  type WordColumn,
} from "../column.js";
import { wideAt } from "../rows-of-columns.js";
import { bitsOfRows } from "../slice.js";
import { bitsOfCodes, bitsOfEnds, countOfNulls, packedBools } from "./bits.js";
import type { Encoding } from "./shape.js";
import { isByRow, textsByRow, textsOf, utf8Of } from "./texts.js";

/** Gives the data of rows [from, to). */
export interface Encoder {
  data(from: number, to: number): Data;
  /** Whether texts stand one behind the other, so that rows differ in size. */
  readonly hasPlainTexts: boolean;
  /** Bytes of text that a row takes where texts stand one behind the other. */
  textBytes(row: number): number;
  /** The most that it is in any row. */
  readonly mostTextBytes: number;
}

const noTexts = (): number => 0;
const NO_TEXTS = { textBytes: noTexts, mostTextBytes: 0, hasPlainTexts: false } as const;

function nulls(bits: Validity, rowCount: number) {
  return { length: rowCount, nullCount: countOfNulls(bits, rowCount), nullBitmap: bits };
}

function wordEncoder({ type, values, valid }: WordColumn, arrowType: DataType): Encoder {
  return {
    ...NO_TEXTS,
    data(from, to) {
      const data = values.subarray(from, to);
      const bits = bitsOfRows(valid, from, to);
      const shown = type === "instant_open" ? bitsOfEnds(data, bits) : bits;
      return makeData({ type: arrowType, data, ...nulls(shown, to - from) } as never) as Data;
    },
  };
}

function doubleEncoder({ values, valid }: DoubleColumn, arrowType: DataType): Encoder {
  return {
    ...NO_TEXTS,
    data(from, to) {
      const bits = bitsOfRows(valid, from, to);
      return makeData({ type: arrowType, data: values.subarray(from, to), ...nulls(bits, to - from) } as never) as Data;
    },
  };
}

function boolEncoder({ values, valid }: BoolColumn, arrowType: DataType): Encoder {
  return {
    ...NO_TEXTS,
    data(from, to) {
      const bits = bitsOfRows(valid, from, to);
      const data = packedBools(values.subarray(from, to));
      return makeData({ type: arrowType, data, ...nulls(bits, to - from) } as never) as Data;
    },
  };
}

function dictionaryEncoder({ codes }: TextColumn, arrowType: Dictionary, { bytes, offsets }: Utf8Texts): Encoder {
  const texts = makeData({
    type: new Utf8(),
    length: offsets.length - 1,
    nullCount: 0,
    valueOffsets: offsets,
    data: bytes,
  });
  // One vector for all batches: they share the dictionary, and a stream writes it once.
  const dictionary = new Vector([texts]);
  return {
    ...NO_TEXTS,
    data(from, to) {
      const data = codes.subarray(from, to);
      return makeData({ type: arrowType, data, dictionary, ...nulls(bitsOfCodes(data), to - from) } as never) as Data;
    },
  };
}

function textBytesOf(codes: Int32Array, { offsets }: Utf8Texts): (row: number) => number {
  return (row) => (codes[row]! < 0 ? 0 : offsets[codes[row]! + 1]! - offsets[codes[row]!]!);
}

function longestOf({ offsets }: Utf8Texts): number {
  let most = 0;
  for (let i = 1; i < offsets.length; i += 1) most = Math.max(most, offsets[i]! - offsets[i - 1]!);
  return most;
}

function plainEncoder(codes: Int32Array, texts: Utf8Texts): Encoder {
  return {
    textBytes: textBytesOf(codes, texts),
    mostTextBytes: longestOf(texts),
    hasPlainTexts: true,
    data(from, to) {
      const some = codes.subarray(from, to);
      const { bytes, offsets } = isByRow(some, texts) ? texts : textsByRow(some, texts);
      const bits = nulls(bitsOfCodes(some), to - from);
      return makeData({ type: new Utf8(), valueOffsets: offsets, data: bytes, ...bits });
    },
  };
}

/** Lists of texts, of which a column has few different ones. */
function listEncoder({ codes, dictionary }: TextColumn, arrowType: List, texts: Utf8Texts): Encoder {
  const lists = dictionary.map((text) => JSON.parse(text) as (string | null)[]);
  return {
    textBytes: textBytesOf(codes, texts),
    mostTextBytes: longestOf(texts),
    hasPlainTexts: true,
    data(from, to) {
      const some = codes.subarray(from, to);
      const items: string[] = [];
      const codeOf = new Map<string, number>();
      const itemCodes: number[] = [];
      const offsets = new Int32Array(some.length + 1);
      for (const [row, code] of some.entries()) {
        for (const item of code < 0 ? [] : lists[code]!) {
          if (item === null) itemCodes.push(-1);
          else {
            if (!codeOf.has(item)) codeOf.set(item, items.push(item) - 1);
            itemCodes.push(codeOf.get(item)!);
          }
        }
        offsets[row + 1] = itemCodes.length;
      }
      const child = plainEncoder(Int32Array.from(itemCodes), encodedAtOnce(items)).data(0, itemCodes.length);
      const bits = nulls(bitsOfCodes(some), to - from);
      return makeData({ type: arrowType, valueOffsets: offsets, child: child as never, ...bits });
    },
  };
}

function encodedAtOnce(texts: readonly string[]): Utf8Texts {
  const parts = texts.map((text) => Buffer.from(text, "utf8"));
  const offsets = new Int32Array(texts.length + 1);
  for (const [i, part] of parts.entries()) offsets[i + 1] = offsets[i]! + part.length;
  return { bytes: Buffer.concat(parts), offsets };
}

/** Numbers as JSON, where some of them are integers that no double holds. */
async function wideEncoder({ values, valid, wide }: DoubleColumn): Promise<Encoder> {
  const texts: string[] = [];
  const codes = new Int32Array(values.length).fill(-1);
  for (let row = 0; row < values.length; row += 1) {
    const place = wide === undefined ? -1 : wideAt(wide, row);
    if (place < 0 && !isValid(valid, row)) continue;
    codes[row] = texts.push(canonicalNumber(place < 0 ? values[row]! : wide!.values[place]!)) - 1;
  }
  return plainEncoder(codes, await utf8Of(texts));
}

/** What gives the data of a column in the form of its field. */
export async function encoderOf(column: Column, encoding: Encoding, arrowType: DataType): Promise<Encoder> {
  switch (column.type) {
    case "string":
    case "json": {
      const texts = await textsOf(column);
      if (encoding === "text-lists") return listEncoder(column, arrowType as List, texts);
      const isByCode = encoding === "texts" && arrowType.typeId === Type.Dictionary;
      return isByCode ? dictionaryEncoder(column, arrowType as Dictionary, texts) : plainEncoder(column.codes, texts);
    }
    case "double":
      return encoding === "json" ? wideEncoder(column) : doubleEncoder(column, arrowType);
    case "bool":
      return boolEncoder(column, arrowType);
    default:
      if (encoding === "words") return wordEncoder(column, arrowType);
      throw internalError(new Error(`a column of ${column.type} was to be ${encoding}`));
  }
}
