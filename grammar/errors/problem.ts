// Syntax errors as data: where, what was found, what could have stood there, and what to do.
// The wrong token is the first that no rule allows, or the end of the statement.
import type { IToken } from "chevrotain";
import type { Position } from "../ast.js";
import { type Expectation, expectationsAfter } from "../expectations.js";
import type { Token } from "../scanner.js";
import { DIAGNOSES, nearWords } from "./diagnoses.js";
import { expectedNames, listed } from "./expected.js";
import { type Fault, syntaxFault } from "./fault.js";
import { Scene, shown } from "./scene.js";

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
function positionOf(tokens: readonly Token[], token: IToken): Position {
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

/** What is wrong with the statement at this token; with a fault, the parser or the scanner has said it already. */
export function explain(
  text: string,
  tokens: readonly Token[],
  token: IToken,
  fault: Fault | null,
  start: "statement" | "query",
): SyntaxProblem {
  const position = positionOf(tokens, token);
  const index = token.tokenType.name === "EOF" ? tokens.length : tokens.indexOf(token as Token);
  const found = tokens[index]?.image ?? null;
  const said = fault ?? (token.tokenType.name === "Invalid" ? (token.payload as Fault) : null);
  if (said !== null) return { ...said, position, found, expected: [], near: [] };

  const expectations = expectationsAfter(tokens.slice(0, index), start);
  const scene = new Scene(text, tokens, index, expectations, start);
  const expected = expectedNames(expectations);
  return { ...diagnose(scene, expected, expectations), position, found, expected, near: nearWords(scene) };
}

function diagnose(scene: Scene, expected: readonly string[], expectations: readonly Expectation[]): Fault {
  if (scene.tokens.length === 0) {
    return syntaxFault("incomplete", "there is no statement", "write one, such as SELECT … or MATCH … RETURN …");
  }
  for (const diagnosis of DIAGNOSES) {
    const fault = diagnosis(scene);
    if (fault !== null && fault.message !== "") return fault;
    if (fault !== null)
      return syntaxFault(
        fault.kind,
        `expected ${listed(expected)}, found ${shown(null)}`,
        wanted(expectations, expected),
      );
  }
  const message = `expected ${listed(expected)}, found ${shown(scene.found)}`;
  return syntaxFault("unexpected", message, wanted(expectations, expected));
}

/** The one thing that must come, or a choice of few. */
function wanted(expectations: readonly Expectation[], expected: readonly string[]): string {
  const required = expectations.filter((one) => one.isRequired);
  const names = required.length === 0 ? expected : expectedNames(required);
  if (names.length > 3) return "take it out, or write something of what is expected";
  if (names.length === 1 && names[0] === "the end of the statement")
    return "end the statement here, with ; in a script";
  return `write ${listed(names)} here`;
}

export function secondStatement(token: Token): SyntaxProblem {
  return {
    ...syntaxFault(
      "second_statement",
      "there is a second statement",
      "send one statement at a time, or run them as a script",
    ),
    position: positionOf([], token),
    found: token.image,
    expected: ["the end of the statement"],
    near: [],
  };
}
