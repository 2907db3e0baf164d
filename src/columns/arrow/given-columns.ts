// Columns of Arrow in the forms of ../given.ts: arrays are taken over as they are where they agree, the rest is read value
// by value. Rows that cannot be taken are listed; the caller decides what becomes of them.
import { type Data, type DataType, type Field, Type } from "apache-arrow";
import { canonicalJson } from "../../contract/canonical.js";
import { parseExact } from "../../contract/exact-json.js";
import type { Utf8Texts, Validity } from "../column.js";
import { type CellRefusal, type GivenColumn, TextCodes } from "../given.js";
import { bitsOfRows } from "../slice.js";
import { bitsWhere } from "./bits.js";
import {
  dateReader,
  decimalReader,
  doubleReader,
  durationReader,
  inCalendar,
  instantReader,
  isValidAt,
  Unfit,
  wordReader,
} from "./given-scalars.js";
import { type LocalTime, UNIT } from "./given-types.js";
import { placeIn, valueReader } from "./given-values.js";
import { ENCODING_KEY } from "./shape.js";

/** What the reading of one column of one batch needs. */
interface Reading {
  readonly data: Data;
  readonly name: string;
  readonly local: LocalTime;
  readonly refusals: CellRefusal[];
}

function validityOf(data: Data): Validity {
  const { nullBitmap, offset, length } = data;
  if (nullBitmap === undefined || nullBitmap === null || nullBitmap.length === 0 || data.nullCount === 0) return null;
  return bitsOfRows(nullBitmap, offset, offset + length);
}

/** Calls `take` for each row with a value; one that does not fit is noted, and is no value. */
function eachValue({ data, name, refusals }: Reading, take: (row: number) => void): void {
  for (let row = 0; row < data.length; row += 1) {
    if (!isValidAt(data, row)) continue;
    try {
      take(row);
    } catch (error) {
      if (!(error instanceof Unfit) && !isRefused(error)) throw error;
      refusals.push({ row, column: name, ...refusedAs(error) });
    }
  }
}

/** What the rules of a zone refuse: a local time that it has not, or twice. */
interface Refused {
  readonly reason: string;
  readonly hint: string;
}
const isRefused = (error: unknown): error is Refused =>
  error instanceof Error && typeof (error as unknown as Refused).reason === "string";

function refusedAs(error: Unfit | Refused): Pick<CellRefusal, "value" | "reason" | "hint"> {
  const { reason, hint } = error;
  return { value: error instanceof Unfit ? error.value : "", reason, hint };
}

type WordForm = "int" | "instant" | "date" | "duration";

function words(reading: Reading, form: WordForm, read: (row: number) => bigint): GivenColumn {
  const { data } = reading;
  const values = new BigInt64Array(data.length);
  eachValue(reading, (row) => {
    values[row] = read(row);
  });
  return { form, values, valid: validityOf(data) };
}

/** Values of int64 as they lie. */
function sameWords({ data }: Reading, form: WordForm): GivenColumn {
  return { form, values: (data.values as unknown as BigInt64Array).subarray(0, data.length), valid: validityOf(data) };
}

function integers(reading: Reading): GivenColumn {
  const { values } = reading.data as unknown as { values: unknown };
  if (values instanceof BigInt64Array) return sameWords(reading, "int");
  const word = wordReader(reading.data);
  if (!(values instanceof BigUint64Array)) return words(reading, "int", word);
  return words(reading, "int", (row) => {
    const value = word(row);
    if (value <= 0x7fff_ffff_ffff_ffffn) return value;
    throw new Unfit(String(value), "is out of the range of int64", "cast the column to text to keep every digit");
  });
}

function doubles(reading: Reading): GivenColumn {
  const { data } = reading;
  const valid = validityOf(data);
  const own = data.values as unknown;
  const isFine = own instanceof Float64Array && !own.subarray(0, data.length).some((value) => !Number.isFinite(value));
  if (isFine) return { form: "double", values: (own as Float64Array).subarray(0, data.length), valid };
  const values = new Float64Array(data.length);
  const read = doubleReader(data);
  eachValue(reading, (row) => {
    values[row] = read(row);
  });
  return { form: "double", values, valid };
}

function instants(reading: Reading): GivenColumn {
  const { data, local } = reading;
  const { unit, timezone } = data.type as unknown as { unit: number; timezone?: string | null };
  if (unit === UNIT.microsecond && (timezone ?? "") !== "") return sameWords(reading, "instant");
  const instant = instantReader(data, local);
  return words(reading, "instant", (row) => inCalendar(instant(row), true));
}

function bools({ data }: Reading): GivenColumn {
  const bits = data.values as unknown as Uint8Array;
  const values = Uint8Array.from({ length: data.length }, (_, row) => {
    const at = data.offset + row;
    return (bits[at >> 3]! >> (at & 7)) & 1;
  });
  return { form: "bool", values, valid: validityOf(data) };
}

/** Texts of a Utf8 that stand behind each other: each row is its own text. */
function plainTexts(data: Data): { codes: Int32Array; texts: Utf8Texts } {
  const codes = Int32Array.from({ length: data.length }, (_, row) => (isValidAt(data, row) ? row : -1));
  const offsets = data.valueOffsets as unknown as Int32Array | undefined;
  const texts = {
    bytes: (data.values as unknown as Uint8Array | undefined) ?? new Uint8Array(0),
    offsets: offsets === undefined || offsets.length === 0 ? new Int32Array(1) : offsets.subarray(0, data.length + 1),
  };
  return { codes, texts };
}

/** Texts of which each stands once, by 32-bit codes. */
function codedTexts(reading: Reading, dictionary: Data): GivenColumn {
  const { data } = reading;
  const { codes: textCodes, texts } = plainTexts(dictionary);
  const given = data.values as unknown as ArrayLike<number | bigint>;
  const codes = new Int32Array(data.length).fill(-1);
  eachValue(reading, (row) => {
    const code = Number(given[row]);
    placeIn([dictionary], code);
    codes[row] = textCodes[code]!;
  });
  return { form: "text", codes, texts };
}

function valuesAsText(reading: Reading, form: "text" | "json"): GivenColumn {
  const { data, local } = reading;
  const read = valueReader(data, local);
  const texts = new TextCodes(data.length);
  eachValue(reading, (row) => {
    const value = read(row);
    if (value !== null) texts.set(row, form === "json" ? canonicalJson(value) : String(value));
  });
  return texts.column(form);
}

/** A dictionary of anything else: its values, each where its code stands. */
function dictionaryColumn(reading: Reading): GivenColumn {
  const { data } = reading;
  const [only, ...more] = data.dictionary!.data;
  const type = data.dictionary!.type as DataType;
  if (type.typeId === Type.Utf8 && only !== undefined && more.length === 0) return codedTexts(reading, only);
  const read = valueReader(data, reading.local);
  const rows = data.length;
  switch (type.typeId) {
    case Type.Int:
    case Type.Decimal: {
      const values = new BigInt64Array(rows);
      const valid = validityWhere(reading, (row) => {
        const value = read(row);
        if (value !== null) values[row] = BigInt(value as number | bigint);
        return value !== null;
      });
      return { form: "int", values, valid };
    }
    case Type.Float: {
      const values = new Float64Array(rows);
      const valid = validityWhere(reading, (row) => {
        const value = read(row);
        if (value !== null) values[row] = value as number;
        return value !== null;
      });
      return { form: "double", values, valid };
    }
    case Type.Bool: {
      const values = new Uint8Array(rows);
      const valid = validityWhere(reading, (row) => {
        const value = read(row);
        values[row] = value === true ? 1 : 0;
        return value !== null;
      });
      return { form: "bool", values, valid };
    }
    default:
      return valuesAsText(reading, isNested(type) ? "json" : "text");
  }
}

function validityWhere(reading: Reading, take: (row: number) => boolean): Validity {
  const has = new Uint8Array(reading.data.length);
  eachValue(reading, (row) => {
    has[row] = take(row) ? 1 : 0;
  });
  return bitsWhere(has.length, (row) => has[row] === 1);
}

const NESTED: ReadonlySet<number> = new Set([Type.List, Type.LargeList, Type.FixedSizeList, Type.Struct, Type.Map]);
const isNested = ({ typeId }: DataType): boolean => NESTED.has(typeId);

/** Texts that our own metadata say are JSON. */
function asJson(column: GivenColumn, { name, refusals }: Reading): GivenColumn {
  if (column.form !== "text") return column;
  const { codes, texts } = column;
  const checked = new Map<number, string | null>();
  for (const [row, code] of codes.entries()) {
    if (code < 0) continue;
    if (!checked.has(code)) checked.set(code, notJson(texts, code));
    const value = checked.get(code)!;
    if (value !== null) refusals.push({ row, column: name, value, reason: "is no JSON, as the column says it is" });
  }
  return { form: "json", codes, texts };
}

function notJson({ bytes, offsets }: Utf8Texts, code: number): string | null {
  const text = Buffer.from(bytes.subarray(offsets[code]!, offsets[code + 1]!)).toString("utf8");
  try {
    parseExact(text);
    return null;
  } catch {
    return text;
  }
}

function columnOf(reading: Reading): GivenColumn {
  const { data } = reading;
  const type = data.type as DataType;
  switch (type.typeId) {
    case Type.Null:
      return { form: "none" };
    case Type.Int:
      return integers(reading);
    case Type.Decimal:
      return words(reading, "int", decimalReader(data));
    case Type.Float:
      return doubles(reading);
    case Type.Bool:
      return bools(reading);
    case Type.Timestamp:
      return instants(reading);
    case Type.Date: {
      const midnight = dateReader(data);
      return words(reading, "date", (row) => inCalendar(midnight(row), true));
    }
    case Type.Duration:
      return words(reading, "duration", durationReader(data));
    case Type.Dictionary:
      return dictionaryColumn(reading);
    case Type.Utf8:
      return { form: "text", ...plainTexts(data) };
    default:
      return valuesAsText(reading, isNested(type) ? "json" : "text");
  }
}

/** A column of a batch; rows that do not fit are added to `refusals`. Its type was checked. */
export function givenColumn(field: Field, data: Data, local: LocalTime, refusals: CellRefusal[]): GivenColumn {
  const reading: Reading = { data, name: field.name, local, refusals };
  const column = columnOf(reading);
  return field.metadata.get(ENCODING_KEY) === "json" ? asJson(column, reading) : column;
}
