// Delimited text: RFC 4180 with any one-byte delimiter, and lines that end in LF or CRLF.
// A quote opens a quoted field only as its first byte; inside, "" is one quote and a line end is text.
import { FieldKind } from "./fields.js";
import { refusal } from "./refusal.js";
import { CR, LF, LONGEST_RECORD_BYTES, QUOTE, Tokenizer } from "./tokenizer.js";

/** Drops every second quote of a field, in place; gives its new end. */
function undouble(bytes: Uint8Array, from: number, to: number): number {
  let write = from;
  for (let read = from; read < to; read += 1) {
    const byte = bytes[read]!;
    bytes[write] = byte;
    write += 1;
    if (byte === QUOTE) read += 1;
  }
  return write;
}

export class DelimitedTokenizer extends Tokenizer {
  private hasDoubledQuote = false;
  private linesInRecord = 0;

  constructor(
    file: string,
    private readonly delimiter: number,
  ) {
    super(file);
  }

  override next(): boolean {
    this.skipBlankLines();
    if (this.at >= this.limit) return false;
    const from = this.at;
    this.recordFrom = from;
    const { fields } = this;
    fields.line = this.line;
    fields.slotCount = 0;
    this.hasDoubledQuote = false;
    this.linesInRecord = 0;
    const end = this.record(from);
    if (end < 0) return false;
    this.at = Math.min(end + 1, this.limit);
    this.line += this.linesInRecord + 1;
    this.checkBytes(from, end);
    if (this.hasDoubledQuote) this.undoubleFields();
    return true;
  }

  private skipBlankLines(): void {
    const { bytes } = this.fields;
    for (; this.at < this.limit; this.at += 1) {
      const byte = bytes[this.at];
      if (byte === LF) this.line += 1;
      else if (byte !== CR || (this.at + 1 < this.limit && bytes[this.at + 1] !== LF)) return;
    }
  }

  /** Reads the fields of the record at `from`; gives the position of its line end, or -1 when it is not whole yet. */
  private record(from: number): number {
    const { fields, limit, delimiter } = this;
    const { bytes } = fields;
    let at = from;
    for (;;) {
      if (at < limit && bytes[at] === QUOTE) {
        at = this.quoted(at);
        if (at < 0) return -1;
      } else {
        const start = at;
        let byte = LF;
        for (; at < limit; at += 1) {
          byte = bytes[at]!;
          if (byte === delimiter || byte === LF) break;
        }
        const isEnd = at >= limit || byte === LF;
        const end = isEnd && at > start && this.hasCarriageReturn && bytes[at - 1] === CR ? at - 1 : at;
        if (this.hasCarriageReturn) this.checkLoneCarriageReturn(start, end, at);
        this.push(start, end, end > start ? FieldKind.Bare : FieldKind.Absent);
      }
      if (at >= limit) return limit;
      if (bytes[at] === LF) return at;
      at += 1;
    }
  }

  /** Reads a quoted field whose quote is at `open`; gives the position of what ends it, or -1 when it is not whole. */
  private quoted(open: number): number {
    const { limit } = this;
    const { bytes } = this.fields;
    let at = open + 1;
    for (;;) {
      for (; at < limit && bytes[at] !== QUOTE; at += 1) if (bytes[at] === LF) this.linesInRecord += 1;
      if (at >= limit) return this.unclosed(open);
      if (at + 1 < limit && bytes[at + 1] === QUOTE) {
        this.hasDoubledQuote = true;
        at += 2;
        continue;
      }
      break;
    }
    const close = at;
    at += 1;
    if (at < limit && bytes[at] === CR && (at + 1 >= limit || bytes[at + 1] === LF)) at += 1;
    if (at < limit && bytes[at] !== this.delimiter && bytes[at] !== LF) {
      this.pass(at);
      throw refusal(this.place(), "a quoted field goes on after its closing quote", {
        hint: 'write a quote inside a quoted field twice ("")',
      });
    }
    this.push(open + 1, close, FieldKind.Quoted);
    return at;
  }

  private unclosed(open: number): number {
    if (this.isLast) {
      this.at = this.limit;
      throw refusal(this.place(), "a quoted field is never closed", { hint: 'close it with "' });
    }
    if (this.limit - open > LONGEST_RECORD_BYTES) this.refuseLength();
    return -1;
  }

  private checkLoneCarriageReturn(start: number, end: number, at: number): void {
    const found = this.fields.bytes.subarray(start, end).indexOf(CR);
    if (found < 0) return;
    this.pass(at);
    throw refusal(this.place(), "a carriage return stands alone", {
      hint: "lines end in LF or CRLF; a carriage return inside a field needs quotes",
    });
  }

  private place() {
    const column = this.fields.slotCount + 1;
    return { file: this.file, line: this.fields.line, column: String(column), columnNumber: column };
  }

  /** Passes the rest of a refused record. */
  private pass(at: number): void {
    this.at = Math.min(this.endOfLine(at) + 1, this.limit);
    this.line += this.linesInRecord + 1;
  }

  private push(from: number, to: number, kind: number): void {
    const { fields } = this;
    const slot = fields.slotCount;
    if (slot === fields.from.length) fields.grow();
    fields.from[slot] = from;
    fields.to[slot] = to;
    fields.kind[slot] = kind;
    fields.slotCount = slot + 1;
  }

  private undoubleFields(): void {
    const { fields } = this;
    for (let slot = 0; slot < fields.slotCount; slot += 1) {
      if (fields.kind[slot] !== FieldKind.Quoted) continue;
      fields.to[slot] = undouble(fields.bytes, fields.from[slot]!, fields.to[slot]!);
    }
  }
}
