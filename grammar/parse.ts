// Text to statements. Nothing throws for bad text: a statement comes with its tree or with its problem.
// A text is scanned as a whole and split at semicolons, so that every problem has its true place.
import type { IToken } from "chevrotain";
import type { Query, Statement } from "./ast.js";
import type { Fault } from "./errors/fault.js";
import { explain, type SyntaxProblem, secondStatement } from "./errors/problem.js";
import { isTooDeep, LONGEST_STATEMENT, TOO_DEEP, TOO_LONG } from "./limits.js";
import { parser } from "./machine.js";
import { Refusal, type Rule } from "./rule-writer.js";
import { scan, type Token } from "./scanner.js";
import { vocabulary } from "./vocabulary.js";

export interface ParsedStatement {
  readonly statement: Statement | null;
  readonly problem: SyntaxProblem | null;
  /** The statement as it was written, without the semicolon. */
  readonly text: string;
  /** Where it begins in the whole text, in UTF-16 units. */
  readonly offset: number;
}

export type Parsed =
  | { readonly statement: Statement; readonly problem: null }
  | { readonly statement: null; readonly problem: SyntaxProblem };
export type ParsedQuery =
  | { readonly query: Query; readonly problem: null }
  | { readonly query: null; readonly problem: SyntaxProblem };

type Outcome<T> =
  | { readonly tree: T; readonly problem: null }
  | { readonly tree: null; readonly problem: SyntaxProblem };

function run<T>(start: "statement" | "query", text: string, tokens: Token[]): Outcome<T> {
  const refused = (token: IToken, fault: Fault | null): Outcome<T> => ({
    tree: null,
    problem: explain(text, tokens, token, fault, start),
  });
  if (tokens.length > 0 && tokens.at(-1)!.endOffset - tokens[0]!.startOffset > LONGEST_STATEMENT) {
    return refused(tokens[0]!, TOO_LONG);
  }
  const { machine, rules } = parser();
  machine.input = tokens;
  try {
    const tree = (rules[start] as Rule<T>).call(machine);
    const [error] = machine.errors;
    if (error !== undefined) return refused(error.token, null);
    // Few tokens cannot nest deeply.
    return tokens.length > FEW_TOKENS && isTooDeep(tree) ? refused(tokens[0]!, TOO_DEEP) : { tree, problem: null };
  } catch (error) {
    if (error instanceof Refusal) return refused(error.token, error.fault);
    throw error;
  }
}

const FEW_TOKENS = 400;

/** Tokens between semicolons; empty statements fall away. */
function statementsOf(tokens: readonly Token[]): Token[][] {
  const { Semicolon } = vocabulary().mark;
  const statements: Token[][] = [[]];
  for (const token of tokens) {
    if (token.tokenType === Semicolon) statements.push([]);
    else statements.at(-1)!.push(token);
  }
  return statements.filter((statement) => statement.length > 0);
}

/** The parser is made first: it numbers the types of tokens. */
export function tokensOf(text: string): Token[] {
  parser();
  return scan(text, vocabulary());
}

const statementOf = (text: string, tokens: Token[]): Parsed => {
  const { tree, problem } = run<Statement>("statement", text, tokens);
  return problem === null ? { statement: tree, problem } : { statement: null, problem };
};

/** All statements of a text, each with its tree or its problem. */
export function parseScript(text: string): ParsedStatement[] {
  return statementsOf(tokensOf(text)).map((tokens) => {
    const offset = tokens[0]!.startOffset;
    return { ...statementOf(text, tokens), text: text.slice(offset, tokens.at(-1)!.endOffset + 1), offset };
  });
}

/** One statement; its semicolon may be left out. */
export function parseStatement(text: string): Parsed {
  const [first = [], second] = statementsOf(tokensOf(text));
  const parsed = statementOf(text, first);
  if (parsed.problem !== null || second === undefined) return parsed;
  return { statement: null, problem: secondStatement(second[0]!) };
}

/** The text of one query, as the operator `select` takes it: no semicolon, no setting, no write. */
export function parseSelect(text: string): ParsedQuery {
  const { tree, problem } = run<Query>("query", text, tokensOf(text));
  return problem === null ? { query: tree, problem } : { query: null, problem };
}
