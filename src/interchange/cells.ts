// Reads single cells of a record and says where the refused one stands.
// Shared by the readers of events and of nodes.
import { PalimpsestError } from "../contract/errors.js";
import type { Column } from "./columns-seen.js";
import { FieldKind, type Fields } from "./fields.js";
import { type InstantFormat, instantOfText, readInstant } from "./instants.js";
import { RefusedValue, refusal } from "./refusal.js";

const SECONDS: InstantFormat = { unit: "s", zone: null, epochUs: 0n, patterns: null, isEndInclusive: false };
const WHOLE_NUMBER = /^-?\d+$/;

export class Cells {
  /** The column at hand, for messages. */
  private column: Column | null = null;
  private readonly nowUs = Date.now() * 1000;

  constructor(
    private readonly file: string,
    private readonly instants: InstantFormat,
    private readonly keysOfRecord: () => string[],
  ) {}

  /** Makes `column` the one that a refusal names. */
  at(column: Column): number {
    this.column = column;
    return column.slot;
  }

  /** The slot of a text of 1 (or 0, with `mayBeEmpty`) to `mostBytes` bytes. */
  text(fields: Fields, column: Column, mostBytes: number, options: { mayBeEmpty: boolean }): number {
    const slot = this.at(column);
    const kind = slot < fields.slotCount ? fields.kind[slot] : FieldKind.Absent;
    if (kind === FieldKind.Absent) this.refuseMissing();
    if (kind === FieldKind.Boolean || kind === FieldKind.Nested) throw new RefusedValue("is no text");
    if (kind === FieldKind.Number && !WHOLE_NUMBER.test(fields.text(slot))) {
      throw new RefusedValue("is no text and no whole number", "E_INVALID_ARG", "write it in quotes");
    }
    const bytes = fields.to[slot]! - fields.from[slot]!;
    if (bytes === 0 && !options.mayBeEmpty) throw new RefusedValue("must not be empty");
    if (bytes > mostBytes) throw new RefusedValue(`is ${bytes} bytes long, more than the ${mostBytes} allowed`);
    return slot;
  }

  /** `clock`: the column of the time of day, where `column` has only the date. */
  instant(fields: Fields, column: Column, options: { isEnd: boolean; clock?: Column | null }): number | bigint {
    const slot = this.timeSlot(fields, column);
    const { clock } = options;
    if (clock === undefined || clock === null) {
      return readInstant(fields.bytes, fields.from[slot]!, fields.to[slot]!, this.instants, options.isEnd);
    }
    const text = `${fields.text(slot)} ${fields.text(this.timeSlot(fields, clock))}`;
    return instantOfText(text, this.instants, options.isEnd);
  }

  private timeSlot(fields: Fields, column: Column): number {
    const slot = this.at(column);
    if (!fields.has(slot)) this.refuseMissing();
    const kind = fields.kind[slot];
    if (kind === FieldKind.Boolean || kind === FieldKind.Nested) throw new RefusedValue("is no time");
    return slot;
  }

  /** The time of a commit: no later than now. */
  pastInstant(fields: Fields, column: Column): number | bigint {
    const us = this.instant(fields, column, { isEnd: false });
    if (us <= this.nowUs) return us;
    throw new RefusedValue(
      "is after now: nothing can be believed before it is",
      "E_INVALID_ARG",
      "look for a wrong unit or column",
    );
  }

  /** Microseconds of a length in seconds; 0 where the cell is empty. */
  seconds(fields: Fields, column: Column): number | bigint {
    const slot = this.at(column);
    if (!fields.has(slot)) return 0;
    const us = readInstant(fields.bytes, fields.from[slot]!, fields.to[slot]!, SECONDS, false);
    if (us < 0) throw new RefusedValue("is below 0", "E_PERIOD_ORDER");
    return us;
  }

  private refuseMissing(): never {
    const keys = this.keysOfRecord();
    const seen = keys.length > 0 ? `the line has ${keys.map((key) => JSON.stringify(key)).join(", ")}` : "";
    throw new RefusedValue(seen === "" ? "is missing" : `is missing; ${seen}`, "E_INVALID_ARG", "", {
      showsValue: true,
    });
  }

  /** The error to throw for what was thrown while the cell at hand was read. */
  explain(error: unknown, fields: Fields): unknown {
    const isOurs = error instanceof RefusedValue || error instanceof PalimpsestError;
    if (!isOurs || this.column === null) return error;
    const { slot, name, number } = this.column;
    const place = {
      file: this.file,
      line: fields.line,
      column: name,
      ...(number === undefined ? {} : { columnNumber: number }),
      value: fields.text(slot),
    };
    if (error instanceof RefusedValue) {
      return refusal(place, error.reason, { code: error.code, hint: error.hint, showsValue: error.showsValue });
    }
    return refusal(place, `: ${error.message}`, { code: error.code, hint: error.hint, cause: error });
  }
}
