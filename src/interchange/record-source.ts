// A file as a run of records: bytes fed to its tokenizer, the header taken off, refusals stopped at or skipped.
// What the fields mean is for the readers above.
import { PalimpsestError } from "../contract/errors.js";
import { Pace } from "../event-loop/pace.js";
import { readChunks } from "./byte-source.js";
import { ColumnsSeen } from "./columns-seen.js";
import { FieldKind, type Fields } from "./fields.js";
import { type FileFormat, tokenizerOf } from "./formats.js";
import { JsonLinesTokenizer } from "./json-lines.js";
import { refusal } from "./refusal.js";
import type { Tokenizer } from "./tokenizer.js";

export interface SourceOptions {
  readonly format: FileFormat;
  /** One character for csv and tsv, null for the format's own. */
  readonly delimiter: string | null;
  readonly hasHeader: boolean;
  readonly onError: "stop" | "skip";
  /** Words that mean no value where they stand bare: `NULL`, `NA`. */
  readonly nullWords?: readonly string[];
  /** Whether `recordBytes` is wanted of good records too. */
  readonly keepsRecords?: boolean;
  /** Whether a header alone is a file of no rows; else that is refused. */
  readonly mayBeEmpty?: boolean;
  /** Hears each refused record when `onError` is "skip": why, and the record as the file has it. */
  readonly onRefusal?: (error: PalimpsestError, record: Uint8Array) => void;
  /** Hears how many bytes of the file have been read. */
  readonly onRead?: (bytes: number) => void;
}

/** What makes rows of records. */
export interface RecordSink {
  /** Takes one record, or throws a refusal and leaves nothing of it behind. */
  add(fields: Fields): void;
  /** Whether what was gathered should be handed on now. */
  readonly isFull: boolean;
}

/** Looking at the clock costs about as much as a record. */
const RECORDS_PER_LOOK = 256;

export class RecordSource {
  private readonly tokenizer: Tokenizer;
  private readonly chunks: AsyncGenerator<Uint8Array>;
  /** The first record of a file without header waits in the tokenizer's fields. */
  private hasPeeked = false;
  private hasEnded = false;
  private expectedSlots: number | null = null;
  private readonly nullWords: readonly Uint8Array[];
  recordCount = 0;

  private constructor(
    private readonly file: string,
    private readonly options: SourceOptions,
  ) {
    this.tokenizer = tokenizerOf(file, options.format, options.delimiter);
    if (options.onError === "skip" || options.keepsRecords === true) this.tokenizer.keepRecords();
    this.nullWords = (options.nullWords ?? []).map((word) => Buffer.from(word, "utf8"));
    if (this.nullWords.length > 0 && options.format === "jsonl") {
      throw new PalimpsestError("E_INVALID_ARG", "words for no value do not go with jsonl", { hint: "JSON has null" });
    }
    this.chunks = readChunks(file, options.onRead);
  }

  /** Opens the file and looks at its first record; a file without any is refused. */
  static async open(file: string, options: SourceOptions): Promise<{ source: RecordSource; columns: ColumnsSeen }> {
    const source = new RecordSource(file, options);
    try {
      return { source, columns: await source.peek() };
    } catch (error) {
      await source.close();
      throw error;
    }
  }

  private async peek(): Promise<ColumnsSeen> {
    const { tokenizer, file } = this;
    // JSON has no slots before columns are asked for, so nothing can be peeked.
    if (tokenizer instanceof JsonLinesTokenizer) return new ColumnsSeen(file, tokenizer, null, null);
    while (!tokenizer.next()) {
      if (!(await this.feed())) {
        throw refusal({ file, line: 0 }, "the file is empty", { hint: "there is nothing to load" });
      }
    }
    const { fields } = tokenizer;
    const isDelimited = this.options.format !== "snap";
    if (isDelimited) this.expectedSlots = fields.slotCount;
    if (isDelimited && this.options.hasHeader) {
      const header = Array.from({ length: fields.slotCount }, (_, slot) => fields.text(slot));
      return new ColumnsSeen(file, tokenizer, header, header.length);
    }
    this.hasPeeked = true;
    return new ColumnsSeen(file, tokenizer, null, isDelimited ? fields.slotCount : null);
  }

  private async feed(): Promise<boolean> {
    const chunk = await this.chunks.next();
    if (!chunk.done) {
      this.tokenizer.feed(chunk.value, false);
      return true;
    }
    if (this.hasEnded) return false;
    this.hasEnded = true;
    this.tokenizer.feed(new Uint8Array(0), true);
    return true;
  }

  /** Gives every record to the sink; yields whenever the sink is full, and once at the end. */
  async *fill(sink: RecordSink): AsyncGenerator<void> {
    const pace = new Pace();
    try {
      do {
        while (this.drain(sink)) {
          if (sink.isFull) yield;
          if (pace.isDue) await pace.rest();
        }
      } while (await this.feed());
      if (this.recordCount === 0 && this.options.mayBeEmpty !== true) {
        throw refusal({ file: this.file, line: 0 }, "the file has no rows", { hint: "there is nothing to load" });
      }
      this.checkKeys();
      yield;
    } finally {
      await this.close();
    }
  }

  /** A slice of records; false when more bytes are needed. */
  private drain(sink: RecordSink): boolean {
    const { tokenizer } = this;
    try {
      for (let i = 0; i < RECORDS_PER_LOOK && !sink.isFull; i += 1) {
        if (this.hasPeeked) this.hasPeeked = false;
        else if (!tokenizer.next()) return false;
        this.recordCount += 1;
        if (this.expectedSlots !== null && tokenizer.fields.slotCount !== this.expectedSlots) this.refuseSlots();
        if (this.nullWords.length > 0) this.dropNullWords(tokenizer.fields);
        sink.add(tokenizer.fields);
      }
    } catch (error) {
      this.skipOrThrow(error);
    }
    return true;
  }

  private skipOrThrow(error: unknown): void {
    const isRefusal = error instanceof PalimpsestError && !this.tokenizer.isBroken;
    if (!isRefusal || this.options.onError === "stop") throw error;
    this.options.onRefusal?.(error, this.tokenizer.recordBytes());
  }

  private dropNullWords(fields: Fields): void {
    for (let slot = 0; slot < fields.slotCount; slot += 1) {
      if (fields.kind[slot] === FieldKind.Bare && this.isNullWord(fields, slot)) {
        fields.kind[slot] = FieldKind.Absent;
        fields.to[slot] = fields.from[slot]!;
      }
    }
  }

  private isNullWord({ bytes, from, to }: Fields, slot: number): boolean {
    const start = from[slot]!;
    const length = to[slot]! - start;
    return this.nullWords.some((word) => word.length === length && word.every((byte, i) => bytes[start + i] === byte));
  }

  private refuseSlots(): never {
    const { fields } = this.tokenizer;
    throw refusal(
      { file: this.file, line: fields.line },
      `the record has ${fields.slotCount} columns, the first one has ${this.expectedSlots}`,
      { hint: "look for a delimiter that is missing or that should stand in quotes" },
    );
  }

  private checkKeys(): void {
    if (!(this.tokenizer instanceof JsonLinesTokenizer)) return;
    const unseen = this.tokenizer.unseenKeys();
    if (unseen.length === 0) return;
    throw new PalimpsestError("E_SCHEMA", `${this.file}: no line has the column ${JSON.stringify(unseen[0])}`, {
      details: { file: this.file, column: unseen[0] },
      hint: "columns of JSON lines are keys of its objects, written as they stand there",
    });
  }

  /** The record at hand as the file has it. */
  recordBytes(): Uint8Array {
    return this.tokenizer.recordBytes();
  }

  /** The keys of the record at hand, for messages; [] where columns are not keys. */
  keysOfRecord(): string[] {
    return this.tokenizer instanceof JsonLinesTokenizer ? this.tokenizer.keysOfLine() : [];
  }

  /** Lets the file go; `fill` does it by itself. */
  async close(): Promise<void> {
    await this.chunks.return(undefined);
  }
}
