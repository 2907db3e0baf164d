// A column of texts whose dictionary came as UTF-8: strings are made when somebody reads them, and kept.
// For pieces that mostly go on as bytes; a dictionary is decoded in one go, so pieces must be short.
import type { TextColumn, Utf8Texts } from "./column.js";

function decoded({ bytes, offsets }: Utf8Texts): string[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return Array.from({ length: offsets.length - 1 }, (_, i) => buffer.toString("utf8", offsets[i]!, offsets[i + 1]!));
}

export class Utf8TextColumn implements TextColumn {
  private texts: readonly string[] | undefined;

  constructor(
    readonly type: TextColumn["type"],
    readonly codes: Int32Array,
    readonly utf8: Utf8Texts,
  ) {}

  get dictionary(): readonly string[] {
    this.texts ??= decoded(this.utf8);
    return this.texts;
  }
}
