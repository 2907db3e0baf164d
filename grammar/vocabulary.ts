// The token types: one for each keyword and mark, and the categories `name` and `anyname` that take keywords in.
// Made once, at the first parse.
import type { TokenType } from "chevrotain";
import { chevrotain } from "./chevrotain.js";
import { type Keyword, RESERVED, SOFT } from "./keywords.js";

/** Marks, longest first where one begins another. */
export const MARKS = {
  Concat: "||",
  NotEqual: "<>",
  LessEqual: "<=",
  GreaterEqual: ">=",
  Gives: "=>",
  Dots: "..",
  LeftParen: "(",
  RightParen: ")",
  LeftBracket: "[",
  RightBracket: "]",
  LeftBrace: "{",
  RightBrace: "}",
  Comma: ",",
  Dot: ".",
  Colon: ":",
  Semicolon: ";",
  Plus: "+",
  Minus: "-",
  Star: "*",
  Slash: "/",
  Percent: "%",
  Bar: "|",
  Ampersand: "&",
  Bang: "!",
  Question: "?",
  Equal: "=",
  Less: "<",
  Greater: ">",
} as const;
export type Mark = keyof typeof MARKS;

export interface Vocabulary {
  readonly mark: Readonly<Record<Mark, TokenType>>;
  readonly word: Readonly<Record<Keyword, TokenType>>;
  /** By the word in capitals. */
  readonly keywords: ReadonlyMap<string, TokenType>;
  readonly Identifier: TokenType;
  readonly QuotedName: TokenType;
  readonly String: TokenType;
  readonly Integer: TokenType;
  readonly Number: TokenType;
  readonly Parameter: TokenType;
  /** What the scanner cannot read: no rule takes it, and its payload says why. */
  readonly Invalid: TokenType;
  /** The place of the cursor, or of a wrong token, when what may stand there is asked for: no rule takes it. */
  readonly Cursor: TokenType;
  /** The end of a statement, where it is said what may stand there. */
  readonly End: TokenType;
  /** Category: an identifier, a quoted name or a soft keyword. */
  readonly Name: TokenType;
  /** Category: any word at all. */
  readonly AnyName: TokenType;
  readonly all: readonly TokenType[];
}

let made: Vocabulary | null = null;

export function vocabulary(): Vocabulary {
  made ??= makeVocabulary();
  return made;
}

function makeVocabulary(): Vocabulary {
  const { createToken, Lexer } = chevrotain();
  const all: TokenType[] = [];
  // Plain, and numbered all at once when the parser is made: createToken would sort two hundred words anew for each.
  const token = (name: string, categories: TokenType[] = []): TokenType => {
    const type: TokenType = { name, PATTERN: Lexer.NA, CATEGORIES: categories };
    all.push(type);
    return type;
  };
  const AnyName = token("AnyName");
  const Name = token("Name");
  const words = [
    ...RESERVED.map((word) => [word, token(word, [AnyName])] as const),
    ...SOFT.map((word) => [word, token(word, [Name, AnyName])] as const),
  ];
  // One is given them at once: by that Chevrotain sees that there are categories at all.
  const QuotedName = createToken({ name: "QuotedName", pattern: Lexer.NA, categories: [Name, AnyName] });
  all.push(QuotedName);
  const marks = Object.keys(MARKS).map((mark) => [mark, token(mark)] as const);
  return {
    mark: Object.fromEntries(marks) as Record<Mark, TokenType>,
    word: Object.fromEntries(words) as Record<Keyword, TokenType>,
    keywords: new Map<string, TokenType>(words),
    Identifier: token("Identifier", [Name, AnyName]),
    QuotedName,
    String: token("String"),
    Integer: token("Integer"),
    Number: token("Number"),
    Parameter: token("Parameter"),
    Invalid: token("Invalid"),
    Cursor: token("Cursor"),
    End: token("End"),
    Name,
    AnyName,
    all,
  };
}
