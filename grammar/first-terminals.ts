// A walk over the recorded grammar: every token that a sequence can begin with, its slot, and the rules on the way to it.
import type { IProduction, TokenType } from "chevrotain";
import { chevrotain } from "./chevrotain.js";
import type { Slot } from "./slots.js";

type Visit = (type: TokenType, slot: Slot | null, entered: readonly string[]) => void;

const definitionOf = (production: IProduction): readonly IProduction[] =>
  (production as IProduction & { definition: readonly IProduction[] }).definition;

/** Calls `visit` for each; gives whether the sequence can be empty. */
export function walkFirst(sequence: readonly IProduction[], visit: Visit, entered: readonly string[] = []): boolean {
  return sequence.every((production) => walkOne(production, visit, entered));
}

function walkOne(production: IProduction, visit: Visit, entered: readonly string[]): boolean {
  const { Alternation, NonTerminal, Option, Repetition, Terminal } = chevrotain();
  if (production instanceof Terminal) {
    visit(production.terminalType, (production.label as Slot | undefined) ?? null, entered);
    return false;
  }
  if (production instanceof NonTerminal) {
    return walkFirst(production.referencedRule.definition, visit, [...entered, production.nonTerminalName]);
  }
  if (production instanceof Alternation) {
    const canBeEmpty = definitionOf(production).map((alternative) =>
      walkFirst(definitionOf(alternative), visit, entered),
    );
    return canBeEmpty.some(Boolean);
  }
  const isEmpty = walkFirst(definitionOf(production), visit, entered);
  return isEmpty || production instanceof Option || production instanceof Repetition;
}
