// Times of a table by its columns: instants as they are, days, numbers of a unit, texts by their forms. Never rounded.
import { isValid, type Utf8Texts, type Validity } from "../../columns/column.js";
import type { GivenColumn } from "../../columns/given.js";
import { WordReader, WordWriter } from "../../columns/words.js";
import { PalimpsestError } from "../../contract/errors.js";
import { BEGINNING_US, END_OF_CALENDAR_US, LAST_INSTANT_US, OPEN_END_US } from "../../contract/instant.js";
import { type InstantFormat, instantOfText, likelyUnit } from "../instants.js";
import { RefusedValue } from "../refusal.js";
import type { PieceRows } from "./rows.js";

export interface TimeColumn {
  readonly name: string;
  readonly column: GivenColumn;
}

export interface TimeRules {
  readonly format: InstantFormat;
  /** An end may be open, and the end of the calendar. */
  readonly isEnd: boolean;
  readonly rows: PieceRows;
}

const DAY_US = 86_400_000_000n;
/** Microseconds of one of a unit. */
const UNIT_US: Readonly<Record<string, number>> = { us: 1, ms: 1e3, s: 1e6, min: 6e7, h: 3.6e9, d: 8.64e10 };

function noTime({ name, column }: TimeColumn): never {
  throw new PalimpsestError("E_SCHEMA", `column ${JSON.stringify(name)}: its values are no times (${column.form})`, {
    details: { column: name, form: column.form },
    hint: "name a column of timestamps, dates, texts, or numbers of a unit",
  });
}

class Instants {
  readonly values: BigInt64Array;
  private readonly words: WordWriter;
  private readonly last: bigint;

  constructor(
    private readonly name: string,
    private readonly rules: TimeRules,
  ) {
    this.values = new BigInt64Array(rules.rows.rowCount);
    this.words = new WordWriter(this.values);
    this.last = rules.isEnd ? END_OF_CALENDAR_US : LAST_INSTANT_US;
  }

  refuse(row: number, value: string, reason: string, more: { code?: "E_EPOCH_UNIT"; hint?: string } = {}): void {
    this.rules.rows.refuse({ row, column: this.name, value, reason, ...more });
  }

  /** No value: an open end, or a time that is missing. */
  nothing(row: number): void {
    if (this.rules.isEnd) this.values[row] = OPEN_END_US;
    else this.refuse(row, "", "the time is missing");
  }

  /** Microseconds that a number may hold exactly, or not. */
  set(row: number, us: number | bigint, shown: () => string): void {
    if (us < BEGINNING_US || us > this.last) {
      this.refuse(row, shown(), "is outside the calendar (years -9999 to 9999)");
      return;
    }
    this.words.set(row, us);
  }

  /** Reads a value that may be refused on its own. */
  read(row: number, shown: string, us: () => bigint): void {
    try {
      this.set(row, us(), () => shown);
    } catch (error) {
      const isOurs = error instanceof RefusedValue || error instanceof PalimpsestError;
      if (!isOurs) throw error;
      const reason = error instanceof RefusedValue ? error.reason : error.message;
      this.refuse(row, shown, reason, { code: error.code as "E_EPOCH_UNIT", hint: error.hint });
    }
  }
}

function readWords(into: Instants, values: BigInt64Array, valid: Validity, us: (word: bigint) => bigint): void {
  for (let row = 0; row < values.length; row += 1) {
    if (!isValid(valid, row)) into.nothing(row);
    else into.read(row, String(values[row]), () => us(values[row]!));
  }
}

/** Instants, which are in the form that is wanted: most tables have these. */
function readInstants(into: Instants, values: BigInt64Array, valid: Validity, step: bigint): void {
  const words = new WordReader(values);
  for (let row = 0; row < values.length; row += 1) {
    if (!isValid(valid, row)) into.nothing(row);
    else into.set(row, step === 0n ? words.at(row) : values[row]! + step, () => `${values[row]} us`);
  }
}

function readNumbers(into: Instants, values: BigInt64Array, valid: Validity, { unit, epochUs }: InstantFormat): void {
  const factor = UNIT_US[unit]!;
  const epoch = Number(epochUs);
  const words = new WordReader(values);
  for (let row = 0; row < values.length; row += 1) {
    if (!isValid(valid, row)) {
      into.nothing(row);
      continue;
    }
    const us = words.safe(row) * factor + epoch;
    if (Number.isSafeInteger(us)) into.set(row, us, () => String(values[row]));
    else into.set(row, values[row]! * BigInt(factor) + epochUs, () => String(values[row]));
  }
}

const textAt = ({ bytes, offsets }: Utf8Texts, code: number): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset + offsets[code]!, offsets[code + 1]! - offsets[code]!).toString("utf8");

function readTexts(
  into: Instants,
  { codes, texts }: { readonly codes: Int32Array; readonly texts: Utf8Texts },
  { format, isEnd }: TimeRules,
): void {
  for (let row = 0; row < codes.length; row += 1) {
    const code = codes[row]!;
    const text = code < 0 ? "" : textAt(texts, code);
    // As in texts, an empty end is an open one.
    if (text === "" && (code < 0 || isEnd)) into.nothing(row);
    else into.read(row, text, () => instantOfText(text, format, isEnd));
  }
}

/** The time of each row in microseconds; OPEN_END_US for an open end. What is none is refused by its row. */
export function timesOf(given: TimeColumn, rules: TimeRules): BigInt64Array {
  const { column, name } = given;
  const { format, isEnd } = rules;
  const into = new Instants(name, rules);
  const isInclusive = isEnd && format.isEndInclusive;
  switch (column.form) {
    case "instant":
      readInstants(into, column.values, column.valid, isInclusive ? 1n : 0n);
      break;
    case "date": {
      const { zone } = format;
      const step = isInclusive ? DAY_US : 0n;
      readWords(into, column.values, column.valid, (us) => (zone === null ? us + step : zone.instantOf(us + step)));
      break;
    }
    case "int": {
      if (format.unit !== "iso") readNumbers(into, column.values, column.valid, format);
      else {
        readWords(into, column.values, column.valid, (word) => {
          const unit = likelyUnit(String(word < 0n ? -word : word).length);
          throw new RefusedValue("has no unit", "E_EPOCH_UNIT", `give the unit: ${unit} would fit its size`);
        });
      }
      break;
    }
    case "double": {
      const { values, valid } = column;
      for (let row = 0; row < values.length; row += 1) {
        const text = String(values[row]);
        if (!isValid(valid, row)) into.nothing(row);
        else into.read(row, text, () => instantOfText(text, format, isEnd));
      }
      break;
    }
    case "text":
      readTexts(into, column, rules);
      break;
    case "none":
      for (let row = 0; row < rules.rows.rowCount; row += 1) into.nothing(row);
      break;
    default:
      noTime(given);
  }
  return into.values;
}

/** How long each row holds, in microseconds: a duration, or a number of seconds. */
export function lengthsOf(given: TimeColumn, rows: PieceRows): BigInt64Array {
  const { column, name } = given;
  const lengths = new BigInt64Array(rows.rowCount);
  const take = (row: number, us: bigint, shown: string): void => {
    if (us < 0n) rows.refuse({ row, column: name, value: shown, reason: "is less than nothing" });
    else lengths[row] = us;
  };
  const missing = (row: number): void =>
    rows.refuse({ row, column: name, value: "", reason: "the duration is missing" });
  switch (column.form) {
    case "int":
    case "duration": {
      const factor = column.form === "int" ? 1_000_000n : 1n;
      for (const [row, word] of column.values.entries()) {
        if (!isValid(column.valid, row)) missing(row);
        else if (word > END_OF_CALENDAR_US)
          rows.refuse({ row, column: name, value: String(word), reason: "is too long" });
        else take(row, word * factor, String(word));
      }
      break;
    }
    case "double":
      for (const [row, seconds] of column.values.entries()) {
        const us = Math.round(seconds * 1e6);
        if (!isValid(column.valid, row)) missing(row);
        else if (!Number.isSafeInteger(us) || Math.abs(us / 1e6 - seconds) > Math.abs(seconds) * Number.EPSILON) {
          rows.refuse({ row, column: name, value: String(seconds), reason: "is no number of whole microseconds" });
        } else take(row, BigInt(us), String(seconds));
      }
      break;
    default:
      noTime(given);
  }
  return lengths;
}
