// Texts of a grammar at random, at bounded depth: which rules were used is told, so that none is forgotten.
import type { Random } from "../../support/random.js";
import type { Grammar, Piece } from "./notation.js";

/** What a class that says what it is not is tried with. */
const OTHERS = [..." !#$%&()*+,-./09:;<=>?@AZ[]^_`az{|}~äß日😀\u00a0\u2028'\"\\"].map((each) => each.codePointAt(0)!);
/** So often more than has to be. */
const MORE = 2;
/** Rules of one text; behind that only what has to be. */
const MOST_RULES = 300;

/** How many rules deep a piece is at the least. */
function depths(grammar: Grammar): ReadonlyMap<string, number> {
  const known = new Map<string, number>();
  for (let isNew = true; isNew; ) {
    isNew = false;
    for (const [name, piece] of grammar) {
      const depth = depthOf(piece, known) + 1;
      if (depth < (known.get(name) ?? Number.POSITIVE_INFINITY)) {
        known.set(name, depth);
        isNew = true;
      }
    }
  }
  return known;
}

function depthOf(piece: Piece, known: ReadonlyMap<string, number>): number {
  switch (piece.kind) {
    case "rule":
      return known.get(piece.name) ?? Number.POSITIVE_INFINITY;
    case "sequence":
      return Math.max(0, ...piece.of.map((each) => depthOf(each, known)));
    case "choice":
      return Math.min(...piece.of.map((each) => depthOf(each, known)));
    case "repeat":
      return piece.least === 0 ? 0 : depthOf(piece.of, known);
    default:
      return 0;
  }
}

export class Deriver {
  readonly used = new Set<string>();
  private readonly depths: ReadonlyMap<string, number>;
  private count = 0;

  constructor(
    private readonly grammar: Grammar,
    private readonly random: Random,
  ) {
    this.depths = depths(grammar);
  }

  /** A text of the root, at most so many rules deep where that can be. */
  text(depth: number): string {
    this.count = 0;
    return this.of({ kind: "rule", name: "root" }, depth);
  }

  private of(piece: Piece, left: number): string {
    switch (piece.kind) {
      case "text":
        return String.fromCodePoint(...piece.points);
      case "class":
        return this.character(piece);
      case "rule":
        this.used.add(piece.name);
        this.count += 1;
        return this.of(this.grammar.get(piece.name)!, this.count > MOST_RULES ? 0 : left - 1);
      case "sequence":
        return piece.of.map((each) => this.of(each, left)).join("");
      case "choice":
        return this.of(this.chosen(piece.of, left), left);
      case "repeat": {
        const most = Math.min(piece.most, piece.least + MORE);
        const isDeep = depthOf(piece.of, this.depths) > left;
        const times = isDeep ? piece.least : piece.least + this.random.below(most - piece.least + 1);
        return Array.from({ length: times }, () => this.of(piece.of, left)).join("");
      }
    }
  }

  private chosen(choices: readonly Piece[], left: number): Piece {
    const fitting = choices.filter((each) => depthOf(each, this.depths) <= left);
    if (fitting.length > 0) return this.random.pick(fitting);
    return choices.reduce((a, b) => (depthOf(a, this.depths) <= depthOf(b, this.depths) ? a : b));
  }

  private character({ isNegated, ranges }: Extract<Piece, { kind: "class" }>): string {
    if (isNegated) {
      const isIn = (point: number): boolean => ranges.some(([from, to]) => point >= from && point <= to);
      return String.fromCodePoint(this.random.pick(OTHERS.filter((point) => !isIn(point))));
    }
    const [from, to] = this.random.pick(ranges);
    return String.fromCodePoint(from + this.random.below(to - from + 1));
  }
}
