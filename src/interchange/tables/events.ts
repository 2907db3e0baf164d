// A table of events as typed columns for `ingest`: the reader of text files' twin, for tables that have columns already.

import { PalimpsestError } from "../../contract/errors.js";
import { END_OF_CALENDAR_US, OPEN_END_US } from "../../contract/instant.js";
import { LIMITS } from "../../contract/values.js";
import type { EventColumnNames, EventPiece } from "../events.js";
import type { InstantFormat } from "../instants.js";
import { canBeProperty, PROPERTY_NAME_RULE } from "../property-name.js";
import { asRefusal } from "../refusal.js";
import { type PieceColumns, piecesOf } from "./piece-columns.js";
import { type GivenProperty, judgedProperty } from "./properties.js";
import { picked, presentCodes, type RefusalRules } from "./rows.js";
import { columnOf, type TableReader } from "./table-reader.js";
import { type CodedTexts, namesOf, textValues } from "./texts.js";
import { lengthsOf } from "./times.js";

export interface TableEventOptions extends RefusalRules {
  readonly columns: EventColumnNames;
  readonly instants: InstantFormat;
}

/** The names that options give, as the table has them; null where nobody asked. */
interface Places {
  readonly src: string;
  readonly dst: string;
  readonly time: string;
  readonly validTo: string | null;
  readonly duration: string | null;
  readonly type: string | null;
  readonly key: string | null;
  readonly txTime: string | null;
  readonly props: readonly { readonly column: string; readonly name: string }[];
}

/** Columns of properties, in the names that our own tables give them. */
const PROPERTY_PREFIX = "props.";
export const propertyName = (column: string): string =>
  column.startsWith(PROPERTY_PREFIX) ? column.slice(PROPERTY_PREFIX.length) : column;

export function noClock(clock: string | null): void {
  if (clock === null) return;
  throw new PalimpsestError("E_INVALID_ARG", "a time of day beside a date does not go with tables by columns", {
    hint: "add the two columns up where the table is made",
  });
}

/** The properties that are asked for: named ones, and all that are nothing else. */
export function propertyColumns(
  reader: TableReader,
  { props, allProps }: Pick<EventColumnNames, "props" | "allProps">,
  others: readonly (string | null)[],
): { readonly column: string; readonly name: string }[] {
  const request = (column: string, name: string | null) => {
    const wanted = name ?? propertyName(column);
    if (canBeProperty(wanted)) return { column, name: wanted };
    throw new PalimpsestError("E_SCHEMA", `column ${JSON.stringify(column)}: ${PROPERTY_NAME_RULE}`, {
      details: { column },
      hint: "give the property a name of its own, or leave the column out",
    });
  };
  const named = props.map(({ column, name }) => request(columnOf(reader, column), name));
  if (!allProps) return named;
  const taken = new Set([...others, ...named.map(({ column }) => column)]);
  const rest = reader.columns.filter((column) => !taken.has(column));
  return [...named, ...rest.map((column) => request(column, null))];
}

function placesIn(reader: TableReader, names: EventColumnNames): Places {
  noClock(names.clock);
  const optional = (name: string | null) => (name === null ? null : columnOf(reader, name));
  const own = {
    src: columnOf(reader, names.src),
    dst: columnOf(reader, names.dst),
    time: columnOf(reader, names.time),
    validTo: optional(names.validTo),
    duration: optional(names.duration),
    type: optional(names.type),
    key: optional(names.key),
    txTime: optional(names.txTime),
  };
  return { ...own, props: propertyColumns(reader, names, Object.values(own)) };
}

const wantedOf = ({ props, ...own }: Places): string[] => [
  ...Object.values(own).filter((name) => name !== null),
  ...props.map(({ column }) => column),
];

const UID = { mostBytes: LIMITS.uidBytes, mayBeEmpty: false, mayBeMissing: false };

/** What one piece becomes. */
class EventMaker {
  constructor(
    private readonly given: PieceColumns,
    private readonly at: Places,
    private readonly options: TableEventOptions,
  ) {}

  /** The end of each row; undefined where the table says none. */
  private ends(time: BigInt64Array): BigInt64Array | undefined {
    const { validTo, duration } = this.at;
    if (validTo !== null) {
      const ends = this.given.times(validTo, true);
      for (let row = 0; row < ends.length; row += 1) {
        if (ends[row]! > time[row]! || !this.given.rows.has(row)) continue;
        const hint = "swap the two columns, or leave the end null for an open one";
        const reason = "is not after the time of the event";
        this.given.rows.refuse({
          row,
          column: validTo,
          value: `${ends[row]} us`,
          reason,
          code: "E_PERIOD_ORDER",
          hint,
        });
      }
      return ends;
    }
    if (duration === null) return undefined;
    const lengths = lengthsOf({ name: duration, column: this.given.column(duration) }, this.given.rows);
    return lengths.map((length, row) => {
      const end = time[row]! + (length === 0n ? 1n : length);
      if (end <= END_OF_CALENDAR_US) return end;
      this.given.rows.refuse({
        row,
        column: duration,
        value: `${length} us`,
        reason: "ends after the calendar does (year 9999)",
      });
      return OPEN_END_US;
    });
  }

  private types(): CodedTexts | undefined {
    const { type } = this.at;
    if (type === null) return undefined;
    const { typeOtherwise } = this.options.columns;
    const rules = {
      mostBytes: LIMITS.nameBytes,
      mayBeEmpty: typeOtherwise !== null,
      mayBeMissing: typeOtherwise !== null,
    };
    const given = namesOf(type, this.given.column(type), rules, this.given.rows);
    return typeOtherwise === null ? given : withDefault(given, typeOtherwise);
  }

  make(): EventPiece {
    const { given, at, options } = this;
    const { rows } = given;
    const time = given.times(at.time, false);
    const validTo = this.ends(time);
    const txTime = at.txTime === null ? undefined : given.times(at.txTime, false);
    const src = namesOf(at.src, given.column(at.src), UID, rows);
    const dst = namesOf(at.dst, given.column(at.dst), UID, rows);
    const type = this.types();
    const keyRules = { mostBytes: LIMITS.keyBytes, mayBeEmpty: true, mayBeMissing: true };
    const key = at.key === null ? undefined : namesOf(at.key, given.column(at.key), keyRules, rows);
    const props = at.props.map(({ column, name }) => {
      const property: GivenProperty = { name, from: column, column: given.column(column) };
      return judgedProperty(property, rows);
    });
    rows.settle(options);
    const kept = rows.kept();
    return {
      rows: kept?.length ?? rows.rowCount,
      src: textValues(src, kept),
      dst: textValues(dst, kept),
      time: picked(time, kept),
      ...(validTo === undefined ? {} : { valid_to: picked(validTo, kept) }),
      ...(txTime === undefined ? {} : { tx_time: picked(txTime, kept) }),
      ...(type === undefined ? {} : { type: textValues(type, kept) }),
      ...(key === undefined ? {} : { key: { ...textValues(key, kept), present: presentKeys(key, kept) } }),
      props: props.flatMap((property) => property.take(kept)),
    };
  }
}

const presentKeys = ({ codes }: CodedTexts, kept: Uint32Array | null): Uint8Array => presentCodes(picked(codes, kept));

/** The same texts with one more behind them, which stands where a row has none or an empty one. */
function withDefault({ codes, texts }: CodedTexts, otherwise: string): CodedTexts {
  const { bytes, offsets } = texts;
  const count = offsets.length - 1;
  const end = offsets[count]!;
  const more = Buffer.from(otherwise, "utf8");
  const all = new Uint8Array(end + more.length);
  all.set(bytes.subarray(0, end));
  all.set(more, end);
  const isNone = (code: number): boolean => code < 0 || offsets[code] === offsets[code + 1];
  return {
    codes: codes.map((code) => (isNone(code) ? count : code)),
    texts: { bytes: all, offsets: withEnd(offsets, all.length) },
  };
}

function withEnd(offsets: Int32Array, end: number): Int32Array {
  const longer = new Int32Array(offsets.length + 1);
  longer.set(offsets);
  longer[offsets.length] = end;
  return longer;
}

/** Reads a table of events in pieces. Refusals end it, or are handed to `onRefusal` and left out. */
export async function* readTableEvents(
  reader: TableReader,
  options: TableEventOptions,
): AsyncGenerator<EventPiece, void, undefined> {
  try {
    const places = placesIn(reader, options.columns);
    for await (const piece of piecesOf(reader, wantedOf(places), options.instants)) {
      const made = new EventMaker(piece, places, options).make();
      if (made.rows > 0) yield made;
    }
  } catch (error) {
    throw asRefusal(error, { file: reader.name, line: 0 });
  } finally {
    await reader.close();
  }
}
