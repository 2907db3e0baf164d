// Text to tokens: names, quoted names, strings, numbers, marks; comments and blanks fall away. Keywords come from one identifier
// by a table. Never fails: what it cannot read is an `Invalid` token with the reason, which no rule of the grammar takes.
// By hand and not by Chevrotain's lexer: columns count code points, identifiers need the flag `u`, and faults need their kinds.
import type { IToken, TokenType } from "chevrotain";
import type { Fault } from "./errors/fault.js";
import { badCharacter, badNumber, bareEdge, unclosed } from "./errors/scan-faults.js";
import { MARKS, type Mark, type Vocabulary } from "./vocabulary.js";

/** A token that always has its place. */
export interface Token extends IToken {
  startLine: number;
  startColumn: number;
  endOffset: number;
}

const BLANK = 1;
const WORD = 2;
const DIGIT = 4;
const kinds = new Uint8Array(128);
for (const blank of " \t\n\r\f") kinds[blank.charCodeAt(0)] = BLANK;
for (let code = 48; code < 58; code++) kinds[code] = DIGIT;
for (let code = 65; code < 91; code++) kinds[code] = kinds[code + 32] = WORD;
kinds["_".charCodeAt(0)] = WORD;

const IDENTIFIER = /[\p{ID_Start}_][\p{ID_Continue}]*/uy;
const NUMBER = /\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const LARGEST_INTEGER = 2n ** 63n - 1n;

export function scan(text: string, vocabulary: Vocabulary): Token[] {
  return new Scanner(text, vocabulary).run();
}

class Scanner {
  readonly #text: string;
  readonly #vocabulary: Vocabulary;
  readonly #tokens: Token[] = [];
  #at = 0;
  #line = 1;
  #column = 1;

  constructor(text: string, vocabulary: Vocabulary) {
    this.#text = text;
    this.#vocabulary = vocabulary;
  }

  run(): Token[] {
    const text = this.#text;
    if (text.charCodeAt(0) === 0xfeff) this.#at = 1;
    while (this.#at < text.length) {
      const code = text.charCodeAt(this.#at);
      const kind = code < 128 ? kinds[code]! : 0;
      if (kind === BLANK) this.#skip(this.#at + 1);
      else if (kind === WORD) this.#word();
      else if (kind === DIGIT) this.#number();
      else if (code === 39) this.#quoted("'", this.#vocabulary.String);
      else if (code === 34) this.#quoted('"', this.#vocabulary.QuotedName);
      else if (code === 96) this.#quoted("`", this.#vocabulary.QuotedName);
      else if (code === 36) this.#parameter();
      else if (!this.#comment(code) && !this.#mark(code)) this.#foreign();
    }
    return this.#tokens;
  }

  /** Moves on to an offset, counting lines and code points on the way. */
  #skip(to: number): void {
    for (let i = this.#at; i < to; i++) {
      const code = this.#text.charCodeAt(i);
      if (code === 10) {
        this.#line += 1;
        this.#column = 1;
      } else if ((code & 0xfc00) !== 0xdc00 || (this.#text.charCodeAt(i - 1) & 0xfc00) !== 0xd800) this.#column += 1;
    }
    this.#at = to;
  }

  #push(type: TokenType, to: number, payload: unknown): void {
    this.#tokens.push({
      image: this.#text.slice(this.#at, to),
      startOffset: this.#at,
      endOffset: to - 1,
      startLine: this.#line,
      startColumn: this.#column,
      tokenTypeIdx: type.tokenTypeIdx!,
      tokenType: type,
      payload,
    });
  }
  /** A token of ASCII without line ends: columns and offsets advance alike. */
  #plain(type: TokenType, to: number, payload: unknown): void {
    this.#push(type, to, payload);
    this.#column += to - this.#at;
    this.#at = to;
  }
  #invalid(to: number, fault: Fault): void {
    this.#push(this.#vocabulary.Invalid, to, fault);
    this.#skip(to);
  }

  #word(): void {
    const text = this.#text;
    let to = this.#at + 1;
    let code = text.charCodeAt(to);
    while (code < 128 && (kinds[code]! & (WORD | DIGIT)) !== 0) code = text.charCodeAt(++to);
    if (code >= 128) {
      this.#unicodeWord();
      return;
    }
    const { keywords, Identifier } = this.#vocabulary;
    this.#plain(keywords.get(text.slice(this.#at, to).toUpperCase()) ?? Identifier, to, undefined);
  }

  /** A word with a letter beyond ASCII is no keyword, whatever its upper case looks like. */
  #unicodeWord(): void {
    IDENTIFIER.lastIndex = this.#at;
    const match = IDENTIFIER.exec(this.#text);
    if (match === null) {
      this.#foreign();
      return;
    }
    const to = this.#at + match[0].length;
    const { keywords, Identifier } = this.#vocabulary;
    const keyword = /^[A-Za-z_]+$/.test(match[0]) ? keywords.get(match[0].toUpperCase()) : undefined;
    this.#push(keyword ?? Identifier, to, undefined);
    this.#skip(to);
  }

  #number(): void {
    const { Integer, Number: Double, mark } = this.#vocabulary;
    NUMBER.lastIndex = this.#at;
    let image = NUMBER.exec(this.#text)![0];
    const to = this.#at + image.length;
    const next = this.#text.charCodeAt(to);
    const runsOn = next < 128 ? (kinds[next]! & (WORD | DIGIT)) !== 0 : false;
    const endsInDot = next === 46 && this.#text.charCodeAt(to + 1) !== 46;
    if (runsOn || endsInDot) {
      const end = endsInDot ? to + 1 : to + /^\w*/.exec(this.#text.slice(to, to + 40))![0].length;
      this.#invalid(end, badNumber(this.#text.slice(this.#at, end)));
      return;
    }
    if (/\D/.test(image)) {
      const value = Number(image);
      if (!Number.isFinite(value)) {
        this.#invalid(to, badNumber(image));
        return;
      }
      this.#plain(Double, to, value);
      return;
    }
    image = image.replace(/^0+(?=\d)/, "");
    const value = image.length < 20 ? BigInt(image) : LARGEST_INTEGER + 2n;
    // The sign stands before: whether it is one, the parser knows.
    const negated = value === LARGEST_INTEGER + 1n && this.#tokens.at(-1)?.tokenType === mark.Minus;
    if (value > LARGEST_INTEGER && !negated) {
      this.#invalid(to, badNumber(image));
      return;
    }
    this.#plain(Integer, to, value);
  }

  #quoted(quote: string, type: TokenType): void {
    const text = this.#text;
    let end = this.#at;
    let doubled = false;
    for (;;) {
      end = text.indexOf(quote, end + 1);
      if (end === -1) {
        this.#invalid(text.length, unclosed(quote, this.#line, this.#column));
        return;
      }
      if (text[end + 1] !== quote) break;
      doubled = true;
      end += 1;
    }
    const inside = text.slice(this.#at + 1, end);
    if (!inside.isWellFormed()) {
      this.#invalid(end + 1, badCharacter(inside, "a half of a surrogate pair"));
      return;
    }
    this.#push(type, end + 1, doubled ? inside.replaceAll(quote + quote, quote) : inside);
    this.#skip(end + 1);
  }

  #parameter(): void {
    IDENTIFIER.lastIndex = this.#at + 1;
    const match = IDENTIFIER.exec(this.#text);
    if (match === null) {
      this.#invalid(this.#at + 1, badCharacter("$", "a parameter without a name"));
      return;
    }
    const to = this.#at + 1 + match[0].length;
    this.#push(this.#vocabulary.Parameter, to, match[0]);
    this.#skip(to);
  }

  #comment(code: number): boolean {
    const text = this.#text;
    const second = text.charCodeAt(this.#at + 1);
    if (code === 45 && second === 45) {
      const before = text[this.#at - 1] ?? "";
      const after = text[this.#at + 2] ?? "";
      if (after === ">" || (after !== "" && "([".includes(after) && before !== "" && ")]<".includes(before))) {
        this.#invalid(this.#at + (after === ">" ? 3 : 2), bareEdge(before === "<"));
        return true;
      }
      const end = text.indexOf("\n", this.#at);
      this.#skip(end === -1 ? text.length : end);
      return true;
    }
    if (code !== 47 || second !== 42) return false;
    const end = text.indexOf("*/", this.#at + 2);
    if (end === -1) this.#invalid(text.length, unclosed("/*", this.#line, this.#column));
    else this.#skip(end + 2);
    return true;
  }

  #mark(code: number): boolean {
    const pair = this.#text.slice(this.#at, this.#at + 2);
    const long = pair === "!=" ? "NotEqual" : pair.length === 2 ? marksByText.get(pair) : undefined;
    const mark = long ?? (code < 128 ? marksByText.get(pair[0]!) : undefined);
    if (mark === undefined) return false;
    this.#plain(this.#vocabulary.mark[mark], this.#at + (long === undefined ? 1 : 2), undefined);
    return true;
  }

  /** A letter beyond ASCII, or a character that has no place in the language. */
  #foreign(): void {
    IDENTIFIER.lastIndex = this.#at;
    if (this.#text.charCodeAt(this.#at) >= 128 && IDENTIFIER.test(this.#text)) {
      this.#unicodeWord();
      return;
    }
    const character = String.fromCodePoint(this.#text.codePointAt(this.#at)!);
    this.#invalid(this.#at + character.length, badCharacter(character, null));
  }
}

const marksByText: ReadonlyMap<string, Mark> = new Map(
  (Object.entries(MARKS) as [Mark, string][]).map(([mark, text]) => [text, mark]),
);
