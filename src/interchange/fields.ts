// The fields of one record as positions in a byte buffer: what every tokenizer fills and every column reads.
// No field becomes a JavaScript string unless a column asks for one.

/** What a tokenizer knows of a field beyond its bytes. */
export const FieldKind = {
  /** No such field in this record, or JSON null. */
  Absent: 0,
  /** A bare token: its look decides its type. */
  Bare: 1,
  /** A quoted field of delimited text: its look decides its type too, but an empty one is the empty string. */
  Quoted: 2,
  /** A string and nothing else (JSON). */
  Text: 3,
  /** A JSON number token. */
  Number: 4,
  /** JSON true or false. */
  Boolean: 5,
  /** A JSON array or object, as text. */
  Nested: 6,
} as const;

const FIRST_CAPACITY = 64;

/** One record. Slots are numbered from 0; slot i covers bytes [from[i], to[i]) and is of kind[i]. */
export class Fields {
  bytes: Uint8Array = new Uint8Array(0);
  from = new Uint32Array(FIRST_CAPACITY);
  to = new Uint32Array(FIRST_CAPACITY);
  kind = new Uint8Array(FIRST_CAPACITY);
  slotCount = 0;
  /** The line on which the record begins, from 1. */
  line = 0;

  grow(): void {
    const capacity = this.from.length * 2;
    const enlarge = <T extends Uint32Array | Uint8Array>(old: T, fresh: T): T => {
      fresh.set(old);
      return fresh;
    };
    this.from = enlarge(this.from, new Uint32Array(capacity));
    this.to = enlarge(this.to, new Uint32Array(capacity));
    this.kind = enlarge(this.kind, new Uint8Array(capacity));
  }

  has(slot: number): boolean {
    return slot < this.slotCount && this.kind[slot] !== FieldKind.Absent;
  }

  /** The field as text. The tokenizer has made sure that it is UTF-8. */
  text(slot: number): string {
    if (slot >= this.slotCount) return "";
    const { buffer, byteOffset } = this.bytes;
    return Buffer.from(buffer, byteOffset + this.from[slot]!, this.to[slot]! - this.from[slot]!).toString("utf8");
  }
}
