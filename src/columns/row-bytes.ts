// Canonical JSON of a table's rows as bytes of UTF-8 (docs/contract.md "Values"), so that a digest over columns is that
// over rows. Cells are copied and digits written straight into a buffer: no string is made for a row.
import { canonicalNumber, canonicalString } from "../contract/canonical.js";
import { formatDuration } from "../contract/duration.js";
import { formatInstant, MICROS_PER_SECOND, OPEN_END_US } from "../contract/instant.js";
import { ByteWriter } from "./byte-writer.js";
import {
  type BoolColumn,
  type Column,
  type ColumnTable,
  type DoubleColumn,
  isValid,
  type TextColumn,
  type WordColumn,
} from "./column.js";
import { wideAt } from "./rows-of-columns.js";
import { WordReader } from "./words.js";

/** Writes the cell of a row. */
type CellWriter = (row: number, out: ByteWriter) => void;

const encoder = new TextEncoder();
const NULL = encoder.encode("null");
const TRUE = encoder.encode("true");
const FALSE = encoder.encode("false");

const SECONDS_PER_DAY = 86_400;

/** Instants of one column; rows mostly share few dates, so the text of the last one is kept. */
class InstantWriter {
  private days = Number.NaN;
  private date = new Uint8Array(0);

  /** `us` is a safe integer. */
  write(us: number, out: ByteWriter): void {
    const seconds = Math.floor(us / 1_000_000);
    const micros = us - seconds * 1_000_000;
    const days = Math.floor(seconds / SECONDS_PER_DAY);
    if (days !== this.days) {
      const midnight = formatInstant(BigInt(days) * BigInt(SECONDS_PER_DAY) * MICROS_PER_SECOND);
      this.date = encoder.encode(`"${midnight.slice(0, -"00:00:00Z".length)}`);
      this.days = days;
    }
    const second = seconds - days * SECONDS_PER_DAY;
    out.bytes(this.date);
    out.digits(Math.floor(second / 3600), 2);
    out.byte(COLON);
    out.digits(Math.floor(second / 60) % 60, 2);
    out.byte(COLON);
    out.digits(second % 60, 2);
    if (micros !== 0) {
      out.byte(POINT);
      out.digits(micros, 6);
    }
    out.byte(Z);
    out.byte(QUOTE);
  }
}
const COLON = 0x3a;
const POINT = 0x2e;
const Z = 0x5a;
const QUOTE = 0x22;

function wordWriter({ type, values, valid }: WordColumn): CellWriter {
  const reader = new WordReader(values);
  const orNull =
    (write: CellWriter): CellWriter =>
    (row, out) =>
      isValid(valid, row) ? write(row, out) : out.bytes(NULL);
  if (type === "int") {
    return orNull((row, out) => {
      const value = reader.safe(row);
      if (Number.isNaN(value)) out.ascii(values[row]!.toString());
      else out.integer(value);
    });
  }
  if (type === "duration") return orNull((row, out) => out.ascii(`"${formatDuration(values[row]!)}"`));
  const instants = new InstantWriter();
  return orNull((row, out) => {
    const us = reader.safe(row);
    if (!Number.isNaN(us)) instants.write(us, out);
    else if (type === "instant_open" && values[row] === OPEN_END_US) out.bytes(NULL);
    else out.ascii(`"${formatInstant(values[row]!)}"`);
  });
}

function doubleWriter({ values, valid, wide }: DoubleColumn): CellWriter {
  return (row, out) => {
    const place = wide === undefined ? -1 : wideAt(wide, row);
    const value = values[row]!;
    if (place >= 0) out.ascii(wide!.values[place]!.toString());
    else if (!isValid(valid, row)) out.bytes(NULL);
    else if (Number.isSafeInteger(value)) out.integer(value);
    else out.ascii(canonicalNumber(value));
  };
}

function boolWriter({ values, valid }: BoolColumn): CellWriter {
  return (row, out) => out.bytes(!isValid(valid, row) ? NULL : values[row] === 1 ? TRUE : FALSE);
}

/** Texts are encoded when they are first met, one behind the other. */
function textWriter({ type, codes, dictionary }: TextColumn): CellWriter {
  const texts = new ByteWriter();
  const from = new Int32Array(dictionary.length).fill(-1);
  const to = new Int32Array(dictionary.length);
  return (row, out) => {
    const code = codes[row]!;
    if (code < 0) {
      out.bytes(NULL);
      return;
    }
    if (from[code]! < 0) {
      const text = dictionary[code]!;
      from[code] = texts.length;
      texts.utf8(type === "json" ? text : canonicalString(text));
      to[code] = texts.length;
    }
    out.copy(texts, from[code]!, to[code]!);
  };
}

function cellWriter(column: Column): CellWriter {
  switch (column.type) {
    case "double":
      return doubleWriter(column);
    case "bool":
      return boolWriter(column);
    case "string":
    case "json":
      return textWriter(column);
    default:
      return wordWriter(column);
  }
}

const ROWS_AT_ONCE = 500;

/**
 * The canonical JSON of the list of all rows, brackets included, in pieces of some hundred rows. A piece may be
 * overwritten once the next one is asked for.
 */
export function* rowBytes(table: ColumnTable): Generator<Uint8Array> {
  const sorted = [...table.columns].sort((a, b) => (a.name < b.name ? -1 : 1));
  const members = sorted.map(({ name, column }, i) => {
    const key = encoder.encode(`${i === 0 ? "{" : ","}${canonicalString(name)}:`);
    return { key, write: cellWriter(column) };
  });
  const end = encoder.encode(members.length === 0 ? "{}" : "}");
  const out = new ByteWriter();
  for (let from = 0; from < table.rowCount; from += ROWS_AT_ONCE) {
    out.clear();
    for (let row = from; row < Math.min(from + ROWS_AT_ONCE, table.rowCount); row += 1) {
      out.byte(row === 0 ? OPEN : COMMA);
      for (const { key, write } of members) {
        out.bytes(key);
        write(row, out);
      }
      out.bytes(end);
    }
    yield out.written();
  }
  yield encoder.encode(table.rowCount === 0 ? "[]" : "]");
}
const OPEN = 0x5b;
const COMMA = 0x2c;
