// Look-ahead of one token, each decision worked out at its first use; where one token is not enough, the rules have gates.
// Chevrotain's own strategies work every decision out beforehand, which is most of the time to a first parse.
import type {
  Alternation,
  ILookaheadStrategy,
  IOrAlt,
  IProduction,
  IProductionWithOccurrence,
  OptionalProductionType,
  Rule,
  TokenType,
} from "chevrotain";
import { chevrotain } from "./chevrotain.js";

/** What a decision sees of the parser. */
interface Sight {
  LA(howMuch: number): { readonly tokenTypeIdx: number };
  /** Set while it is gathered what may stand at one place; told of every decision with what each choice begins with. */
  readonly onDecision: ((choices: readonly (readonly IProduction[])[]) => void) | null;
}

interface First {
  /** By token type's number. */
  readonly types: ReadonlySet<number>;
  readonly canBeEmpty: boolean;
}

const firstOfRules = new WeakMap<Rule, First>();

const definitionOf = (production: IProduction): readonly IProduction[] =>
  (production as IProduction & { definition: readonly IProduction[] }).definition;

/** What a sequence can begin with. */
function firstOf(sequence: readonly IProduction[]): First {
  const types = new Set<number>();
  for (const production of sequence) {
    const first = firstOfOne(production);
    for (const type of first.types) types.add(type);
    if (!first.canBeEmpty) return { types, canBeEmpty: false };
  }
  return { types, canBeEmpty: true };
}

function firstOfOne(production: IProduction): First {
  const { Alternation, NonTerminal, Option, Repetition, Terminal } = chevrotain();
  if (production instanceof Terminal) return { types: typesOf(production.terminalType), canBeEmpty: false };
  if (production instanceof NonTerminal) {
    const rule = production.referencedRule;
    let first = firstOfRules.get(rule);
    if (first === undefined) {
      first = firstOf(rule.definition);
      firstOfRules.set(rule, first);
    }
    return first;
  }
  if (production instanceof Alternation) {
    const all = definitionOf(production).map((alternative) => firstOf(definitionOf(alternative)));
    return {
      types: new Set(all.flatMap((first) => [...first.types])),
      canBeEmpty: all.some((first) => first.canBeEmpty),
    };
  }
  const { types, canBeEmpty } = firstOf(definitionOf(production));
  return {
    types,
    canBeEmpty: canBeEmpty || production instanceof Option || production instanceof Repetition,
  };
}

/** A category stands for its members. */
const typesOf = (type: TokenType): Set<number> => new Set([type.tokenTypeIdx!, ...(type.categoryMatches ?? [])]);

function find<T extends IProductionWithOccurrence>(
  sequence: readonly IProduction[],
  isIt: (production: IProduction) => production is T,
  idx: number,
): T | null {
  const { NonTerminal, Terminal } = chevrotain();
  for (const production of sequence) {
    if (production instanceof Terminal || production instanceof NonTerminal) continue;
    if (isIt(production) && production.idx === idx) return production;
    const inside = find(definitionOf(production), isIt, idx);
    if (inside !== null) return inside;
  }
  return null;
}

function findOrFail<T extends IProductionWithOccurrence>(
  rule: Rule,
  isIt: (production: IProduction) => production is T,
  idx: number,
): T {
  const found = find(rule.definition, isIt, idx);
  if (found === null) throw new Error(`the rule ${rule.name} has no decision ${idx} of this kind`);
  return found;
}

type ChooseOne = (this: Sight, alternatives?: IOrAlt<unknown>[]) => number | undefined;
type ChooseWhether = (this: Sight) => boolean;

/** For each token the alternatives that it can begin, in their order; the first whose gate is open is taken. */
function chooseOne(production: Alternation): ChooseOne {
  const choices = definitionOf(production).map(definitionOf);
  const byType: (number[] | undefined)[] = [];
  for (const [i, choice] of choices.entries()) {
    for (const type of firstOf(choice).types) {
      byType[type] ??= [];
      byType[type].push(i);
    }
  }
  return function (this: Sight, alternatives?: IOrAlt<unknown>[]) {
    if (this.onDecision !== null) this.onDecision(choices);
    const candidates = byType[this.LA(1).tokenTypeIdx];
    if (candidates === undefined) return undefined;
    for (const i of candidates) {
      const gate = alternatives![i]!.GATE;
      if (gate === undefined || gate.call(this)) return i;
    }
    return undefined;
  };
}

function chooseWhether(sequence: readonly IProduction[]): ChooseWhether {
  const choices = [sequence];
  const { types } = firstOf(sequence);
  const begins: boolean[] = [];
  for (const type of types) begins[type] = true;
  return function (this: Sight) {
    if (this.onDecision !== null) this.onDecision(choices);
    return begins[this.LA(1).tokenTypeIdx] === true;
  };
}

export class LazyLookahead implements ILookaheadStrategy {
  /** What Chevrotain would check at every start, a test checks once. */
  validate(): [] {
    return [];
  }

  buildLookaheadForAlternation(options: { prodOccurrence: number; rule: Rule }): ChooseOne {
    let choose: ChooseOne | null = null;
    return function (this: Sight, alternatives) {
      const { Alternation } = chevrotain();
      const isAlternation = (some: IProduction): some is Alternation => some instanceof Alternation;
      choose ??= chooseOne(findOrFail(options.rule, isAlternation, options.prodOccurrence));
      return choose.call(this, alternatives);
    };
  }

  buildLookaheadForOptional(options: {
    prodOccurrence: number;
    prodType: OptionalProductionType;
    rule: Rule;
  }): ChooseWhether {
    let choose: ChooseWhether | null = null;
    return function (this: Sight) {
      const { Option, Repetition } = chevrotain();
      const Wanted = options.prodType === "Option" ? Option : Repetition;
      const isWanted = (some: IProduction): some is InstanceType<typeof Wanted> => some instanceof Wanted;
      choose ??= chooseWhether(findOrFail(options.rule, isWanted, options.prodOccurrence).definition);
      return choose.call(this);
    };
  }
}
