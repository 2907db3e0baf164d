// The keys of one JSON object while its bytes are read, to notice one that stands there twice.
// Few keys are compared as bytes; many, and those with escapes, as texts.

const BACKSLASH = 92;
const FEW_KEYS = 16;

function hasEscape(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) if (bytes[at] === BACKSLASH) return true;
  return false;
}

const textAt = (bytes: Uint8Array, from: number, to: number): string =>
  JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString("utf8")) as string;

export class ObjectKeys {
  private count = 0;
  private readonly froms = new Int32Array(FEW_KEYS);
  private readonly tos = new Int32Array(FEW_KEYS);
  /** All keys, once they are compared as texts. */
  private texts: Set<string> | null = null;

  /** Begins an object without keys. */
  clear(): void {
    this.count = 0;
    this.texts = null;
  }

  /** Takes the key at [from, to), quotes included, a legal string; false when the object has it already. */
  add(bytes: Uint8Array, from: number, to: number): boolean {
    if (this.texts === null && this.count < FEW_KEYS && !hasEscape(bytes, from, to)) {
      for (let i = 0; i < this.count; i += 1) if (this.isAt(i, bytes, from, to)) return false;
      this.froms[this.count] = from;
      this.tos[this.count] = to;
      this.count += 1;
      return true;
    }
    this.texts ??= this.asTexts(bytes);
    const before = this.texts.size;
    return this.texts.add(textAt(bytes, from, to)).size > before;
  }

  private isAt(key: number, bytes: Uint8Array, from: number, to: number): boolean {
    const start = this.froms[key]!;
    if (this.tos[key]! - start !== to - from) return false;
    for (let i = to - from - 1; i > 0; i -= 1) if (bytes[start + i] !== bytes[from + i]) return false;
    return true;
  }

  private asTexts(bytes: Uint8Array): Set<string> {
    const texts = new Set<string>();
    for (let i = 0; i < this.count; i += 1) texts.add(textAt(bytes, this.froms[i]!, this.tos[i]!));
    return texts;
  }
}
