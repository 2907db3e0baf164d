// Where statements end: at a `;` outside strings, quoted names and comments.
// As the lexer of grammar/ sees it, but for text that is still being typed, and without loading the grammar.

export type OpenMark = "'" | '"' | "`" | "/*";

export interface ScriptStatement {
  /** Without the `;`, and without the blanks and line ends before it. */
  readonly text: string;
  /** Of its first character in the whole text: line and column from 1, the column in code points. */
  readonly line: number;
  readonly column: number;
}

export interface Split {
  /** Those that a `;` ends; empty ones are left out. */
  readonly statements: readonly ScriptStatement[];
  /** What follows the last `;`: null when that is only blanks and comments. */
  readonly rest: ScriptStatement | null;
  /** What the rest has opened and not closed. */
  readonly open: OpenMark | null;
}

/** `-->` and `)--(` are mistyped edges and no comments, so that the parser can say so. */
function beginsLineComment(text: string, at: number): boolean {
  if (!text.startsWith("--", at)) return false;
  return text[at + 2] !== ">" && !(text[at - 1] === ")" && text[at + 2] === "(");
}

interface Skipped {
  readonly end: number;
  readonly open: OpenMark | null;
  readonly isComment: boolean;
}

function skipTo(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from);
  return found === -1 ? -1 : found + mark.length;
}

/** Past the string, quoted name or comment that begins here; null where none does. A doubled quote closes and opens again. */
function skip(text: string, at: number): Skipped | null {
  const mark = text[at]!;
  if (mark === "'" || mark === '"' || mark === "`") {
    const end = skipTo(text, mark, at + 1);
    return { end: end === -1 ? text.length : end, open: end === -1 ? mark : null, isComment: false };
  }
  if (text.startsWith("/*", at)) {
    const end = skipTo(text, "*/", at + 2);
    return { end: end === -1 ? text.length : end, open: end === -1 ? "/*" : null, isComment: true };
  }
  if (!beginsLineComment(text, at)) return null;
  const end = skipTo(text, "\n", at);
  return { end: end === -1 ? text.length : end, open: null, isComment: true };
}

/** Finds line and column of places that only go forward, so that a long script is read once. */
class Places {
  private line = 1;
  /** A place of that line, and its column. */
  private seen = 0;
  private seenColumn = 1;
  private lineEnd: number;
  constructor(private readonly text: string) {
    this.lineEnd = text.indexOf("\n");
  }

  statement(from: number, to: number): ScriptStatement {
    const part = this.text.slice(from, to);
    const start = from + part.length - part.trimStart().length;
    while (this.lineEnd !== -1 && this.lineEnd < start) {
      this.line += 1;
      this.seen = this.lineEnd + 1;
      this.seenColumn = 1;
      this.lineEnd = this.text.indexOf("\n", this.seen);
    }
    this.seenColumn += [...this.text.slice(this.seen, start)].length;
    this.seen = start;
    return { text: part.trimStart(), line: this.line, column: this.seenColumn };
  }
}

export function splitScript(text: string): Split {
  const places = new Places(text);
  const statements: ScriptStatement[] = [];
  let from = 0;
  let at = 0;
  let hasContent = false;
  let open: OpenMark | null = null;
  while (at < text.length) {
    const skipped = skip(text, at);
    if (skipped !== null) {
      hasContent ||= !skipped.isComment || skipped.open !== null;
      open = skipped.open;
      at = skipped.end;
      continue;
    }
    if (text[at] === ";") {
      if (hasContent) statements.push(places.statement(from, at));
      from = at + 1;
      hasContent = false;
    } else if (!/\s/.test(text[at]!)) hasContent = true;
    at += 1;
  }
  return { statements, rest: hasContent ? places.statement(from, text.length) : null, open };
}
