// Syntax errors as data: where, what was found, what could have stood there, and what to do.
import type { IToken } from "chevrotain";
import type { Position } from "./ast.js";
import type { Fault } from "./faults.js";
import type { Token } from "./scanner.js";

export interface SyntaxProblem {
  readonly code: "E_SYNTAX" | "E_LIMIT";
  /** Stable, for programs. */
  readonly kind: string;
  readonly message: string;
  readonly hint: string;
  readonly position: Position;
  /** The wrong token as written; null at the end of the statement. */
  readonly found: string | null;
  /** What could have stood there: names of rules, keywords, marks. */
  readonly expected: readonly string[];
  /** Words that were perhaps meant, nearest first. */
  readonly near: readonly string[];
}

/** The place of a token, or right behind the last one. */
export function positionOf(tokens: readonly Token[], token: IToken): Position {
  if (token.tokenType.name !== "EOF") {
    const { startLine, startColumn, startOffset, image } = token;
    return { line: startLine!, column: startColumn!, offset: startOffset, length: image.length };
  }
  const last = tokens.at(-1);
  if (last === undefined) return { line: 1, column: 1, offset: 0, length: 0 };
  const lines = last.image.split("\n");
  const tail = [...lines.at(-1)!].length;
  return {
    line: last.startLine + lines.length - 1,
    column: lines.length === 1 ? last.startColumn + tail : tail + 1,
    offset: last.endOffset + 1,
    length: 0,
  };
}

export function explain(_text: string, tokens: readonly Token[], token: IToken, fault: Fault | null): SyntaxProblem {
  const given = fault ?? (token.tokenType.name === "Invalid" ? (token.payload as Fault) : null);
  const found = token.tokenType.name === "EOF" ? null : token.image;
  const { code, kind, message, hint } = given ?? {
    code: "E_SYNTAX" as const,
    kind: found === null ? "incomplete" : "unexpected",
    message: found === null ? "the statement ends too early" : `${found} cannot stand here`,
    hint: "",
  };
  return { code, kind, message, hint, position: positionOf(tokens, token), found, expected: [], near: [] };
}

export function secondStatement(_text: string, token: Token): SyntaxProblem {
  return {
    code: "E_SYNTAX",
    kind: "second_statement",
    message: "there is a second statement",
    hint: "send one statement at a time, or run them as a script",
    position: positionOf([], token),
    found: token.image,
    expected: ["end of statement"],
    near: [],
  };
}
