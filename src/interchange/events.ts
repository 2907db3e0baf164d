// A file of events as typed columns, in pieces: one row a record, ready for `ingest`.
// Records become bytes and integers directly; strings are never made for them.
import { END_OF_CALENDAR_US, OPEN_END_US } from "../contract/instant.js";
import { LIMITS } from "../contract/values.js";
import { Cells } from "./cells.js";
import type { Column, ColumnsSeen } from "./columns-seen.js";
import type { Fields } from "./fields.js";
import type { InstantFormat } from "./instants.js";
import { Int64Column } from "./int64-column.js";
import { type PieceWidth, PropertyColumn, type PropertyValues } from "./property-column.js";
import { type RecordSink, RecordSource, type SourceOptions } from "./record-source.js";
import { RefusedValue } from "./refusal.js";
import { TextColumn, type TextValues } from "./text-column.js";

/** A property: the column that holds it and the name it gets; null takes the column's own name. */
export interface PropertyRequest {
  readonly column: string;
  readonly name: string | null;
}

/** Which columns of the file are what. Columns are named by header name, by number from 1, or by JSON key. */
export interface EventColumnNames {
  readonly src: string;
  readonly dst: string;
  readonly time: string;
  /** The time of day, where `time` is only the date. */
  readonly clock: string | null;
  readonly validTo: string | null;
  /** How many seconds an event holds, instead of `validTo`. */
  readonly duration: string | null;
  readonly type: string | null;
  /** The type of a row whose cell is empty; null: such a row is refused. */
  readonly typeOtherwise: string | null;
  readonly key: string | null;
  /** When the row came to be believed: the time of its commit. */
  readonly txTime: string | null;
  readonly props: readonly PropertyRequest[];
  /** Whether every column that is nothing else is a property. */
  readonly allProps: boolean;
}

export interface EventOptions extends SourceOptions {
  readonly columns: EventColumnNames;
  readonly instants: InstantFormat;
  /** Rows of one piece at most. */
  readonly rowsPerPiece?: number;
  /** A piece ends wherever a batch of so many rows does; left out, the file is one batch. */
  readonly rowsPerBatch?: number;
}

/** One piece of a file, as `ingest` takes it. */
export interface EventPiece {
  readonly rows: number;
  readonly src: TextValues;
  readonly dst: TextValues;
  readonly time: BigInt64Array;
  readonly valid_to?: BigInt64Array;
  readonly type?: TextValues;
  /** Times of commits; not for `ingest`, which makes one commit. */
  readonly tx_time?: BigInt64Array;
  /** Where `present` is 0 the store chooses the key. */
  readonly key?: TextValues & { readonly present: Uint8Array };
  readonly props: readonly PropertyValues[];
}

const ROWS_PER_PIECE = 16_384;
/** Rows times columns of properties: what a piece of many columns, most of them empty, may hold. */
const CELLS_PER_PIECE = 1 << 22;
const NO_BYTES = new Uint8Array(0);

/** The columns that are neither src, dst nor time are null where nobody asked for them. */
interface Places {
  readonly src: Column;
  readonly dst: Column;
  readonly time: Column;
  readonly clock: Column | null;
  readonly validTo: Column | null;
  readonly duration: Column | null;
  readonly type: Column | null;
  readonly key: Column | null;
  readonly txTime: Column | null;
}

class EventRows implements RecordSink {
  private rows = 0;
  /** Rows that the batch at hand still takes, those gathered here included. */
  private rowsLeft: number;
  private readonly src = new TextColumn();
  private readonly dst = new TextColumn();
  private readonly key = new TextColumn();
  private readonly type = new TextColumn();
  private readonly typeOtherwise: Uint8Array | null;
  private keyPresent: Uint8Array;
  private readonly time = new Int64Column();
  private readonly validTo = new Int64Column();
  private readonly txTime = new Int64Column();
  private readonly width: PieceWidth = { columns: 0 };
  private readonly props: PropertyColumn[] = [];
  private readonly propColumns: Column[] = [];
  private readonly at: Places;

  constructor(
    private readonly seen: ColumnsSeen,
    names: EventColumnNames,
    private readonly cells: Cells,
    private readonly capacity: number,
    private readonly rowsPerBatch: number,
  ) {
    this.rowsLeft = rowsPerBatch;
    const optional = (name: string | null) => (name === null ? null : seen.find(name));
    this.at = {
      src: seen.find(names.src),
      dst: seen.find(names.dst),
      time: seen.find(names.time),
      clock: optional(names.clock),
      validTo: optional(names.validTo),
      duration: optional(names.duration),
      type: optional(names.type),
      key: optional(names.key),
      txTime: optional(names.txTime),
    };
    for (const { column, name } of names.props) this.addProperty(seen.find(column), name);
    if (names.allProps) for (const column of seen.others()) this.addProperty(column, null);
    this.typeOtherwise = names.typeOtherwise === null ? null : Buffer.from(names.typeOtherwise, "utf8");
    this.keyPresent = new Uint8Array(capacity);
  }

  private addProperty(column: Column, name: string | null): void {
    this.propColumns.push(column);
    this.props.push(new PropertyColumn(name ?? column.name, column.slot, this.width));
  }

  get isFull(): boolean {
    const { rows } = this;
    return rows === this.capacity || rows === this.rowsLeft || rows * this.width.columns >= CELLS_PER_PIECE;
  }

  add(fields: Fields): void {
    try {
      this.addRow(this.rows, fields);
      this.rows += 1;
    } catch (error) {
      this.forget(this.rows);
      throw this.cells.explain(error, fields);
    }
  }

  private addRow(row: number, fields: Fields): void {
    const { cells, at } = this;
    const { bytes } = fields;
    const time = cells.instant(fields, at.time, { isEnd: false, clock: at.clock });
    this.time.write(row, time);
    if (at.validTo !== null) this.validTo.write(row, this.end(fields, at.validTo, time));
    if (at.duration !== null) this.validTo.write(row, this.endAfter(fields, at.duration, time));
    if (at.txTime !== null) this.txTime.write(row, cells.pastInstant(fields, at.txTime));
    let slot = cells.text(fields, at.src, LIMITS.uidBytes, { mayBeEmpty: false });
    this.src.append(row, bytes, fields.from[slot]!, fields.to[slot]!);
    slot = cells.text(fields, at.dst, LIMITS.uidBytes, { mayBeEmpty: false });
    this.dst.append(row, bytes, fields.from[slot]!, fields.to[slot]!);
    if (at.type !== null) this.addType(row, fields, at.type);
    if (at.key !== null) this.addKey(row, fields, at.key);
    for (const column of this.seen.discovered()) this.addProperty(column, null);
    for (let i = 0; i < this.props.length; i += 1) {
      cells.at(this.propColumns[i]!);
      this.props[i]!.append(row, fields);
    }
  }

  private end(fields: Fields, column: Column, time: number | bigint): number | bigint {
    const slot = this.cells.at(column);
    // An empty cell is an open end, quoted or not: there is no other meaning it could have.
    if (!fields.has(slot) || fields.from[slot] === fields.to[slot]) return OPEN_END_US;
    const end = this.cells.instant(fields, column, { isEnd: true });
    if (end <= time) {
      throw new RefusedValue(
        "is not after the time of the event",
        "E_PERIOD_ORDER",
        "swap the two columns, or leave the end empty for an open one",
      );
    }
    return end;
  }

  /** The end of an event that is so many seconds long; one that has no length holds for an instant. */
  private endAfter(fields: Fields, column: Column, time: number | bigint): number | bigint {
    const duration = BigInt(this.cells.seconds(fields, column));
    const end = BigInt(time) + (duration === 0n ? 1n : duration);
    if (end > END_OF_CALENDAR_US) throw new RefusedValue("ends after the calendar does (year 9999)");
    return end;
  }

  private addType(row: number, fields: Fields, column: Column): void {
    if (!fields.has(column.slot) && this.typeOtherwise !== null) {
      this.type.append(row, this.typeOtherwise, 0, this.typeOtherwise.length);
      return;
    }
    const slot = this.cells.text(fields, column, LIMITS.nameBytes, { mayBeEmpty: false });
    this.type.append(row, fields.bytes, fields.from[slot]!, fields.to[slot]!);
  }

  private addKey(row: number, fields: Fields, column: Column): void {
    if (!fields.has(column.slot)) {
      this.keyPresent[row] = 0;
      this.key.append(row, NO_BYTES, 0, 0);
      return;
    }
    const slot = this.cells.text(fields, column, LIMITS.keyBytes, { mayBeEmpty: true });
    this.keyPresent[row] = 1;
    this.key.append(row, fields.bytes, fields.from[slot]!, fields.to[slot]!);
  }

  private forget(row: number): void {
    this.src.truncate(row);
    this.dst.truncate(row);
    this.key.truncate(row);
    this.type.truncate(row);
    for (const prop of this.props) prop.truncate(row);
  }

  /** Gives the rows away and starts anew; null when there are none. */
  take(): EventPiece | null {
    const { rows } = this;
    if (rows === 0) return null;
    const piece: EventPiece = {
      rows,
      src: this.src.take(rows),
      dst: this.dst.take(rows),
      time: this.time.take(rows),
      ...(this.at.validTo === null && this.at.duration === null ? {} : { valid_to: this.validTo.take(rows) }),
      ...(this.at.type === null ? {} : { type: this.type.take(rows) }),
      ...(this.at.txTime === null ? {} : { tx_time: this.txTime.take(rows) }),
      ...(this.at.key === null ? {} : { key: { ...this.key.take(rows), present: this.keyPresent.slice(0, rows) } }),
      props: this.props.flatMap((prop) => prop.take(rows)),
    };
    this.rows = 0;
    this.rowsLeft = rows === this.rowsLeft ? this.rowsPerBatch : this.rowsLeft - rows;
    return piece;
  }
}

/** Reads a file of events. Refusals end it, or are handed to `onRefusal` and skipped. */
export async function* readEvents(file: string, options: EventOptions): AsyncGenerator<EventPiece> {
  const { source, columns } = await RecordSource.open(file, options);
  const cells = new Cells(file, options.instants, () => source.keysOfRecord());
  const rowsPerPiece = options.rowsPerPiece ?? ROWS_PER_PIECE;
  const rowsPerBatch = options.rowsPerBatch ?? Number.MAX_SAFE_INTEGER;
  const rows = new EventRows(columns, options.columns, cells, rowsPerPiece, rowsPerBatch);
  for await (const _ of source.fill(rows)) {
    const piece = rows.take();
    if (piece !== null) yield piece;
  }
}
