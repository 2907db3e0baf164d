// A table by columns out of rows as plain objects, by the types that their schema gives.
// Long tables are made in slices, so that the event loop gets its turn.

import { daysFromCivil } from "../contract/calendar.js";
import { canonicalJson } from "../contract/canonical.js";
import { parseDuration } from "../contract/duration.js";
import { PalimpsestError } from "../contract/errors.js";
import { MICROS_PER_SECOND, OPEN_END_US } from "../contract/instant.js";
import { parseInstant } from "../contract/parse-instant.js";
import type { JsonObject, JsonValue } from "../contract/values.js";
import { Pace } from "../event-loop/pace.js";
import type { Column, ColumnTable, Validity, WordColumn } from "./column.js";
import type { ScalarType, TypedName } from "./types.js";
import { WordWriter } from "./words.js";

/** Takes the values of one column row by row. */
interface Builder {
  set(row: number, value: JsonValue): void;
  finish(): Column;
}

class ValidBits {
  private readonly bits: Uint8Array;
  private count = 0;
  constructor(private readonly rowCount: number) {
    this.bits = new Uint8Array((rowCount + 7) >> 3);
  }
  set(row: number): void {
    this.bits[row >> 3]! |= 1 << (row & 7);
    this.count += 1;
  }
  finish(): Validity {
    return this.count === this.rowCount ? null : this.bits;
  }
}

const OUTPUT_INSTANT = /^([+-]?\d{4,6})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{6}))?Z$/;

/** Where a column's values come from, for messages. */
interface Place {
  readonly path: string;
  readonly name: string;
}

/** Of an instant in output form. Periods that the calendar cuts begin before it, which no argument may. */
function instantUs(text: string, where: string): bigint {
  const match = text.length === 20 || text.length === 27 ? null : OUTPUT_INSTANT.exec(text);
  if (match === null) return parseInstant(text, where);
  const [year, month, day, hour, minute, second, micros] = match.slice(1).map((part) => Number(part ?? 0));
  const days = daysFromCivil(year!, month!, day!);
  return BigInt(days * 86_400 + hour! * 3600 + minute! * 60 + second!) * MICROS_PER_SECOND + BigInt(micros!);
}

function unlike(value: JsonValue, type: ScalarType, { path, name }: Place, row: number): never {
  const where = `${path}/${row}/${name}`;
  throw new PalimpsestError("E_SCHEMA", `${where}: ${canonicalJson(value)} is no value of type ${type}`, {
    details: { path: where, type },
    hint: "name the type of the column's values, or json where they are of several",
  });
}

function wordOf(value: JsonValue, type: WordColumn["type"], place: Place, row: number): number | bigint {
  if (type === "int") {
    if (typeof value === "bigint" || Number.isSafeInteger(value)) return value as number | bigint;
  } else if (typeof value === "string") {
    return type === "duration" ? parseDuration(value, place.path) : instantUs(value, place.path);
  }
  return unlike(value, type, place, row);
}

function wordBuilder(rowCount: number, type: WordColumn["type"], place: Place): Builder {
  const values = new BigInt64Array(rowCount);
  const words = new WordWriter(values);
  const valid = new ValidBits(rowCount);
  return {
    set(row, value) {
      if (value === null && type !== "instant_open") return;
      words.set(row, value === null ? OPEN_END_US : wordOf(value, type, place, row));
      valid.set(row);
    },
    finish: () => ({ type, values, valid: valid.finish() }),
  };
}

function doubleBuilder(rowCount: number, place: Place): Builder {
  const values = new Float64Array(rowCount);
  const valid = new ValidBits(rowCount);
  const rows: number[] = [];
  const wide: bigint[] = [];
  return {
    set(row, value) {
      if (value === null) return;
      if (typeof value !== "number" && typeof value !== "bigint") unlike(value, "double", place, row);
      values[row] = Number(value);
      valid.set(row);
      if (typeof value !== "bigint") return;
      rows.push(row);
      wide.push(value);
    },
    finish: () => ({
      type: "double",
      values,
      valid: valid.finish(),
      ...(rows.length === 0 ? {} : { wide: { rows: Uint32Array.from(rows), values: BigInt64Array.from(wide) } }),
    }),
  };
}

function boolBuilder(rowCount: number, place: Place): Builder {
  const values = new Uint8Array(rowCount);
  const valid = new ValidBits(rowCount);
  return {
    set(row, value) {
      if (value === null) return;
      if (typeof value !== "boolean") unlike(value, "bool", place, row);
      values[row] = value ? 1 : 0;
      valid.set(row);
    },
    finish: () => ({ type: "bool", values, valid: valid.finish() }),
  };
}

function textBuilder(rowCount: number, type: "string" | "json", place: Place): Builder {
  const codes = new Int32Array(rowCount).fill(-1);
  const dictionary: string[] = [];
  const codeOf = new Map<string, number>();
  return {
    set(row, value) {
      if (value === null) return;
      if (type === "string" && typeof value !== "string") unlike(value, type, place, row);
      const text = type === "string" ? (value as string) : canonicalJson(value);
      let code = codeOf.get(text);
      if (code === undefined) {
        code = dictionary.push(text) - 1;
        codeOf.set(text, code);
      }
      codes[row] = code;
    },
    finish: () => ({ type, codes, dictionary }),
  };
}

function builderOf(rowCount: number, type: ScalarType, place: Place): Builder {
  switch (type) {
    case "double":
      return doubleBuilder(rowCount, place);
    case "bool":
      return boolBuilder(rowCount, place);
    case "string":
    case "json":
      return textBuilder(rowCount, type, place);
    default:
      return wordBuilder(rowCount, type, place);
  }
}

const ROWS_AT_ONCE = 200;

/**
 * The rows by columns, in the order of `types`; a member that is missing is null, and null of type `instant_open` is the
 * open end. E_SCHEMA for a value of another type.
 */
export async function columnsOfRows(
  rows: readonly JsonObject[],
  types: readonly TypedName[],
  path = "/rows",
): Promise<ColumnTable> {
  const builders = types.map(({ name, type }) => {
    return { name, builder: builderOf(rows.length, type, { path, name }) };
  });
  const pace = new Pace();
  for (let i = 0; i < rows.length; i += 1) {
    const row = rows[i]!;
    for (const { name, builder } of builders) builder.set(i, Object.hasOwn(row, name) ? (row[name] ?? null) : null);
    if (i % ROWS_AT_ONCE === 0 && pace.isDue) await pace.rest();
  }
  return {
    rowCount: rows.length,
    columns: builders.map(({ name, builder }) => ({ name, column: builder.finish() })),
  };
}
