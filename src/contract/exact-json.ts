// Reading JSON text without losing a digit: integers beyond 2^53 become bigint, numbers follow the token rules.
// A token without `.` and `e` is int64; with one of them it is a double, which is int64 when it is integral and safe.
import { PalimpsestError } from "./errors.js";
import { INT64_MAX, INT64_MIN, type JsonObject, type JsonValue, setOwn } from "./values.js";

// Where none of these occur, JSON.parse reads every number as this reader would.
const NEEDS_EXACT = /\d{16}|\d[eE]|(?:^|[[:,\s])-0/;
const NUMBER = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y;
const MAX_DEPTH = 1000;
const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const [OPEN_BRACKET, CLOSE_BRACKET] = [0x5b, 0x5d];
const [OPEN_BRACE, CLOSE_BRACE] = [0x7b, 0x7d];

class Reader {
  private at = 0;
  constructor(
    private readonly text: string,
    private readonly refusesEqualKeys: boolean,
  ) {}

  document(): JsonValue {
    const value = this.value(0);
    this.space();
    if (this.at < this.text.length) this.fail("more text after the value");
    return value;
  }

  private fail(message: string, hint = ""): never {
    throw new PalimpsestError("E_INVALID_ARG", `the text is not JSON: ${message} at offset ${this.at}`, {
      details: { offset: this.at },
      hint,
    });
  }

  private space(): void {
    for (;;) {
      const unit = this.text.charCodeAt(this.at);
      if (unit !== 32 && unit !== 10 && unit !== 13 && unit !== 9) return;
      this.at += 1;
    }
  }

  private value(depth: number): JsonValue {
    if (depth > MAX_DEPTH) this.fail(`nesting deeper than ${MAX_DEPTH}`);
    this.space();
    const first = this.text[this.at];
    if (first === "{") return this.object(depth);
    if (first === "[") return this.array(depth);
    if (first === '"') return this.string();
    if (this.text.startsWith("true", this.at)) return this.word("true", true);
    if (this.text.startsWith("false", this.at)) return this.word("false", false);
    if (this.text.startsWith("null", this.at)) return this.word("null", null);
    return this.number();
  }

  private word<T>(word: string, value: T): T {
    this.at += word.length;
    return value;
  }

  private number(): number | bigint {
    NUMBER.lastIndex = this.at;
    const match = NUMBER.exec(this.text);
    if (match === null) this.fail("no value");
    const [token, fraction, exponent] = match;
    const value = Number(token);
    if (fraction === undefined && exponent === undefined && !Number.isSafeInteger(value)) {
      const exact = BigInt(token);
      if (exact < INT64_MIN || exact > INT64_MAX) this.fail(`${token} is out of the range of int64`);
      this.at += token.length;
      return exact;
    }
    if (!Number.isFinite(value)) this.fail(`${token} is out of the range of a double`);
    this.at += token.length;
    return value === 0 ? 0 : value;
  }

  private string(): string {
    const from = this.at;
    let end = from + 1;
    for (; this.text[end] !== '"'; end += 1) {
      if (end >= this.text.length) this.fail("a string without end");
      if (this.text[end] === "\\") end += 1;
    }
    this.at = end + 1;
    try {
      return JSON.parse(this.text.slice(from, this.at)) as string;
    } catch {
      this.at = from;
      return this.fail("a string that is not legal");
    }
  }

  private array(depth: number): JsonValue[] {
    const members: JsonValue[] = [];
    this.at += 1;
    this.space();
    if (this.text[this.at] === "]") return this.word("]", members);
    for (;;) {
      members.push(this.value(depth + 1));
      if (this.separator("]")) return members;
    }
  }

  private object(depth: number): JsonObject {
    const members: JsonObject = {};
    this.at += 1;
    this.space();
    if (this.text[this.at] === "}") return this.word("}", members);
    for (;;) {
      this.space();
      if (this.text[this.at] !== '"') this.fail("no key", 'keys stand in double quotes: {"uid": "ana"}');
      const from = this.at;
      const key = this.string();
      if (this.refusesEqualKeys && Object.hasOwn(members, key)) {
        this.at = from;
        this.fail(`a second key ${JSON.stringify(key)}`, "readers differ in which counts: keep one");
      }
      this.space();
      if (this.text[this.at] !== ":") this.fail("no colon after a key");
      this.at += 1;
      setOwn(members, key, this.value(depth + 1));
      if (this.separator("}")) return members;
    }
  }

  /** Passes a comma or the closing sign; true at the latter. */
  private separator(closing: string): boolean {
    this.space();
    const sign = this.text[this.at];
    if (sign !== "," && sign !== closing) this.fail(`no "," or "${closing}"`);
    this.at += 1;
    return sign === closing;
  }
}

/** Whether JSON.parse, which knows no depth, may give what recursion over values has no stack for. */
function isDeep(text: string): boolean {
  if (text.length < 2 * MAX_DEPTH) return false;
  let depth = 0;
  for (let i = 0; i < text.length; i += 1) {
    const sign = text.charCodeAt(i);
    if (sign === QUOTE) {
      for (i += 1; i < text.length && text.charCodeAt(i) !== QUOTE; i += 1) {
        if (text.charCodeAt(i) === BACKSLASH) i += 1;
      }
    } else if (sign === OPEN_BRACKET || sign === OPEN_BRACE) {
      depth += 1;
      if (depth >= MAX_DEPTH) return true;
    } else if (sign === CLOSE_BRACKET || sign === CLOSE_BRACE) depth -= 1;
  }
  return false;
}

/** Whether JSON.parse reads a text as this reader would; what else is wrong with it the reader finds. */
const isPlain = (text: string): boolean => !NEEDS_EXACT.test(text) && !isDeep(text);

/** The value of a JSON text, numbers as values.ts holds them. Of two equal keys the last counts, as in JSON.parse. */
export function parseExact(text: string): JsonValue {
  if (isPlain(text)) {
    try {
      return JSON.parse(text) as JsonValue;
    } catch {
      // The reader below finds the offset.
    }
  }
  return new Reader(text, false).document();
}

/** The same; an object with two equal keys is no JSON here, as readers differ in which of them counts. */
export function parseUnambiguous(text: string): JsonValue {
  if (isPlain(text)) {
    try {
      const value = JSON.parse(text) as JsonValue;
      // Of two equal keys one would be gone.
      if (JSON.stringify(value) === text) return value;
    } catch {
      // The reader below finds the offset.
    }
  }
  return new Reader(text, true).document();
}
