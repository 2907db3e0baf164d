// JSON Lines: one object a line, read by position, so that numbers keep every digit they were written with.
// Only the wanted keys get a slot; everything else is still checked to be JSON whose objects have no key twice.
import { isWellFormed } from "../contract/values.js";
import { FieldKind } from "./fields.js";
import { ObjectKeys } from "./object-keys.js";
import { RefusedValue, refusal } from "./refusal.js";
import { CR, LF, QUOTE, Tokenizer } from "./tokenizer.js";

const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [123, 125, 91, 93];
const [COMMA, COLON, BACKSLASH, MINUS, DOT, PLUS, ZERO, NINE, SPACE, TAB] = [44, 58, 92, 45, 46, 43, 48, 57, 32, 9];
const MAX_DEPTH = 200;
/** Above so many wanted keys a map of texts finds one faster than the comparison of bytes. */
const FEW_KEYS = 16;

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= ZERO && byte <= NINE;
const isExponent = (byte: number | undefined): boolean => byte === 101 || byte === 69;

export class JsonLinesTokenizer extends Tokenizer {
  private readonly wanted: Uint8Array[] = [];
  private readonly slots = new Map<string, number>();
  private end = 0;
  private lineFrom = 0;
  private readonly seen: boolean[] = [];
  /** Of the object that is open at each depth. */
  private readonly openKeys: ObjectKeys[] = [];

  /** The slot of a key; asking twice gives the same slot. */
  slotOf(key: string): number {
    const known = this.slots.get(key);
    if (known !== undefined) return known;
    this.slots.set(key, this.wanted.length);
    this.wanted.push(Buffer.from(key, "utf8"));
    this.seen.push(false);
    while (this.fields.from.length < this.wanted.length) this.fields.grow();
    return this.wanted.length - 1;
  }

  private wantsAll = false;
  private unclaimed: string[] = [];

  /** From now on keys that nobody asked for get a slot too, when they are first met. */
  takeAllKeys(): void {
    this.wantsAll = true;
  }

  /** Those of them that were met since the last call. */
  newKeys(): readonly string[] {
    if (this.unclaimed.length === 0) return this.unclaimed;
    const keys = this.unclaimed;
    this.unclaimed = [];
    return keys;
  }

  /** Wanted keys that no line has had so far. */
  unseenKeys(): string[] {
    return [...this.slots].filter(([, slot]) => !this.seen[slot]).map(([key]) => key);
  }

  /** The keys of the line at hand. Strings with escapes may have been decoded in place: then there is no telling. */
  keysOfLine(): string[] {
    const line = Buffer.from(this.fields.bytes.subarray(this.lineFrom, this.end)).toString("utf8");
    try {
      return Object.keys(JSON.parse(line) as object);
    } catch {
      return [];
    }
  }

  override next(): boolean {
    const { fields } = this;
    while (this.at < this.limit) {
      const from = this.at;
      this.recordFrom = from;
      const lineEnd = this.endOfLine(from);
      fields.line = this.line;
      fields.slotCount = this.wanted.length;
      fields.kind.fill(FieldKind.Absent, 0, fields.slotCount);
      this.lineFrom = from;
      this.at = Math.min(lineEnd + 1, this.limit);
      this.line += 1;
      this.checkBytes(from, lineEnd);
      this.end = lineEnd > from && fields.bytes[lineEnd - 1] === CR ? lineEnd - 1 : lineEnd;
      const start = this.space(from);
      if (start === this.end) continue;
      this.readLine(start, from);
      return true;
    }
    return false;
  }

  private readLine(start: number, from: number): void {
    try {
      if (this.fields.bytes[start] !== OPEN_BRACE) throw new RefusedValue("the line is not a JSON object");
      const after = this.space(this.object(start, 0, true));
      if (after !== this.end) this.fail("more text after the object", after, from);
    } catch (error) {
      if (!(error instanceof RefusedValue)) throw error;
      const place = { file: this.file, line: this.fields.line };
      throw refusal(place, error.reason, { hint: error.hint || "each line is one JSON object", cause: error });
    }
  }

  private fail(what: string, at: number, from = this.lineStart(at), hint = ""): never {
    throw new RefusedValue(`not JSON: ${what} at byte ${at - from + 1} of the line`, "E_INVALID_ARG", hint);
  }

  private failTwice(from: number, to: number): never {
    const key = JSON.stringify(this.decode(from, to));
    return this.fail(`a second key ${key}`, from, this.lineStart(from), "readers differ in which counts: keep one");
  }

  private lineStart(at: number): number {
    return this.fields.bytes.lastIndexOf(LF, at - 1) + 1;
  }

  private space(from: number): number {
    const { bytes } = this.fields;
    let at = from;
    while (at < this.end && (bytes[at] === SPACE || bytes[at] === TAB || bytes[at] === CR)) at += 1;
    return at;
  }

  /** Reads the object whose brace is at `at`; gives the position after it. */
  private object(open: number, depth: number, isRecord: boolean): number {
    const { bytes } = this.fields;
    let at = this.space(open + 1);
    if (bytes[at] === CLOSE_BRACE && at < this.end) return at + 1;
    this.openKeys[depth] ??= new ObjectKeys();
    const keys = this.openKeys[depth];
    keys.clear();
    for (;;) {
      if (at >= this.end || bytes[at] !== QUOTE) this.fail("no key", at);
      const keyEnd = this.string(at);
      if (!keys.add(bytes, at, keyEnd)) this.failTwice(at, keyEnd);
      const slot = isRecord ? this.find(at, keyEnd) : -1;
      at = this.space(keyEnd);
      if (at >= this.end || bytes[at] !== COLON) this.fail("no colon after a key", at);
      at = this.space(this.value(this.space(at + 1), depth + 1, slot));
      const sign = at < this.end ? bytes[at] : -1;
      if (sign === CLOSE_BRACE) return at + 1;
      if (sign !== COMMA) this.fail('no "," or "}"', at);
      at = this.space(at + 1);
    }
  }

  private array(open: number, depth: number): number {
    const { bytes } = this.fields;
    let at = this.space(open + 1);
    if (bytes[at] === CLOSE_BRACKET && at < this.end) return at + 1;
    for (;;) {
      at = this.space(this.value(at, depth + 1, -1));
      const sign = at < this.end ? bytes[at] : -1;
      if (sign === CLOSE_BRACKET) return at + 1;
      if (sign !== COMMA) this.fail('no "," or "]"', at);
      at = this.space(at + 1);
    }
  }

  private value(at: number, depth: number, slot: number): number {
    if (depth > MAX_DEPTH) this.fail(`nesting deeper than ${MAX_DEPTH}`, at);
    const first = at < this.end ? this.fields.bytes[at] : -1;
    switch (first) {
      case QUOTE:
        return this.keepString(at, this.string(at), slot);
      case OPEN_BRACE:
        return this.keep(at, this.object(at, depth, false), slot, FieldKind.Nested);
      case OPEN_BRACKET:
        return this.keep(at, this.array(at, depth), slot, FieldKind.Nested);
      case 116:
        return this.keep(at, this.word(at, "true"), slot, FieldKind.Boolean);
      case 102:
        return this.keep(at, this.word(at, "false"), slot, FieldKind.Boolean);
      case 110:
        return this.keep(at, this.word(at, "null"), slot, FieldKind.Absent);
      default:
        return this.keep(at, this.number(at), slot, FieldKind.Number);
    }
  }

  private keep(from: number, to: number, slot: number, kind: number): number {
    if (slot < 0) return to;
    this.fields.from[slot] = from;
    this.fields.to[slot] = to;
    this.fields.kind[slot] = kind;
    return to;
  }

  /** As `keep`, for a string with its quotes. An escaped one is decoded in place: its text is never the longer one. */
  private keepString(from: number, to: number, slot: number): number {
    if (slot < 0) return to;
    const { bytes } = this.fields;
    if (!bytes.subarray(from, to).includes(BACKSLASH)) return this.keepText(from + 1, to - 1, to, slot);
    const text = this.decode(from, to);
    if (!isWellFormed(text)) this.fail("a lone surrogate, which has no UTF-8 form", from);
    const window = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const written = window.write(text, from + 1, "utf8");
    return this.keepText(from + 1, from + 1 + written, to, slot);
  }

  private keepText(from: number, to: number, after: number, slot: number): number {
    this.keep(from, to, slot, FieldKind.Text);
    return after;
  }

  private decode(from: number, to: number): string {
    const { bytes } = this.fields;
    const text = Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString("utf8");
    try {
      return JSON.parse(text) as string;
    } catch {
      return this.fail("a string that is not legal", from);
    }
  }

  /** The end of the string whose quote is at `open`. */
  private string(open: number): number {
    const { bytes } = this.fields;
    let hasEscape = false;
    for (let at = open + 1; at < this.end; at += 1) {
      const byte = bytes[at]!;
      if (byte === QUOTE) {
        if (hasEscape) this.decode(open, at + 1);
        return at + 1;
      }
      if (byte === BACKSLASH) {
        hasEscape = true;
        at += 1;
      } else if (byte < SPACE) this.fail("a control character in a string", at);
    }
    return this.fail("a string without end", open);
  }

  private word(at: number, word: string): number {
    for (let i = 0; i < word.length; i += 1) {
      if (at + i >= this.end || this.fields.bytes[at + i] !== word.charCodeAt(i)) this.fail("no value", at);
    }
    return at + word.length;
  }

  private number(from: number): number {
    const { bytes } = this.fields;
    const digits = (start: number): number => {
      let at = start;
      while (at < this.end && isDigit(bytes[at])) at += 1;
      if (at === start) this.fail("no value", from);
      return at;
    };
    let at = bytes[from] === MINUS ? from + 1 : from;
    at = bytes[at] === ZERO && at < this.end ? at + 1 : digits(at);
    if (at < this.end && bytes[at] === DOT) at = digits(at + 1);
    if (at < this.end && isExponent(bytes[at])) {
      at += 1;
      if (bytes[at] === PLUS || bytes[at] === MINUS) at += 1;
      at = digits(at);
    }
    return at;
  }

  /** The slot of the key at [from, to), quotes included, or -1. */
  private find(from: number, to: number): number {
    let slot = this.slotOfKeyAt(from, to);
    if (slot < 0 && this.wantsAll) slot = this.discover(this.decode(from, to));
    if (slot >= 0) this.seen[slot] = true;
    return slot;
  }

  private discover(key: string): number {
    const { fields } = this;
    const slot = this.slotOf(key);
    fields.slotCount = this.wanted.length;
    fields.kind[slot] = FieldKind.Absent;
    this.unclaimed.push(key);
    return slot;
  }

  private slotOfKeyAt(from: number, to: number): number {
    const { bytes } = this.fields;
    const length = to - from - 2;
    let needsText = this.wanted.length > FEW_KEYS;
    for (let i = from; i < to && !needsText; i += 1) needsText = bytes[i] === BACKSLASH;
    if (needsText) return this.slots.get(this.decode(from, to)) ?? -1;
    for (let slot = 0; slot < this.wanted.length; slot += 1) {
      const key = this.wanted[slot]!;
      if (key.length !== length) continue;
      let i = 0;
      while (i < length && key[i] === bytes[from + 1 + i]) i += 1;
      if (i === length) return slot;
    }
    return -1;
  }
}
