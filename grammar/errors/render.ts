// An error as people see it: the message, the line, a caret, the hint.
import type { Position } from "../ast.js";

export interface Renderable {
  readonly code: string;
  readonly message: string;
  readonly hint?: string | null;
  readonly position: Pick<Position, "line" | "column" | "length">;
}

/** Characters of a line that are shown, and before the caret where it is longer. */
const WIDTH = 100;
const BEFORE = 60;

/** Control characters would move the cursor, or worse; every character takes one place. */
const visible = (line: string): string[] =>
  Array.from(line, (character) => (/^[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]$/u.test(character) ? " " : character));

export function renderProblem(text: string, problem: Renderable): string {
  const { line, column, length } = problem.position;
  const source = visible((text.split("\n")[line - 1] ?? "").replace(/\r$/, ""));
  const start = source.length <= WIDTH ? 0 : Math.max(0, Math.min(column - 1 - BEFORE, source.length - WIDTH));
  const cut = source.slice(start, start + WIDTH);
  const isCutBefore = start > 0;
  const isCutAfter = start + WIDTH < source.length;
  const shown = `${isCutBefore ? "…" : ""}${cut.join("")}${isCutAfter ? "…" : ""}`;
  const indent = column - 1 - start + (isCutBefore ? 1 : 0);
  const carets = "^".repeat(Math.max(1, Math.min(length, cut.length - (column - 1 - start))));
  const number = String(line);
  const lines = [
    `${problem.code}: ${problem.message} (line ${line}, column ${column})`,
    `  ${number} | ${shown}`,
    `  ${" ".repeat(number.length)} | ${" ".repeat(indent)}${carets}`,
  ];
  if (problem.hint !== undefined && problem.hint !== null && problem.hint !== "") lines.push(`  hint: ${problem.hint}`);
  return lines.join("\n");
}
