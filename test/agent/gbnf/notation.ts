// The notation of GBNF read into a tree, as llama.cpp and xgrammar describe it: a rule a line, texts, classes, groups, `|` and
// how often. Shares nothing with what writes grammars.

export type Piece =
  | { readonly kind: "text"; readonly points: readonly number[] }
  | { readonly kind: "class"; readonly isNegated: boolean; readonly ranges: readonly (readonly [number, number])[] }
  | { readonly kind: "rule"; readonly name: string }
  | { readonly kind: "sequence"; readonly of: readonly Piece[] }
  | { readonly kind: "choice"; readonly of: readonly Piece[] }
  | { readonly kind: "repeat"; readonly of: Piece; readonly least: number; readonly most: number };

export type Grammar = ReadonlyMap<string, Piece>;

const RULE_NAME = /[a-z][a-z0-9-]*/y;
const BOUNDS = /\{(\d+)(,(\d*))?\}/y;
const ESCAPED: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r" };

class Body {
  private at = 0;

  constructor(private readonly text: string) {}

  whole(): Piece {
    const piece = this.choice();
    if (this.at < this.text.length) throw new Error(`cannot read ${this.text.slice(this.at)}`);
    return piece;
  }

  private skip(): void {
    while (this.text[this.at] === " ") this.at += 1;
  }

  private takes(mark: string): boolean {
    const isThere = this.text[this.at] === mark;
    if (isThere) this.at += 1;
    return isThere;
  }

  private matches(form: RegExp): RegExpExecArray | null {
    form.lastIndex = this.at;
    const match = form.exec(this.text);
    if (match !== null) this.at += match[0].length;
    return match;
  }

  private choice(): Piece {
    const of = [this.sequence()];
    while (this.takes("|")) of.push(this.sequence());
    return of.length === 1 ? of[0]! : { kind: "choice", of };
  }

  private sequence(): Piece {
    const of: Piece[] = [];
    for (;;) {
      this.skip();
      const piece = this.piece();
      if (piece === null) return of.length === 1 ? of[0]! : { kind: "sequence", of };
      of.push(this.repeated(piece));
    }
  }

  private piece(): Piece | null {
    if (this.takes('"')) return this.quoted();
    if (this.takes("[")) return this.characters();
    if (this.takes("(")) {
      const inside = this.choice();
      if (!this.takes(")")) throw new Error(`no end of a group before ${this.text.slice(this.at)}`);
      return inside;
    }
    const name = this.matches(RULE_NAME);
    return name === null ? null : { kind: "rule", name: name[0] };
  }

  private repeated(of: Piece): Piece {
    if (this.takes("?")) return { kind: "repeat", of, least: 0, most: 1 };
    if (this.takes("*")) return { kind: "repeat", of, least: 0, most: Number.POSITIVE_INFINITY };
    if (this.takes("+")) return { kind: "repeat", of, least: 1, most: Number.POSITIVE_INFINITY };
    const bounds = this.matches(BOUNDS);
    if (bounds === null) return of;
    const [, least, comma, most] = bounds;
    const upper = comma === undefined ? least : most === "" ? "Infinity" : most;
    return { kind: "repeat", of, least: Number(least), most: Number(upper) };
  }

  private point(): number {
    if (!this.takes("\\")) {
      const point = this.text.codePointAt(this.at)!;
      this.at += String.fromCodePoint(point).length;
      return point;
    }
    const code = this.matches(/x([0-9A-Fa-f]{2})/y);
    if (code !== null) return Number.parseInt(code[1]!, 16);
    const escaped = this.text[this.at]!;
    this.at += 1;
    return (ESCAPED[escaped] ?? escaped).codePointAt(0)!;
  }

  private quoted(): Piece {
    const points: number[] = [];
    while (!this.takes('"')) points.push(this.point());
    return { kind: "text", points };
  }

  private characters(): Piece {
    const isNegated = this.takes("^");
    const ranges: [number, number][] = [];
    while (!this.takes("]")) {
      const from = this.point();
      const isRange = this.text[this.at] === "-" && this.text[this.at + 1] !== "]";
      if (isRange) this.at += 1;
      ranges.push([from, isRange ? this.point() : from]);
    }
    return { kind: "class", isNegated, ranges };
  }
}

function namesIn(piece: Piece): readonly string[] {
  if (piece.kind === "rule") return [piece.name];
  if (piece.kind === "repeat") return namesIn(piece.of);
  return "of" in piece ? piece.of.flatMap(namesIn) : [];
}

export function readGrammar(text: string): Grammar {
  const grammar = new Map<string, Piece>();
  for (const line of text.trim().split("\n")) {
    const rule = /^([a-z][a-z0-9-]*) ::= (.+)$/.exec(line);
    if (rule === null) throw new Error(`no rule: ${line}`);
    const [, name, body] = rule;
    if (grammar.has(name!)) throw new Error(`two rules ${name}`);
    grammar.set(name!, new Body(body!).whole());
  }
  for (const [name, piece] of grammar) {
    const unknown = namesIn(piece).find((each) => !grammar.has(each));
    if (unknown !== undefined) throw new Error(`${name} needs ${unknown}, which is no rule`);
  }
  return grammar;
}
