// Whether a text is of a grammar, or begins one that is: all places where a rule can end, found once for each place where it
// begins. Grammars whose rules begin with themselves are not for it.
import type { Grammar, Piece } from "./notation.js";

class Recogniser {
  private readonly points: readonly number[];
  /** By rule, then by where it begins. */
  private readonly known = new Map<string, Map<number, readonly number[]>>();
  /** Whether some way through the grammar came to the end of the text. */
  comesToEnd = false;

  constructor(
    private readonly grammar: Grammar,
    text: string,
  ) {
    this.points = Array.from(text, (character) => character.codePointAt(0)!);
  }

  get length(): number {
    return this.points.length;
  }

  /** Where the rule can end that begins there. */
  rule(name: string, from: number): readonly number[] {
    let byPlace = this.known.get(name);
    if (byPlace === undefined) {
      byPlace = new Map();
      this.known.set(name, byPlace);
    }
    let ends = byPlace.get(from);
    if (ends === undefined) {
      ends = this.ends(this.grammar.get(name)!, from);
      byPlace.set(from, ends);
    }
    return ends;
  }

  private ends(piece: Piece, from: number): readonly number[] {
    switch (piece.kind) {
      case "text":
        return this.text(piece.points, from);
      case "class": {
        const point = this.next(from);
        if (point === undefined) return [];
        const isIn = piece.ranges.some(([first, last]) => point >= first && point <= last);
        return isIn === piece.isNegated ? [] : [from + 1];
      }
      case "rule":
        return this.rule(piece.name, from);
      case "choice":
        return [...new Set(piece.of.flatMap((each) => this.ends(each, from)))];
      case "sequence":
        return piece.of.reduce<readonly number[]>((places, each) => this.onward(each, places), [from]);
      case "repeat":
        return this.repeated(piece, from);
    }
  }

  private next(at: number): number | undefined {
    if (at === this.points.length) this.comesToEnd = true;
    return this.points[at];
  }

  private text(points: readonly number[], from: number): readonly number[] {
    for (const [i, point] of points.entries()) if (this.next(from + i) !== point) return [];
    return [from + points.length];
  }

  private onward(piece: Piece, places: readonly number[]): readonly number[] {
    return [...new Set(places.flatMap((at) => this.ends(piece, at)))];
  }

  private repeated({ of, least, most }: Extract<Piece, { kind: "repeat" }>, from: number): readonly number[] {
    let places: readonly number[] = [from];
    for (let i = 0; i < least; i += 1) places = this.onward(of, places);
    const found = new Set(places);
    for (let i = least; i < most && places.length > 0; i += 1) {
      // What was reached by fewer is gone through already.
      places = this.onward(of, places).filter((at) => !found.has(at));
      for (const at of places) found.add(at);
    }
    return [...found];
  }
}

export interface Recognised {
  /** The text is one of the grammar. */
  readonly isWhole: boolean;
  /** The text is one, or begins one. */
  readonly isBegun: boolean;
}

export function recognise(grammar: Grammar, text: string, root = "root"): Recognised {
  const recogniser = new Recogniser(grammar, text);
  const isWhole = recogniser.rule(root, 0).includes(recogniser.length);
  return { isWhole, isBegun: isWhole || recogniser.comesToEnd };
}
