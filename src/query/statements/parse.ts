// Texts to trees, as callers of statements want them: a tree, or the error that says what is wrong.
import type { Statement } from "../../../grammar/ast.js";
import { parseStatement } from "../../../grammar/index.js";
import { internalError, PalimpsestError } from "../../contract/errors.js";
import { syntaxError } from "../syntax-error.js";
import type { StatementSource } from "./runner.js";

const KEPT_TEXTS = 256;
const LONGEST_KEPT = 4096;
/**
 * Trees are never changed, so who asks the same text again gets the same tree. Only reads: what a write
 * says may have to be forgotten. Those asked longest ago go first.
 */
const kept = new Map<string, Statement>();

function parsed(text: string): ReturnType<typeof parseStatement> {
  const known = kept.get(text);
  if (known !== undefined) {
    kept.delete(text);
    kept.set(text, known);
    return { statement: known, problem: null };
  }
  const read = parseStatement(text);
  if (read.statement?.kind === "read" && text.length <= LONGEST_KEPT) {
    if (kept.size === KEPT_TEXTS) kept.delete(kept.keys().next().value!);
    kept.set(text, read.statement);
  }
  return read;
}

/** Parses at once; what is wrong is told when the statement runs. */
export function sourceOf(text: unknown): StatementSource {
  if (typeof text !== "string") {
    const error = new PalimpsestError("E_INVALID_ARG", "a statement is a text", { hint: "give TQL as a string" });
    return () => {
      throw error;
    };
  }
  try {
    const { statement, problem } = parsed(text);
    return () => {
      if (statement === null) throw syntaxError(problem, text);
      return statement;
    };
  } catch (error) {
    return () => {
      throw internalError(error);
    };
  }
}

/** What has its effects in the order of the calls begins with its call. */
export function beginsAtOnce(source: StatementSource): boolean {
  try {
    const { kind } = source();
    return kind !== "read" && kind !== "show";
  } catch (error) {
    if (error instanceof PalimpsestError) return false;
    throw error;
  }
}

/** Names of the parameters of a statement, in the order of the text. */
export function parametersOf(statement: Statement): string[] {
  const found = new Set<string>();
  const visit = (tree: unknown): void => {
    if (typeof tree !== "object" || tree === null) return;
    const { kind, name } = tree as { kind?: unknown; name?: unknown };
    if (kind === "parameter" && typeof name === "string") found.add(name);
    else for (const member of Object.values(tree)) visit(member);
  };
  visit(statement);
  return [...found];
}
