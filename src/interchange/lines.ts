// The lines of a text file, each with its number: for formats whose records are documents of their own.
// Empty lines are passed; bytes that are no text are refused where they stand.
import type { PalimpsestError } from "../contract/errors.js";
import { readChunks } from "./byte-source.js";
import { CR, Tokenizer } from "./tokenizer.js";

export interface Line {
  /** From 1. */
  readonly number: number;
  readonly text: string;
}

export interface LineOptions {
  /** The longest line; a longer one ends the file. */
  readonly longestBytes: number;
  /** Hears how many bytes of the file have been read. */
  readonly onRead?: (bytes: number) => void;
  /** Hears of lines that are no text, which are passed then; without it the first one ends the file. */
  readonly onRefusal?: (error: PalimpsestError) => void;
}

class LineTokenizer extends Tokenizer {
  override next(): boolean {
    const { fields } = this;
    while (this.at < this.limit) {
      const from = this.at;
      const end = this.endOfLine(from);
      fields.line = this.line;
      this.at = Math.min(end + 1, this.limit);
      this.line += 1;
      this.checkBytes(from, end);
      fields.from[0] = from;
      fields.to[0] = end > from && fields.bytes[end - 1] === CR ? end - 1 : end;
      fields.slotCount = 1;
      if (fields.to[0] > from) return true;
    }
    return false;
  }
}

/** The lines of a file that are not empty. */
export async function* readLines(file: string, options: LineOptions): AsyncGenerator<Line> {
  const tokenizer = new LineTokenizer(file, options.longestBytes);
  const hasNext = (): boolean => {
    for (;;) {
      try {
        return tokenizer.next();
      } catch (error) {
        if (options.onRefusal === undefined || tokenizer.isBroken) throw error;
        options.onRefusal(error as PalimpsestError);
      }
    }
  };
  const lines = function* (): Generator<Line> {
    while (hasNext()) yield { number: tokenizer.fields.line, text: tokenizer.fields.text(0) };
  };
  for await (const chunk of readChunks(file, options.onRead)) {
    tokenizer.feed(chunk, false);
    yield* lines();
  }
  tokenizer.feed(new Uint8Array(0), true);
  yield* lines();
}
