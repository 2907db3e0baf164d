// Everything a diagnosis looks at: the wrong token, what stands before it, and what could have stood there.
import type { IToken, TokenType } from "chevrotain";
import { type Expectation, expectationsAfter } from "../expectations.js";
import type { Token } from "../scanner.js";
import { MARKS, type Mark, type Vocabulary, vocabulary } from "../vocabulary.js";

export class Scene {
  readonly words: Vocabulary = vocabulary();
  /** Null at the end of the statement. */
  readonly found: Token | null;

  constructor(
    readonly text: string,
    readonly tokens: readonly Token[],
    /** Of the wrong token; the number of tokens at the end. */
    readonly index: number,
    readonly expected: readonly Expectation[],
    readonly start: "statement" | "query",
  ) {
    this.found = tokens[index] ?? null;
  }

  /** The token so far before the wrong one (1: right before), or after it (negative). */
  back(steps: number): Token | undefined {
    return this.tokens[this.index - steps];
  }
  is(token: IToken | null | undefined, ...types: readonly TokenType[]): boolean {
    return token !== null && token !== undefined && types.includes(token.tokenType);
  }
  /** Whether the tokens right before the wrong one are of these types, the last one nearest. */
  follows(...types: readonly TokenType[]): boolean {
    return types.every((type, i) => this.is(this.back(types.length - i), type));
  }
  expects(type: TokenType): boolean {
    return this.expected.some((one) => one.type === type);
  }
  requires(type: TokenType): boolean {
    return this.expected.some((one) => one.isRequired && one.type === type);
  }
  /** Whether the place is inside a rule, or could begin one. */
  within(rule: string): boolean {
    return this.expected.some((one) => one.rules.includes(rule));
  }
  isName(token: Token | null | undefined): boolean {
    return (
      this.is(token, this.words.Identifier, this.words.QuotedName) ||
      (this.isWord(token) && !this.isReservedToken(token))
    );
  }
  isWord(token: Token | null | undefined): boolean {
    return this.is(token, this.words.Identifier) || this.isKeyword(token);
  }
  isKeyword(token: Token | null | undefined): boolean {
    return token !== null && token !== undefined && Object.hasOwn(this.words.word, token.tokenType.name);
  }
  isReservedToken(token: Token | null | undefined): boolean {
    return this.isKeyword(token) && !(token!.tokenType.CATEGORIES ?? []).includes(this.words.Name);
  }
  /** Keywords that may stand there. */
  keywords(): string[] {
    return keywordsOf(this.expected, this.words);
  }
  /** Keywords that could have stood in the place of the token before the wrong one. */
  keywordsBefore(): string[] {
    return keywordsOf(expectationsAfter(this.tokens.slice(0, this.index - 1), this.start), this.words);
  }
  /** The last bracket that is open before the wrong token. */
  openBracket(): { readonly token: Token; readonly closing: Mark } | null {
    const closings = new Map<TokenType, Mark>([
      [this.words.mark.LeftParen, "RightParen"],
      [this.words.mark.LeftBracket, "RightBracket"],
      [this.words.mark.LeftBrace, "RightBrace"],
    ]);
    const open: { token: Token; closing: Mark }[] = [];
    for (const token of this.tokens.slice(0, this.index)) {
      const closing = closings.get(token.tokenType);
      if (closing !== undefined) open.push({ token, closing });
      else if (open.length > 0 && token.tokenType === this.words.mark[open.at(-1)!.closing]) open.pop();
    }
    return open.at(-1) ?? null;
  }
  /** The text from a token to the one before the wrong one, not longer than a line can show. */
  since(token: Token): string {
    const text = this.text.slice(token.startOffset, this.back(1)!.endOffset + 1).replaceAll(/\s+/g, " ");
    return text.length > 60 ? `${text.slice(0, 60)}…` : text;
  }
}

const keywordsOf = (expected: readonly Expectation[], words: Vocabulary): string[] =>
  expected.map((one) => one.type.name).filter((name) => Object.hasOwn(words.word, name));

export const shownMark = (mark: Mark): string => MARKS[mark];

/** A token as a message shows it. */
export function shown(token: Token | null): string {
  if (token === null) return "the end of the statement";
  const image = token.image.replaceAll(/\s+/g, " ");
  return image.length > 40 ? `${image.slice(0, 40)}…` : image;
}
